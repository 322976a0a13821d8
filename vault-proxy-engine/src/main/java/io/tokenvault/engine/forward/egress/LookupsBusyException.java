package io.tokenvault.engine.forward.egress;

import java.net.UnknownHostException;

/** All look-ups that can go on at the same time are being held by names that take long. */
public final class LookupsBusyException extends UnknownHostException {
  private static final long serialVersionUID = 1L;
}
