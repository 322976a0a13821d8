package io.tokenvault.ports.crypto;

import java.util.Arrays;
import java.util.Objects;

/**
 * A proof by which another holder of a master key can confirm that it has the identical key. It
 * reveals nothing about the key.
 */
public record KeyProof(MasterKeyId key, byte[] proof) {

  public KeyProof {
    Objects.requireNonNull(key, "key");
    proof = proof.clone();
  }

  @Override
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
