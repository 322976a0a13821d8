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
 * Hashes token data with HMAC-SHA-256 under the hash keys of the tenant.
 *
 * <p>The input is the purpose, the type and the text. Purpose and type are constants of this
 * program, each after its length; the text follows as its UTF-16 units. Two different texts
 * therefore never have an identical input, even if they are not well-formed.
 *
 * <p>Stored fingerprints and search indexes depend on every byte of this encoding.
 */
public final class TinkTokenHasher implements TokenHasher {

  private static final int HASH_BYTES = 32;
  private static final int KEYS_IN_MEMORY = 2000;
  private static final String ANY_TYPE = "";

  /** Type of request hashes. No token type has this name. */
  private static final String REQUEST = "request";

  private final UnwrappedKeys<PrfSet> functions;

  public TinkTokenHasher(MasterKeyset keyset) {
    this(keyset, KEYS_IN_MEMORY);
  }

  /**
   * Creates a hasher with a cache of the given size.
   *
   * @param keysInMemory the number of keys that stay unwrapped
   */
  TinkTokenHasher(MasterKeyset keyset, int keysInMemory) {
    this.functions = new UnwrappedKeys<>(keyset.wrapping(), PrfSet.class, keysInMemory);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if the tenant has no fingerprint key, or one cannot be unwrapped
   */
  @Override
  public List<TokenHash> fingerprints(TenantKeys keys, TokenType type, String content) {
    return hashes(keys, KeyPurpose.FINGERPRINT, type.value(), content);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if the tenant has no index key, or one cannot be unwrapped
   */
  @Override
  public List<TokenHash> searchIndexes(TenantKeys keys, String content) {
    return hashes(keys, KeyPurpose.SEARCH_INDEX, ANY_TYPE, content);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if the tenant has no fingerprint key, or one cannot be unwrapped
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

  /** Returns the hashes under all versions of the tenant's key for the purpose. */
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

  /** Encodes the input of the hash. Stored hashes depend on this encoding. */
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
