package io.tokenvault.server.crypto;

import com.google.crypto.tink.prf.Prf;
import com.google.crypto.tink.prf.PrfSet;
import io.tokenvault.domain.audit.integrity.LogTag;
import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.domain.secret.ProxyKey;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.crypto.CheckpointKeys;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.FieldBinding;
import io.tokenvault.ports.crypto.FieldCipher;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.crypto.KeyHasher;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.KeyWrapper;
import io.tokenvault.ports.crypto.LogKeys;
import io.tokenvault.ports.crypto.MasterKeys;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.crypto.TokenHash;
import io.tokenvault.ports.crypto.TokenHasher;
import io.tokenvault.ports.crypto.WrappedKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Delegates every cryptographic port to the current master keyset, and hashes API keys and proxy
 * keys by it.
 *
 * <p>Keys are hashed with HMAC-SHA-256 under every enabled hashing key. The input is the purpose
 * and the text of the key. The version of a hash is the id of its Tink key, which may be negative.
 * The first hash of a list is that of the primary key, so that a look-up can find records with an
 * older hash and replace it.
 *
 * <p>The keyset can be replaced while requests are running: each call uses exactly one keyset, the
 * old or the new one. Threads may share an instance.
 */
public final class CurrentKeys
    implements FieldCipher, KeyWrapper, KeyHasher, TokenHasher, LogKeys, CheckpointKeys {

  private static final int HASH_BYTES = 32;

  /** Purpose of an API key's hash. No purpose is a prefix of another. */
  private static final String API_KEY = "api-key:";

  private static final String PROXY_KEY = "proxy-key:";

  private volatile Keys keys;

  /** Starts with a keyset that was loaded and verified by the caller. */
  public CurrentKeys(MasterKeyset keyset) {
    this.keys = Keys.of(keyset);
  }

  /** Replaces the keyset; calls that start later use the new one. */
  public void use(MasterKeyset keyset) {
    keys = Keys.of(keyset);
  }

  /** Returns the ids and proofs of the current master keys, without the keys themselves. */
  public MasterKeys masterKeys() {
    return keys.masterKeys();
  }

  @Override
  public EncryptedValue encrypt(TenantKeys tenantKeys, FieldBinding field, SensitiveValue value) {
    return keys.fieldCipher().encrypt(tenantKeys, field, value);
  }

  @Override
  public SensitiveValue decrypt(
      TenantKeys tenantKeys, FieldBinding field, EncryptedValue ciphertext) {
    return keys.fieldCipher().decrypt(tenantKeys, field, ciphertext);
  }

  @Override
  public EncryptedValue reencrypt(
      TenantKeys tenantKeys, FieldBinding field, EncryptedValue ciphertext) {
    return keys.fieldCipher().reencrypt(tenantKeys, field, ciphertext);
  }

  @Override
  public WrappedKey create(TenantId tenantId, KeyPurpose purpose, int version) {
    return keys.wrapper().create(tenantId, purpose, version);
  }

  @Override
  public WrappedKey rewrap(TenantId tenantId, WrappedKey key) {
    return keys.wrapper().rewrap(tenantId, key);
  }

  @Override
  public int masterKeyId(WrappedKey key) {
    return keys.wrapper().masterKeyId(key);
  }

  @Override
  public List<KeyHash> hashes(ApiKey key) {
    return hashes(API_KEY, key.value());
  }

  @Override
  public List<KeyHash> hashes(ProxyKey key) {
    return hashes(PROXY_KEY, key.value());
  }

  private List<KeyHash> hashes(String purpose, SensitiveValue key) {
    Map<Integer, Prf> functions = keys.hashing();
    byte[] input = input(purpose, key);
    List<KeyHash> hashes = new ArrayList<>(functions.size());
    functions.forEach((version, function) -> hashes.add(hash(version, function, input)));
    return List.copyOf(hashes);
  }

  /** Returns the purpose followed by the key. Stored hashes depend on every byte of it. */
  private static byte[] input(String purpose, SensitiveValue key) {
    byte[] prefix = purpose.getBytes(StandardCharsets.US_ASCII);
    return ByteBuffer.allocate(prefix.length + key.size()).put(prefix).put(key.open()).array();
  }

  private static KeyHash hash(int version, Prf function, byte[] input) {
    try {
      return new KeyHash(version, function.compute(input, HASH_BYTES));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("hashing key " + version + " cannot be used", e);
    }
  }

  @Override
  public List<TokenHash> fingerprints(TenantKeys tenantKeys, TokenType type, String content) {
    return keys.tokenHasher().fingerprints(tenantKeys, type, content);
  }

  @Override
  public List<TokenHash> searchIndexes(TenantKeys tenantKeys, String content) {
    return keys.tokenHasher().searchIndexes(tenantKeys, content);
  }

  @Override
  public List<TokenHash> requests(TenantKeys tenantKeys, String content) {
    return keys.tokenHasher().requests(tenantKeys, content);
  }

  @Override
  public TokenHash fingerprint(TenantKeys tenantKeys, TokenType type, String content) {
    return keys.tokenHasher().fingerprint(tenantKeys, type, content);
  }

  @Override
  public TokenHash searchIndex(TenantKeys tenantKeys, String content) {
    return keys.tokenHasher().searchIndex(tenantKeys, content);
  }

  @Override
  public LogTag authenticate(LogKeys.Use use, byte[] content) {
    return keys.logKeys().authenticate(use, content);
  }

  @Override
  public boolean confirms(LogKeys.Use use, byte[] content, LogTag mac) {
    return keys.logKeys().confirms(use, content, mac);
  }

  @Override
  public LogTag sign(byte[] content) {
    return keys.logKeys().sign(content);
  }

  @Override
  public boolean confirmsSignature(byte[] content, LogTag signature) {
    return keys.logKeys().confirmsSignature(content, signature);
  }

  /**
   * The primitives that are derived from one keyset. They are replaced together.
   *
   * @param hashing the functions by key id, in an order that starts with the primary key
   */
  private record Keys(
      FieldCipher fieldCipher,
      TokenHasher tokenHasher,
      KeyWrapper wrapper,
      Map<Integer, Prf> hashing,
      TinkLogKeys logKeys,
      MasterKeys masterKeys) {

    /** Derives all primitives, so that a keyset that cannot be used is rejected as a whole. */
    static Keys of(MasterKeyset keyset) {
      TinkTenantCrypto tenantCrypto = new TinkTenantCrypto(keyset);
      return new Keys(
          tenantCrypto,
          tenantCrypto,
          new TinkKeyWrapper(keyset),
          hashing(keyset),
          new TinkLogKeys(keyset),
          keyset);
    }

    private static Map<Integer, Prf> hashing(MasterKeyset keyset) {
      try {
        PrfSet functions = keyset.hashing();
        Map<Integer, Prf> ordered = new LinkedHashMap<>();
        ordered.put(functions.getPrimaryId(), functions.getPrfs().get(functions.getPrimaryId()));
        ordered.putAll(functions.getPrfs());
        return ordered;
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("the keyset for key hashes cannot be used", e);
      }
    }
  }
}
