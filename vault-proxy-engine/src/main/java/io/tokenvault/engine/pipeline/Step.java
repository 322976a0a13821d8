package io.tokenvault.engine.pipeline;

import io.tokenvault.engine.exchange.Exchange;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A step of an invocation, such as authorization or detokenization. All threads share one instance,
 * so that a step keeps the state of an invocation in the {@link Exchange} only.
 *
 * @param name in audit messages, which remains when a class is renamed
 * @param span the span that shows the step in traces; empty for a step that takes no time
 * @param readsBody whether the step reads the caller's body, which can be read only once
 * @param sends whether the step sends the request, so that it may have arrived although the step
 *     failed
 * @param action reads values that earlier steps have set, and sets its own once nothing can fail
 *     any more. It fails with a {@code VaultException}; any other exception is a fault in the
 *     program
 */
public record Step(
    String name,
    Optional<String> span,
    boolean readsBody,
    boolean sends,
    Consumer<Exchange> action) {

  /** Returns a step that is not shown in traces and does not read the body. */
  public static Step of(String name, Consumer<Exchange> action) {
    return new Step(name, Optional.empty(), false, false, action);
  }

  /** Returns a step that is shown in traces and does not read the body. */
  public static Step traced(String name, String span, Consumer<Exchange> action) {
    return new Step(name, Optional.of(span), false, false, action);
  }

  /** Returns a step that reads the body and is not shown in traces. */
  public static Step readingBody(String name, Consumer<Exchange> action) {
    return new Step(name, Optional.empty(), true, false, action);
  }

  /** Returns a step that sends the request and is shown in traces. */
  public static Step sending(String name, String span, Consumer<Exchange> action) {
    return new Step(name, Optional.of(span), false, true, action);
  }
}
