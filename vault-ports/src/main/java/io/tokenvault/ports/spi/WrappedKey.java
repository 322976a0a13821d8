package io.tokenvault.ports.spi;

import java.util.Arrays;

/** A tenant's data key, encrypted under the master keyset. */
public final class WrappedKey {

  private final int version;
  private final byte[] wrapped;

  /**
   * @param version from 1, unique within the tenant
   */
  public WrappedKey(int version, byte[] wrapped) {
    this.version = version;
    this.wrapped = wrapped.clone();
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
        && version == key.version
        && Arrays.equals(wrapped, key.wrapped);
  }

  @Override
  public int hashCode() {
    return 31 * version + Arrays.hashCode(wrapped);
  }

  @Override
  public String toString() {
    return "WrappedKey[version " + version + "]";
  }
}
