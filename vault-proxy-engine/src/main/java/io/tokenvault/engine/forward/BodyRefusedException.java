package io.tokenvault.engine.forward;

import io.tokenvault.domain.failure.VaultException;
import java.io.IOException;

/**
 * Thrown by the stream of a request's body that turns out to be unacceptable while it is sent. It
 * ends the transmission.
 */
public final class BodyRefusedException extends IOException {

  private static final long serialVersionUID = 1L;

  private final transient VaultException refusal;

  /**
   * Creates an exception.
   *
   * @param refusal the failure that the caller receives
   */
  public BodyRefusedException(VaultException refusal) {
    super(refusal.getMessage());
    this.refusal = refusal;
  }

  /** Returns the failure that the caller receives. */
  public VaultException refusal() {
    return refusal;
  }
}
