package io.tokenvault.engine.forward.tunnel;

import io.tokenvault.domain.failure.FailureCause;
import java.io.IOException;

/** The operator's forward proxy did not connect us to a destination. */
public final class ForwardProxyException extends IOException {

  private static final long serialVersionUID = 1L;

  private final FailureCause failure;

  /**
   * @param text what callers are told
   */
  private ForwardProxyException(FailureCause failure, String text) {
    super(text);
    this.failure = failure;
  }

  public static ForwardProxyException unreachable() {
    return new ForwardProxyException(
        FailureCause.DESTINATION_UNREACHABLE, "The operator's forward proxy cannot be reached.");
  }

  static ForwardProxyException untrusted() {
    return new ForwardProxyException(
        FailureCause.DESTINATION_UNTRUSTED,
        "No TLS connection that can be trusted was possible to the operator's forward proxy.");
  }

  public static ForwardProxyException refused() {
    return new ForwardProxyException(
        FailureCause.DESTINATION_UNREACHABLE,
        "The operator's forward proxy did not connect to the destination.");
  }

  static ForwardProxyException unauthenticated() {
    return new ForwardProxyException(
        FailureCause.DESTINATION_UNREACHABLE,
        "The operator's forward proxy does not accept this vault's credentials.");
  }

  public FailureCause failure() {
    return failure;
  }
}
