package io.tokenvault.engine.forward;

import java.net.UnknownHostException;

/** A name has an address that may not be dialled. */
final class AddressRefusedException extends UnknownHostException {
  private static final long serialVersionUID = 1L;
}
