package io.tokenvault.ports.memory;

import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.crypto.TokenHash;
import io.tokenvault.ports.crypto.TokenHasher;
import io.tokenvault.ports.crypto.WrappedKey;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/** A hasher for tests that hashes without a key, once per key version of the tenant. */
public final class FakeTokenHasher implements TokenHasher {

  @Override
  public List<TokenHash> fingerprints(TenantKeys keys, TokenType type, String content) {
    return hashes(keys, KeyPurpose.FINGERPRINT, type.value(), content);
  }

  @Override
  public List<TokenHash> searchIndexes(TenantKeys keys, String content) {
    return hashes(keys, KeyPurpose.SEARCH_INDEX, "", content);
  }

  @Override
  public List<TokenHash> requests(TenantKeys keys, String content) {
    return hashes(keys, KeyPurpose.FINGERPRINT, "request", content);
  }

  private static List<TokenHash> hashes(
      TenantKeys keys, KeyPurpose purpose, String type, String content) {
    keys.current(purpose);
    return keys.versions(purpose).stream().map(key -> hash(keys, key, type, content)).toList();
  }

  private static TokenHash hash(TenantKeys keys, WrappedKey key, String type, String content) {
    String text =
        String.join(
            "\0",
            keys.tenantId().toString(),
            key.purpose().value(),
            "" + key.version(),
            type,
            content);
    byte[] digest = FakeFieldCipher.digest(text.getBytes(StandardCharsets.UTF_8));
    return new TokenHash(key.version(), HexFormat.of().formatHex(digest));
  }
}
