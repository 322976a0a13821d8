package io.tokenvault.engine.forward;

import java.net.UnknownHostException;

/** The name of the operator's forward proxy does not resolve. */
final class ForwardProxyUnknownException extends UnknownHostException {
  private static final long serialVersionUID = 1L;
}
