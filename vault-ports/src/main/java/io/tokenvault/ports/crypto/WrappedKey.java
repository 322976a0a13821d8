package io.tokenvault.ports.crypto;

import java.util.Arrays;
import java.util.Objects;

/** A key of a tenant, encrypted under the master keyset. */
public final class WrappedKey {

  private final KeyPurpose purpose;
  private final int version;
  private final byte[] wrapped;

  /**
   * Creates a wrapped key.
   *
   * @param version from 1, unique within the tenant and purpose
   */
  public WrappedKey(KeyPurpose purpose, int version, byte[] wrapped) {
    this.purpose = Objects.requireNonNull(purpose, "purpose");
    this.version = version;
    this.wrapped = wrapped.clone();
  }

  public KeyPurpose purpose() {
    return purpose;
  }

  public int version() {
    return version;
  }

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

  @Override
  public int hashCode() {
    return Objects.hash(purpose, version, Arrays.hashCode(wrapped));
  }

  @Override
  public String toString() {
    return "WrappedKey[" + purpose + ", version " + version + "]";
  }
}
