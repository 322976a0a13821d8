package io.tokenvault.server.process.nodes;

import io.tokenvault.server.e2e.fixture.Response;
import java.util.function.Consumer;

/** Something that changes again and again, and has to hold on every node from then on. */
interface Alternation {

  /**
   * Changes it.
   *
   * @param round from 0 on
   * @param url of the node that is told
   * @return fails if the change does not hold on the node of the URL that it is given
   */
  Consumer<String> change(int round, String url);

  /** Uses what changes, at any time, so that a node knows it by heart. */
  Response use(String url);
}
