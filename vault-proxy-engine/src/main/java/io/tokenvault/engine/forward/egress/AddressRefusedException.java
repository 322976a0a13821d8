package io.tokenvault.engine.forward.egress;

import java.net.UnknownHostException;

/** Thrown if a host name has an address that the egress policy does not allow to connect to. */
public final class AddressRefusedException extends UnknownHostException {
  private static final long serialVersionUID = 1L;
}
