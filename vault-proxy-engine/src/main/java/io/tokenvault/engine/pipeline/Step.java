package io.tokenvault.engine.pipeline;

import io.tokenvault.engine.exchange.Exchange;
import java.util.Optional;

/**
 * A step of an invocation, such as authorization or detokenization. All threads share one instance,
 * so that a step keeps the state of an invocation in the {@link Exchange} only.
 *
 * <p>A step fails with a {@code VaultException}; any other exception is a fault in the program.
 */
public interface Step {
  /** Returns the name in audit messages, which remains when the class is renamed. */
  String name();

  /**
   * Runs the step. It reads values that earlier steps have set, and sets its own once nothing can
   * fail any more.
   *
   * @throws io.tokenvault.domain.failure.VaultException if the request is refused or fails
   */
  void apply(Exchange exchange);

  /** Returns the span that shows the step in traces; empty for a step that takes no time. */
  default Optional<String> span() {
    return Optional.empty();
  }

  /** Returns whether the step reads the caller's body, which can be read only once. */
  default boolean readsTheBody() {
    return false;
  }
}
