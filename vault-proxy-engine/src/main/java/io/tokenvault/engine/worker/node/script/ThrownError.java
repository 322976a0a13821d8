package io.tokenvault.engine.worker.node.script;

import java.util.List;
import java.util.Map;

/** What a thrown error of the module {@code vault-errors} means. */
public sealed interface ThrownError {

  /**
   * The script refuses.
   *
   * @param status 400 to 599
   */
  record Refusal(int status, Map<String, List<String>> errors) implements ThrownError {}

  /**
   * The script answers by itself; the values are JavaScript's and as unchecked as those that a
   * transform returns.
   *
   * @param status of HTTP
   */
  record Answer(int status, Object headers, Object body) implements ThrownError {}
}
