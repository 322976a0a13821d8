package io.tokenvault.server.crypto;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.Configuration;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.Parameters;
import com.google.crypto.tink.aead.AeadConfig2026;
import com.google.crypto.tink.aead.PredefinedAeadParameters;
import com.google.crypto.tink.prf.PredefinedPrfParameters;
import com.google.crypto.tink.prf.PrfConfig2026;
import com.google.crypto.tink.prf.PrfSet;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.ports.crypto.MasterKeyId;
import io.tokenvault.server.json.JacksonJson;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The keys that everything else hangs on: those that wrap the keys of tenants (AES-256-GCM), and
 * those that hash API keys and proxy keys (HMAC-SHA-256). The file is JSON with two Tink keysets,
 * {@code master} and {@code key_hash}, in clear text or encrypted by a key management service; each
 * may hold several keys, of which the primary one is used for what is new. Who loses the file loses
 * the vault's content, and who reads it in clear text and the database reads everything.
 */
public final class MasterKeyset {

  private static final String MASTER = "master";
  private static final String KEY_HASH = "key_hash";
  private static final Configuration AEAD = AeadConfig2026.get();
  private static final Configuration PRF = PrfConfig2026.get();
  private static final JacksonJson JSON = new JacksonJson();

  private final KeysetHandle master;
  private final KeysetHandle keyHash;

  MasterKeyset(KeysetHandle master, KeysetHandle keyHash) {
    this.master = requireOnly(PredefinedAeadParameters.AES256_GCM, master);
    this.keyHash = requireOnly(PredefinedPrfParameters.HMAC_SHA256_PRF, keyHash);
  }

  private static KeysetHandle requireOnly(Parameters parameters, KeysetHandle keyset) {
    boolean only =
        entries(keyset).allMatch(entry -> entry.getKey().getParameters().equals(parameters));
    if (!only) {
      throw new IllegalArgumentException("a key is not of the kind that its keyset is for");
    }
    return keyset;
  }

  private static Stream<KeysetHandle.Entry> entries(KeysetHandle keyset) {
    return IntStream.range(0, keyset.size()).mapToObj(keyset::getAt);
  }

  /** New keys, kept in memory only. */
  static MasterKeyset generate() {
    try {
      return new MasterKeyset(
          KeysetHandle.generateNew(PredefinedAeadParameters.AES256_GCM, AEAD),
          KeysetHandle.generateNew(PredefinedPrfParameters.HMAC_SHA256_PRF, PRF));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("no master keyset can be made", e);
    }
  }

  /**
   * Makes new keys and writes them to a new file, readable by the owner only.
   *
   * @throws KeysetFileException if the file exists, or cannot be written
   */
  public static MasterKeyset create(Path file, KeysetProtection protection) {
    MasterKeyset made = generate();
    new KeysetStorage(file).create(made.content(file, protection));
    return made;
  }

  /**
   * @throws KeysetFileException if the file is missing, open to group or others, holds something
   *     else, or is not protected in this way
   */
  public static MasterKeyset load(Path file, KeysetProtection protection) {
    byte[] content = new KeysetStorage(file).read();
    try {
      JsonObject both = bothKeysets(content);
      protection
          .mismatch(both)
          .ifPresent(
              problem -> {
                throw new KeysetFileException(file, problem);
              });
      return read(both, protection);
    } catch (GeneralSecurityException e) {
      throw new KeysetFileException(file, protection.failure());
    } catch (ValidationException | IllegalArgumentException e) {
      throw new KeysetFileException(file, "is not a master keyset file");
    }
  }

  private static JsonObject bothKeysets(byte[] content) {
    if (JSON.read(content) instanceof JsonObject both
        && both.members().keySet().equals(Set.of(MASTER, KEY_HASH))) {
      return both;
    }
    throw new IllegalArgumentException("not the two keysets");
  }

  private static MasterKeyset read(JsonObject both, KeysetProtection protection)
      throws GeneralSecurityException {
    return new MasterKeyset(
        protection.read(MASTER, both.members().get(MASTER), AEAD),
        protection.read(KEY_HASH, both.members().get(KEY_HASH), PRF));
  }

  /**
   * Writes these keys, durably and at once, in the place of a file with others.
   *
   * @throws KeysetFileException if the file cannot be written
   */
  public void replace(Path file, KeysetProtection protection) {
    new KeysetStorage(file).replace(content(file, protection));
  }

  private byte[] content(Path file, KeysetProtection protection) {
    try {
      Map<String, JsonValue> both = new LinkedHashMap<>();
      both.put(MASTER, protection.write(MASTER, master, AEAD));
      both.put(KEY_HASH, protection.write(KEY_HASH, keyHash, PRF));
      return JSON.write(new JsonObject(both));
    } catch (GeneralSecurityException e) {
      throw new KeysetFileException(file, protection.failure());
    }
  }

  /** These and a new key in each keyset, which is known but not yet used for anything new. */
  public MasterKeyset withNewKey() {
    return new MasterKeyset(
        grown(master, PredefinedAeadParameters.AES256_GCM, AEAD),
        grown(keyHash, PredefinedPrfParameters.HMAC_SHA256_PRF, PRF));
  }

  private static KeysetHandle grown(
      KeysetHandle keyset, Parameters parameters, Configuration configuration) {
    KeysetHandle.Builder.Entry added =
        KeysetHandle.generateEntryFromParameters(parameters).withRandomId();
    return built(KeysetHandle.newBuilder(keyset).addEntry(added), configuration);
  }

  /** The same keys, of which the newest of each keyset is used from now on. */
  public MasterKeyset promoted() {
    return new MasterKeyset(newestFirst(master, AEAD), newestFirst(keyHash, PRF));
  }

  private static KeysetHandle newestFirst(KeysetHandle keyset, Configuration configuration) {
    KeysetHandle.Builder builder = KeysetHandle.newBuilder(keyset);
    builder.getAt(builder.size() - 1).makePrimary();
    return built(builder, configuration);
  }

  private static KeysetHandle built(KeysetHandle.Builder builder, Configuration configuration) {
    try {
      return builder.setConfiguration(configuration).build();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("no master keyset can be made", e);
    }
  }

  /** The master keys, the newest last. */
  public List<Integer> masterKeyIds() {
    return ids(master);
  }

  /** The master key that wraps what is new. */
  public int primaryMasterKeyId() {
    return master.getPrimary().getId();
  }

  /** The keys for hashes of API keys and proxy keys, the newest last. */
  public List<Integer> hashKeyIds() {
    return ids(keyHash);
  }

  private static List<Integer> ids(KeysetHandle keyset) {
    return entries(keyset).map(KeysetHandle.Entry::getId).toList();
  }

  /** Whether there are keys that were added and are not used for what is new yet. */
  public boolean hasUnpromotedKeys() {
    return isUnpromoted(master) || isUnpromoted(keyHash);
  }

  private static boolean isUnpromoted(KeysetHandle keyset) {
    return keyset.getAt(keyset.size() - 1).getId() != keyset.getPrimary().getId();
  }

  KeysetHandle handle(MasterKeyId.Use use) {
    return switch (use) {
      case WRAPPING -> master;
      case KEY_HASH -> keyHash;
    };
  }

  /** Wraps data keys under the primary key, and unwraps them under any. */
  Aead wrapping() {
    return wrapping(master);
  }

  static Aead wrapping(KeysetHandle keyset) {
    return primitive(keyset, AEAD, Aead.class);
  }

  /** One function for each enabled key. */
  PrfSet hashing() {
    return primitive(keyHash, PRF, PrfSet.class);
  }

  private static <P> P primitive(KeysetHandle keyset, Configuration configuration, Class<P> kind) {
    try {
      return keyset.getPrimitive(configuration, kind);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the master keyset cannot be used", e);
    }
  }

  @Override
  public String toString() {
    return "MasterKeyset[redacted]";
  }
}
