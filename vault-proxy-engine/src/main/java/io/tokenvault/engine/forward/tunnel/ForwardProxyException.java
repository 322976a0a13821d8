package io.tokenvault.engine.forward.tunnel;

import io.tokenvault.domain.failure.FailureCause;
import java.io.IOException;

/**
 * Thrown if the operator's forward proxy did not connect to a destination. The message is fixed and
 * may be returned to callers.
 */
public final class ForwardProxyException extends IOException {

  private static final long serialVersionUID = 1L;

  private final FailureCause failure;

  /**
   * Creates an exception.
   *
   * @param text the message that callers receive
   */
  private ForwardProxyException(FailureCause failure, String text) {
    super(text);
    this.failure = failure;
  }

  /** Returns the failure to connect to the proxy. */
  public static ForwardProxyException unreachable() {
    return new ForwardProxyException(
        FailureCause.DESTINATION_UNREACHABLE, "The operator's forward proxy is unreachable.");
  }

  /** Returns the failure of the TLS handshake with the proxy. */
  static ForwardProxyException untrusted() {
    return new ForwardProxyException(
        FailureCause.DESTINATION_UNTRUSTED,
        "Could not establish a trusted TLS connection to the operator's forward proxy.");
  }

  /** Returns the refusal of a tunnel by the proxy. */
  public static ForwardProxyException refused() {
    return new ForwardProxyException(
        FailureCause.DESTINATION_UNREACHABLE,
        "The operator's forward proxy did not connect to the destination.");
  }

  /** Returns the refusal of the vault's credentials by the proxy (status 407). */
  static ForwardProxyException unauthenticated() {
    return new ForwardProxyException(
        FailureCause.DESTINATION_UNREACHABLE,
        "The operator's forward proxy does not accept this vault's credentials.");
  }

  public FailureCause failure() {
    return failure;
  }
}
