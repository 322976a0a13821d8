package io.tokenvault.ports.memory;

import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.domain.secret.ProxyKey;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.crypto.KeyHasher;
import java.util.List;

/** A hasher for tests that hashes without a key, in two versions. */
public final class FakeKeyHasher implements KeyHasher {

  @Override
  public List<KeyHash> hashes(ApiKey key) {
    return hashes((byte) 'a', key.value());
  }

  @Override
  public List<KeyHash> hashes(ProxyKey key) {
    return hashes((byte) 'p', key.value());
  }

  private static List<KeyHash> hashes(byte purpose, SensitiveValue key) {
    return List.of(hash(2, purpose, key), hash(1, purpose, key));
  }

  private static KeyHash hash(int version, byte purpose, SensitiveValue key) {
    return new KeyHash(
        version, FakeFieldCipher.digest(new byte[] {purpose, (byte) version}, key.open()));
  }
}
