package io.tokenvault.engine;

/**
 * One thing that is done to an invocation. All threads share one instance.
 *
 * <p>A step gives the exchange on, changed or not, never null; it fails with a {@code
 * VaultException}, and everything else that it throws is a fault of ours.
 */
interface Step {
  /** Returns the name in audit messages, which stays whatever the class is called. */
  String name();

  Exchange apply(Exchange exchange);

  /** Whether it reads the caller's body, which can be read once only. */
  default boolean readsTheBody() {
    return false;
  }
}
