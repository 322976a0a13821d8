package io.tokenvault.server.crypto;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.Configuration;
import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.Parameters;
import com.google.crypto.tink.TinkJsonProtoKeysetFormat;
import com.google.crypto.tink.aead.AeadConfig2026;
import com.google.crypto.tink.aead.PredefinedAeadParameters;
import com.google.crypto.tink.prf.PredefinedPrfParameters;
import com.google.crypto.tink.prf.PrfConfig2026;
import com.google.crypto.tink.prf.PrfSet;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.server.json.JacksonJson;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The keys that everything else hangs on: those that wrap the data keys of tenants (AES-256-GCM),
 * and those that hash API keys and proxy keys (HMAC-SHA-256). The file is JSON with two Tink
 * keysets in clear text, {@code master} and {@code key_hash}; each may hold several keys, of which
 * the primary one is used for what is new. Who loses the file loses the vault's content, and who
 * reads it and the database reads everything.
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
  public static MasterKeyset create(Path file) {
    MasterKeyset made = generate();
    made.writeTo(file);
    return made;
  }

  /**
   * @throws KeysetFileException if the file is missing, open to group or others, or holds something
   *     else
   */
  public static MasterKeyset load(Path file) {
    byte[] content = new KeysetStorage(file).read();
    try {
      return parse(content);
    } catch (GeneralSecurityException | ValidationException | IllegalArgumentException e) {
      throw new KeysetFileException(file, "is not a master keyset file");
    }
  }

  private static MasterKeyset parse(byte[] content) throws GeneralSecurityException {
    if (JSON.read(content) instanceof JsonObject both
        && both.members().keySet().equals(Set.of(MASTER, KEY_HASH))) {
      return new MasterKeyset(
          keyset(both.members().get(MASTER), AEAD), keyset(both.members().get(KEY_HASH), PRF));
    }
    throw new IllegalArgumentException("not the two keysets");
  }

  private static KeysetHandle keyset(JsonValue json, Configuration configuration)
      throws GeneralSecurityException {
    String text = new String(JSON.write(json), StandardCharsets.UTF_8);
    return TinkJsonProtoKeysetFormat.parseKeyset(
        text, configuration, InsecureSecretKeyAccess.get());
  }

  void writeTo(Path file) {
    try {
      Map<String, JsonValue> both = new LinkedHashMap<>();
      both.put(MASTER, json(master, AEAD));
      both.put(KEY_HASH, json(keyHash, PRF));
      new KeysetStorage(file).create(JSON.write(new JsonObject(both)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the master keyset cannot be written out", e);
    }
  }

  private static JsonValue json(KeysetHandle keyset, Configuration configuration)
      throws GeneralSecurityException {
    String text =
        TinkJsonProtoKeysetFormat.serializeKeyset(
            keyset, configuration, InsecureSecretKeyAccess.get());
    return JSON.read(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Wraps data keys under the primary key, and unwraps them under any. */
  Aead wrapping() {
    return primitive(master, AEAD, Aead.class);
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
