package io.tokenvault.server.process.nodes;

import io.tokenvault.server.e2e.fixture.Response;
import java.util.function.Consumer;

/** A repeated change that has to apply on every node from the next request on. */
interface RepeatedChange {

  /**
   * Makes the next change.
   *
   * @param round the number of the change, from 0
   * @param url the URL of the node that receives the change
   * @return an assertion that the change applies on the node with a given URL
   */
  Consumer<String> change(int round, String url);

  /** Uses the changing resource, so that nodes cache it. */
  Response use(String url);
}
