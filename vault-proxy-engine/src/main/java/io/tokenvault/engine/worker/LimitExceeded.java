package io.tokenvault.engine.worker;

import io.tokenvault.engine.wire.FromWorker.Failing;

/**
 * Ends an invocation. An {@link Error}, since Rhino lets scripts run neither {@code catch} nor
 * {@code finally} for one.
 */
final class LimitExceeded extends Error {

  private static final long serialVersionUID = 1L;

  private final Failing failing;

  LimitExceeded(Failing failing) {
    super(failing.name(), null, false, false);
    this.failing = failing;
  }

  Failing failing() {
    return failing;
  }
}
