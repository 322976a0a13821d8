package io.tokenvault.ports.crypto;

import java.util.Arrays;
import java.util.Objects;

/**
 * A key of a tenant, encrypted under the master keyset. Instances are immutable: arrays are copied
 * on the way in and out.
 *
 * @param version from 1, unique within the tenant and purpose
 */
public record WrappedKey(KeyPurpose purpose, int version, byte[] wrapped) {

  public WrappedKey {
    Objects.requireNonNull(purpose, "purpose");
    wrapped = wrapped.clone();
  }

  @Override
  public byte[] wrapped() {
    return wrapped.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof WrappedKey key
        && purpose == key.purpose
        && version == key.version
        && Arrays.equals(wrapped, key.wrapped);
  }

  /** Returns a hash without the wrapped bytes, since every encrypted field looks its key up. */
  @Override
  public int hashCode() {
    return 31 * purpose.hashCode() + version;
  }

  @Override
  public String toString() {
    return "WrappedKey[" + purpose + ", version " + version + "]";
  }
}
