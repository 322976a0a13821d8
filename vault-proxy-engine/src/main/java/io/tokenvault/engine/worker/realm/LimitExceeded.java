package io.tokenvault.engine.worker.realm;

import io.tokenvault.engine.wire.FromWorker.Failing;

/**
 * Ends an invocation. An {@link Error}, since Rhino lets scripts run neither {@code catch} nor
 * {@code finally} for one.
 */
public final class LimitExceeded extends Error {

  private static final long serialVersionUID = 1L;

  private final Failing failing;

  public LimitExceeded(Failing failing) {
    super(failing.name(), null, false, false);
    this.failing = failing;
  }

  public Failing failing() {
    return failing;
  }
}
