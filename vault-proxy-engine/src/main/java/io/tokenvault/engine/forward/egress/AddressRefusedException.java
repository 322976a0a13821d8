package io.tokenvault.engine.forward.egress;

import java.net.UnknownHostException;

/** A name has an address that may not be dialled. */
public final class AddressRefusedException extends UnknownHostException {
  private static final long serialVersionUID = 1L;
}
