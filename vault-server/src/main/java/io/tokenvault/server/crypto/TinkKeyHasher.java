package io.tokenvault.server.crypto;

import com.google.crypto.tink.prf.Prf;
import com.google.crypto.tink.prf.PrfSet;
import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.domain.secret.ProxyKey;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.crypto.KeyHasher;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Hashes API keys and proxy keys with HMAC-SHA-256 under every enabled key of the master keyset.
 *
 * <p>The input is the purpose and the text of the key. The version of a hash is the id of its Tink
 * key, which may be negative. The first hash of a list is that of the primary key, so that a
 * look-up can find records with an older hash and replace it.
 */
public final class TinkKeyHasher implements KeyHasher {

  private static final int HASH_BYTES = 32;

  /** Purpose of an API key's hash. No purpose is a prefix of another. */
  private static final String API_KEY = "api-key:";

  private static final String PROXY_KEY = "proxy-key:";

  private final Map<Integer, Prf> functions;

  /**
   * Creates a hasher for the enabled hashing keys of a keyset.
   *
   * @throws IllegalStateException if the keyset cannot be used
   */
  public TinkKeyHasher(MasterKeyset keyset) {
    try {
      this.functions = primaryFirst(keyset.hashing());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the keyset for key hashes cannot be used", e);
    }
  }

  /** Returns the functions by key id, in an order that starts with the primary key. */
  private static Map<Integer, Prf> primaryFirst(PrfSet set) throws GeneralSecurityException {
    Map<Integer, Prf> ordered = new LinkedHashMap<>();
    ordered.put(set.getPrimaryId(), set.getPrfs().get(set.getPrimaryId()));
    ordered.putAll(set.getPrfs());
    return ordered;
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
}
