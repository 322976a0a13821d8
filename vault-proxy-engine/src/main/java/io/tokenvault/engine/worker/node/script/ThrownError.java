package io.tokenvault.engine.worker.node.script;

import java.util.List;
import java.util.Map;

/** Content of a thrown error of the module {@code vault-errors}. */
public sealed interface ThrownError {

  /**
   * An error that the script threw in order to reject the request.
   *
   * @param status 400 to 599
   * @param errors the messages by field
   */
  record Refusal(int status, Map<String, List<String>> errors) implements ThrownError {}

  /**
   * A response that the script threw in order to end the invocation. The values are JavaScript
   * values and as unchecked as those that a transform returns.
   *
   * @param status the HTTP status, any number
   * @param headers an object or undefined
   * @param body any value
   */
  record Answer(int status, Object headers, Object body) implements ThrownError {}
}
