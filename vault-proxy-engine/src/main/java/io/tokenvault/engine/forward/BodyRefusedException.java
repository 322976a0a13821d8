package io.tokenvault.engine.forward;

import io.tokenvault.domain.failure.VaultException;
import java.io.IOException;

/** A body turned out to be unacceptable after it began to be sent. */
public final class BodyRefusedException extends IOException {

  private static final long serialVersionUID = 1L;

  private final transient VaultException refusal;

  /**
   * @param refusal what the caller is told
   */
  public BodyRefusedException(VaultException refusal) {
    super(refusal.getMessage());
    this.refusal = refusal;
  }

  VaultException refusal() {
    return refusal;
  }
}
