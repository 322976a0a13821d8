package io.tokenvault.engine.forward.egress;

import java.net.UnknownHostException;

/** Thrown if all threads for DNS lookups are occupied by slow names. */
public final class LookupsBusyException extends UnknownHostException {
  private static final long serialVersionUID = 1L;
}
