package io.tokenvault.engine.worker.realm;

import io.tokenvault.engine.wire.FromWorker.Failing;

/**
 * Ends an invocation that has exceeded a limit.
 *
 * <p>It is an {@link Error}, since Rhino runs neither {@code catch} nor {@code finally} blocks of
 * scripts for one.
 */
public final class LimitExceeded extends Error {

  private static final long serialVersionUID = 1L;

  private final Failing failing;

  /**
   * Creates the error, without a stack trace.
   *
   * @param failing the limit that was exceeded
   */
  public LimitExceeded(Failing failing) {
    super(failing.name(), null, false, false);
    this.failing = failing;
  }

  public Failing failing() {
    return failing;
  }
}
