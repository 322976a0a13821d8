package io.tokenvault.engine.pipeline;

import io.tokenvault.engine.exchange.Exchange;

/**
 * One thing that is done to an invocation. All threads share one instance.
 *
 * <p>A step fails with a {@code VaultException}; everything else that it throws is a fault of ours.
 */
public interface Step {
  /** Returns the name in audit messages, which stays whatever the class is called. */
  String name();

  void apply(Exchange exchange);

  /** Returns whether it reads the caller's body, which can be read once only. */
  default boolean readsTheBody() {
    return false;
  }
}
