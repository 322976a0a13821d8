package io.tokenvault.ports.crypto;

import java.util.Arrays;
import java.util.Objects;

/** By which another holder of the same key can tell that it is the same; reveals nothing of it. */
public final class KeyProof {

  private final MasterKeyId key;
  private final byte[] proof;

  public KeyProof(MasterKeyId key, byte[] proof) {
    this.key = Objects.requireNonNull(key, "key");
    this.proof = proof.clone();
  }

  public MasterKeyId key() {
    return key;
  }

  public byte[] proof() {
    return proof.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeyProof same
        && key.equals(same.key)
        && Arrays.equals(proof, same.proof);
  }

  @Override
  public int hashCode() {
    return Objects.hash(key, Arrays.hashCode(proof));
  }

  @Override
  public String toString() {
    return "KeyProof[" + key + "]";
  }
}
