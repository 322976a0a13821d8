package io.tokenvault.server.crypto;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import com.google.crypto.tink.Aead;
import com.google.crypto.tink.prf.PrfSet;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.FieldBinding;
import io.tokenvault.ports.crypto.FieldCipher;
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
 * Encrypts fields with AES-256-GCM and hashes token data with HMAC-SHA-256, under the keys of their
 * tenant.
 *
 * <p>Each ciphertext is bound to tenant, record and field by {@linkplain AssociatedData associated
 * data}.
 *
 * <p>The input of a hash is the purpose, the type and the text. Purpose and type are constants of
 * this program, each after its length; the text follows as its UTF-16 units. Two different texts
 * therefore never have an identical input, even if they are not well-formed. Stored fingerprints
 * and search indexes depend on every byte of this encoding.
 *
 * <p>Without a key of the tenant for the purpose, or with one that cannot be unwrapped, methods
 * throw an {@link IllegalStateException}.
 *
 * <p>Up to 1,000 unwrapped data keys and 2,000 hash keys are cached. Threads may share an instance.
 */
public final class TinkTenantCrypto implements FieldCipher, TokenHasher {

  private static final int DATA_KEYS_CACHED = 1000;
  private static final int HASH_KEYS_CACHED = 2000;
  private static final int HASH_BYTES = 32;
  private static final String ANY_TYPE = "";

  /** Type of request hashes. No token type has this name. */
  private static final String REQUEST = "request";

  private final Aead master;
  private final LoadingCache<CacheKey, Aead> dataKeys;
  private final LoadingCache<CacheKey, PrfSet> hashKeys;

  public TinkTenantCrypto(MasterKeyset keyset) {
    this(keyset, DATA_KEYS_CACHED, HASH_KEYS_CACHED);
  }

  /**
   * Creates an instance with caches of the given sizes.
   *
   * @param dataKeysCached the number of data keys that stay unwrapped
   * @param hashKeysCached the number of hash keys that stay unwrapped
   */
  TinkTenantCrypto(MasterKeyset keyset, int dataKeysCached, int hashKeysCached) {
    this.master = keyset.wrapping();
    this.dataKeys = cache(Aead.class, dataKeysCached);
    this.hashKeys = cache(PrfSet.class, hashKeysCached);
  }

  /** Returns a cache that unwraps a key once, also for concurrent requests. */
  private <P> LoadingCache<CacheKey, P> cache(Class<P> primitive, int capacity) {
    return Caffeine.newBuilder()
        .maximumSize(capacity)
        .executor(Runnable::run)
        .build(key -> unwrap(key, primitive));
  }

  /**
   * Unwraps a key that is not cached.
   *
   * @throws IllegalStateException if the key cannot be unwrapped or is of another kind
   */
  private <P> P unwrap(CacheKey cached, Class<P> primitive) {
    try {
      return TinkKeyWrapper.unwrap(master, cached.tenantId(), cached.key())
          .getPrimitive(TinkKeyWrapper.configuration(cached.key().purpose()), primitive);
    } catch (GeneralSecurityException e) {
      throw TinkKeyWrapper.unusable(cached.key());
    }
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if the keys are those of another tenant
   */
  @Override
  public EncryptedValue encrypt(TenantKeys keys, FieldBinding field, SensitiveValue value) {
    if (!keys.tenantId().equals(field.tenantId())) {
      throw new IllegalArgumentException("the keys are those of another tenant");
    }
    WrappedKey current = keys.current(KeyPurpose.DATA);
    Aead dataKey = unwrap(keys, current, field);
    try {
      byte[] ciphertext = dataKey.encrypt(value.open(), AssociatedData.of(field));
      return new EncryptedValue(current.version(), ciphertext);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(name(field, current.version()) + " cannot be encrypted", e);
    }
  }

  @Override
  public SensitiveValue decrypt(TenantKeys keys, FieldBinding field, EncryptedValue encrypted) {
    return decryptWithDataKey(keys, field, encrypted);
  }

  @Override
  public EncryptedValue reencrypt(TenantKeys keys, FieldBinding field, EncryptedValue encrypted) {
    return encrypt(keys, field, decryptWithDataKey(keys, field, encrypted));
  }

  private SensitiveValue decryptWithDataKey(
      TenantKeys keys, FieldBinding field, EncryptedValue encrypted) {
    WrappedKey key =
        keys.version(KeyPurpose.DATA, encrypted.keyVersion())
            .orElseThrow(() -> broken(field, encrypted, "the tenant has no key of that version"));
    Aead dataKey = unwrap(keys, key, field);
    try {
      return SensitiveValue.of(dataKey.decrypt(encrypted.ciphertext(), AssociatedData.of(field)));
    } catch (GeneralSecurityException e) {
      throw broken(field, encrypted, "it was changed, moved, or encrypted under another key");
    }
  }

  /** Unwraps a data key; the message of a failure names the field but none of its content. */
  private Aead unwrap(TenantKeys keys, WrappedKey key, FieldBinding field) {
    try {
      return dataKeys.get(new CacheKey(keys.tenantId(), key));
    } catch (IllegalStateException unusable) {
      throw new IllegalStateException(
          name(field, key.version())
              + " has no usable data key: it was changed, moved, or wrapped under another master"
              + " keyset");
    }
  }

  /**
   * Returns the failure for a ciphertext that cannot be decrypted. It names the field and the key
   * version, never data.
   */
  private static IllegalStateException broken(
      FieldBinding field, EncryptedValue encrypted, String why) {
    return new IllegalStateException(
        name(field, encrypted.keyVersion()) + " cannot be decrypted: " + why);
  }

  private static String name(FieldBinding field, int version) {
    return "encrypted " + field.kind() + " " + field.field() + " (key version " + version + ")";
  }

  @Override
  public List<TokenHash> fingerprints(TenantKeys keys, TokenType type, String content) {
    return hashes(keys, KeyPurpose.FINGERPRINT, type.value(), content);
  }

  @Override
  public List<TokenHash> searchIndexes(TenantKeys keys, String content) {
    return hashes(keys, KeyPurpose.SEARCH_INDEX, ANY_TYPE, content);
  }

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
      byte[] hash = hashKeys.get(new CacheKey(tenantId, key)).computePrimary(input, HASH_BYTES);
      return new TokenHash(key.version(), HexFormat.of().formatHex(hash));
    } catch (GeneralSecurityException e) {
      throw TinkKeyWrapper.unusable(key);
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

  /**
   * A key of the caches. It contains the wrapped bytes, so a key that was replaced or rewrapped is
   * never used once callers pass its new form.
   */
  private record CacheKey(TenantId tenantId, WrappedKey key) {}

  /**
   * Encodes the associated data that binds a ciphertext to its place.
   *
   * <p>The bytes hold the version of this format, the kind of the ciphertext, the tenant and the
   * remaining parts; each text is UTF-8 after its length. Two different places never have identical
   * bytes, so a ciphertext that was moved does not decrypt.
   *
   * <p>Every stored ciphertext depends on every byte of this encoding. A change needs a new version
   * beside the old one.
   */
  static final class AssociatedData {

    private static final byte FORMAT = 1;
    private static final byte DATA_KEY = 1;
    private static final byte FIELD = 2;
    private static final byte FINGERPRINT_KEY = 3;
    private static final byte SEARCH_INDEX_KEY = 4;
    private static final int START_BYTES = 2 + 2 * Long.BYTES;

    private AssociatedData() {}

    /**
     * Returns the associated data of a tenant's wrapped key.
     *
     * @param version the version of the key, which increases with each rotation
     */
    static byte[] ofKey(TenantId tenantId, KeyPurpose purpose, int version) {
      return start(kind(purpose), tenantId, Integer.BYTES).putInt(version).array();
    }

    /** Returns the byte that distinguishes keys of different purposes. */
    private static byte kind(KeyPurpose purpose) {
      return switch (purpose) {
        case DATA -> DATA_KEY;
        case FINGERPRINT -> FINGERPRINT_KEY;
        case SEARCH_INDEX -> SEARCH_INDEX_KEY;
      };
    }

    /**
     * Returns the associated data of an encrypted field.
     *
     * @throws IllegalArgumentException if a part of the field's name cannot be encoded in UTF-8
     */
    static byte[] of(FieldBinding field) {
      byte[] kind = utf8(field.kind());
      byte[] recordId = utf8(field.recordId());
      byte[] name = utf8(field.field());
      int length = 3 * Integer.BYTES + kind.length + recordId.length + name.length;
      ByteBuffer data = start(FIELD, field.tenantId(), length);
      data.putInt(kind.length).put(kind);
      data.putInt(recordId.length).put(recordId);
      return data.putInt(name.length).put(name).array();
    }

    /** Returns a buffer with the common start: format version, kind and tenant. */
    private static ByteBuffer start(byte kind, TenantId tenantId, int restBytes) {
      return ByteBuffer.allocate(START_BYTES + restBytes)
          .put(FORMAT)
          .put(kind)
          .putLong(tenantId.value().getMostSignificantBits())
          .putLong(tenantId.value().getLeastSignificantBits());
    }

    /** Encodes a text strictly: a lone surrogate has no UTF-8 form. */
    private static byte[] utf8(String text) {
      int character;
      for (int i = 0; i < text.length(); i += Character.charCount(character)) {
        character = text.codePointAt(i);
        if (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE) {
          throw new IllegalArgumentException("the name of an encrypted field has a lone surrogate");
        }
      }
      return text.getBytes(StandardCharsets.UTF_8);
    }
  }
}
