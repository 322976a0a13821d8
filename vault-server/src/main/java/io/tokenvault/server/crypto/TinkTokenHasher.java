package io.tokenvault.server.crypto;

import com.google.crypto.tink.prf.PrfSet;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.crypto.TokenHash;
import io.tokenvault.ports.crypto.TokenHasher;
import io.tokenvault.ports.crypto.WrappedKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.List;

/**
 * HMAC-SHA-256 under the tenant's keys for hashes, over the purpose, the type and the text. The
 * first two are names of ours behind their lengths; the text is all that follows, as its UTF-16
 * units, so that no two texts have the same bytes, not even if they are not well formed.
 *
 * <p>What is stored depends on every byte of this.
 */
public final class TinkTokenHasher implements TokenHasher {

  private static final int HASH_BYTES = 32;
  private static final int KEYS_IN_MEMORY = 2000;
  private static final String ANY_TYPE = "";

  /** No type of tokens is called so. */
  private static final String REQUEST = "request";

  private final UnwrappedKeys<PrfSet> functions;

  public TinkTokenHasher(MasterKeyset keyset) {
    this(keyset, KEYS_IN_MEMORY);
  }

  /**
   * @param keysInMemory how many keys stay unwrapped
   */
  TinkTokenHasher(MasterKeyset keyset, int keysInMemory) {
    this.functions = new UnwrappedKeys<>(keyset.wrapping(), PrfSet.class, keysInMemory);
  }

  /**
   * @throws IllegalStateException if the tenant has no key for this, or one does not unwrap
   */
  @Override
  public List<TokenHash> fingerprints(TenantKeys keys, TokenType type, String content) {
    return hashes(keys, KeyPurpose.FINGERPRINT, type.value(), content);
  }

  /**
   * @throws IllegalStateException if the tenant has no key for this, or one does not unwrap
   */
  @Override
  public List<TokenHash> searchIndexes(TenantKeys keys, String content) {
    return hashes(keys, KeyPurpose.SEARCH_INDEX, ANY_TYPE, content);
  }

  /**
   * @throws IllegalStateException if the tenant has no key for this, or one does not unwrap
   */
  @Override
  public List<TokenHash> requests(TenantKeys keys, String content) {
    return hashes(keys, KeyPurpose.FINGERPRINT, REQUEST, content);
  }

  @Override
  public TokenHash fingerprint(TenantKeys keys, TokenType type, String content) {
    byte[] input = input(KeyPurpose.FINGERPRINT, type.value(), content);
    return hash(keys.tenantId(), keys.current(KeyPurpose.FINGERPRINT), input);
  }

  @Override
  public TokenHash searchIndex(TenantKeys keys, String content) {
    byte[] input = input(KeyPurpose.SEARCH_INDEX, ANY_TYPE, content);
    return hash(keys.tenantId(), keys.current(KeyPurpose.SEARCH_INDEX), input);
  }

  private List<TokenHash> hashes(TenantKeys keys, KeyPurpose purpose, String type, String content) {
    List<WrappedKey> versions = keys.versions(purpose);
    if (versions.isEmpty()) {
      throw new IllegalStateException("the tenant has no " + purpose + " key");
    }
    byte[] input = input(purpose, type, content);
    return versions.stream().map(key -> hash(keys.tenantId(), key, input)).toList();
  }

  private TokenHash hash(TenantId tenantId, WrappedKey key, byte[] input) {
    try {
      byte[] hash = functions.unwrap(tenantId, key).computePrimary(input, HASH_BYTES);
      return new TokenHash(key.version(), HexFormat.of().formatHex(hash));
    } catch (GeneralSecurityException e) {
      throw UnwrappedKeys.unusable(key);
    }
  }

  private static byte[] input(KeyPurpose purpose, String type, String content) {
    byte[] label = purpose.value().getBytes(StandardCharsets.US_ASCII);
    byte[] kind = type.getBytes(StandardCharsets.US_ASCII);
    ByteBuffer input =
        ByteBuffer.allocate(
            2 * Integer.BYTES + label.length + kind.length + content.length() * Character.BYTES);
    input.putInt(label.length).put(label).putInt(kind.length).put(kind);
    input.asCharBuffer().put(content);
    return input.array();
  }
}
