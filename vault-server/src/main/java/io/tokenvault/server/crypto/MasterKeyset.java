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
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.KeyProof;
import io.tokenvault.ports.crypto.MasterKeyId;
import io.tokenvault.ports.crypto.MasterKeyId.Use;
import io.tokenvault.ports.crypto.MasterKeys;
import io.tokenvault.ports.crypto.WrappedKey;
import io.tokenvault.server.files.OwnerOnlyFile;
import io.tokenvault.server.json.JacksonJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The root keys of a vault: one keyset that wraps the keys of tenants (AES-256-GCM), and one that
 * hashes API keys and proxy keys (HMAC-SHA-256).
 *
 * <p>The file is JSON with two Tink keysets, {@code master} and {@code key_hash}, in clear text or
 * encrypted by a key management service. A keyset may hold several keys; the primary one is used
 * for new ciphertexts and hashes, the others only for existing ones. Rotation adds keys and
 * promotes them once all nodes have them:
 *
 * <pre>{@code
 * MasterKeyset present = MasterKeyset.load(file, protection);
 * present.withNewKey().replace(file, protection); // then copy the file to all nodes
 * MasterKeyset.load(file, protection).promoted().replace(file, protection);
 * }</pre>
 *
 * <p>As {@link MasterKeys}, it publishes ids and proofs, never keys. The proof of a wrapping key is
 * the encryption of an empty text. The proof of a hashing key is the hash of a text that is not an
 * API key or a proxy key.
 *
 * <p>Without the file the content of the vault is lost. Together with the database, a file in clear
 * text gives access to everything.
 */
public final class MasterKeyset implements MasterKeys {

  private static final String MASTER = "master";
  private static final String KEY_HASH = "key_hash";
  private static final int MAX_FILE_BYTES = 1 << 20;
  private static final Configuration AEAD = AeadConfig2026.get();
  private static final Configuration PRF = PrfConfig2026.get();
  private static final JacksonJson JSON = new JacksonJson();
  private static final int HASH_BYTES = 32;
  private static final byte[] NOTHING = {};
  private static final byte[] PROOF = "key-proof:".getBytes(StandardCharsets.US_ASCII);

  private final KeysetHandle master;
  private final KeysetHandle keyHash;

  MasterKeyset(KeysetHandle master, KeysetHandle keyHash) {
    this.master = requireOnly(PredefinedAeadParameters.AES256_GCM, master);
    this.keyHash = requireOnly(PredefinedPrfParameters.HMAC_SHA256_PRF, keyHash);
  }

  /**
   * Requires that all keys of a keyset have the given parameters.
   *
   * @throws IllegalArgumentException if one does not
   */
  private static KeysetHandle requireOnly(Parameters parameters, KeysetHandle keyset) {
    boolean only =
        entries(keyset).allMatch(entry -> entry.getKey().getParameters().equals(parameters));
    if (!only) {
      throw new IllegalArgumentException("a key does not match the purpose of its keyset");
    }
    return keyset;
  }

  private static Stream<KeysetHandle.Entry> entries(KeysetHandle keyset) {
    return IntStream.range(0, keyset.size()).mapToObj(keyset::getAt);
  }

  /** Generates new keys in memory. */
  static MasterKeyset generate() {
    try {
      return new MasterKeyset(
          KeysetHandle.generateNew(PredefinedAeadParameters.AES256_GCM, AEAD),
          KeysetHandle.generateNew(PredefinedPrfParameters.HMAC_SHA256_PRF, PRF));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot create a master keyset", e);
    }
  }

  /**
   * Generates new keys and writes them to a new file that only its owner can read.
   *
   * @throws KeysetFileException if the file exists or cannot be written
   */
  public static MasterKeyset create(Path file, KeysetProtection protection) {
    MasterKeyset created = generate();
    byte[] content = created.content(file, protection);
    try {
      new OwnerOnlyFile(file).create(out -> out.write(content));
      return created;
    } catch (FileAlreadyExistsException e) {
      throw new KeysetFileException(file, "exists already and is not overwritten");
    } catch (IOException | UnsupportedOperationException e) {
      throw new KeysetFileException(file, "cannot be written: " + reason(e));
    }
  }

  /**
   * Loads the keys of a file.
   *
   * @throws KeysetFileException if the file is missing, accessible to group or others, not a keyset
   *     file, or not protected in this way
   */
  public static MasterKeyset load(Path file, KeysetProtection protection) {
    byte[] content = read(file);
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

  /** Returns the content of a file that neither its group nor others have a permission on. */
  private static byte[] read(Path file) {
    try {
      if (OwnerOnlyFile.isOpenToOthers(file)) {
        throw new KeysetFileException(
            file, "is accessible to group or others; run: chmod 600 " + file);
      }
      if (!Files.isRegularFile(file) || Files.size(file) > MAX_FILE_BYTES) {
        throw new KeysetFileException(file, "is not a master keyset file");
      }
      return Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      throw new KeysetFileException(file, "does not exist");
    } catch (IOException | UnsupportedOperationException e) {
      throw new KeysetFileException(file, "cannot be read: " + reason(e));
    }
  }

  /** Returns the reason without the path, which the message has already. */
  private static String reason(Exception e) {
    if (e instanceof NoSuchFileException) {
      return "its directory does not exist";
    }
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    String reason = e instanceof FileSystemException problem ? problem.getReason() : e.getMessage();
    return reason == null ? e.getClass().getSimpleName() : reason;
  }

  /** Parses the file, which must have exactly the two expected properties. */
  private static JsonObject bothKeysets(byte[] content) {
    if (JSON.read(content) instanceof JsonObject both
        && both.properties().keySet().equals(Set.of(MASTER, KEY_HASH))) {
      return both;
    }
    throw new IllegalArgumentException("not the two keysets");
  }

  private static MasterKeyset read(JsonObject both, KeysetProtection protection)
      throws GeneralSecurityException {
    return new MasterKeyset(
        protection.read(MASTER, both.properties().get(MASTER), AEAD),
        protection.read(KEY_HASH, both.properties().get(KEY_HASH), PRF));
  }

  /**
   * Writes these keys in place of those in the file, durably and atomically.
   *
   * @throws KeysetFileException if the file cannot be written
   */
  public void replace(Path file, KeysetProtection protection) {
    byte[] content = content(file, protection);
    try {
      new OwnerOnlyFile(file).replace(content);
    } catch (IOException | UnsupportedOperationException e) {
      throw new KeysetFileException(file, "cannot be written: " + reason(e));
    }
  }

  /**
   * Returns the bytes of the file.
   *
   * @param file names the file in the message of a failure
   */
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

  /**
   * Returns these keys and a new one in each keyset. New ciphertexts and hashes do not use it yet,
   * so that it can be distributed to all nodes first.
   */
  public MasterKeyset withNewKey() {
    return new MasterKeyset(
        withAddedKey(master, PredefinedAeadParameters.AES256_GCM, AEAD),
        withAddedKey(keyHash, PredefinedPrfParameters.HMAC_SHA256_PRF, PRF));
  }

  /** Returns a keyset with one more key, which is not primary and has a random id. */
  private static KeysetHandle withAddedKey(
      KeysetHandle keyset, Parameters parameters, Configuration configuration) {
    KeysetHandle.Builder.Entry added =
        KeysetHandle.generateEntryFromParameters(parameters).withRandomId();
    return build(KeysetHandle.newBuilder(keyset).addEntry(added), configuration);
  }

  /** Returns identical keys with the newest key of each keyset as its primary. */
  public MasterKeyset promoted() {
    return new MasterKeyset(withNewestPrimary(master, AEAD), withNewestPrimary(keyHash, PRF));
  }

  /** Returns a keyset whose last key is primary. The order of the keys does not change. */
  private static KeysetHandle withNewestPrimary(KeysetHandle keyset, Configuration configuration) {
    KeysetHandle.Builder builder = KeysetHandle.newBuilder(keyset);
    builder.getAt(builder.size() - 1).makePrimary();
    return build(builder, configuration);
  }

  private static KeysetHandle build(KeysetHandle.Builder builder, Configuration configuration) {
    try {
      return builder.setConfiguration(configuration).build();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot create a master keyset", e);
    }
  }

  /** Returns whether there are added keys that were not promoted yet. */
  public boolean hasUnpromotedKeys() {
    return isUnpromoted(master) || isUnpromoted(keyHash);
  }

  /** Returns whether the newest key is not the primary one. */
  private static boolean isUnpromoted(KeysetHandle keyset) {
    return keyset.getAt(keyset.size() - 1).getId() != keyset.getPrimary().getId();
  }

  @Override
  public Set<MasterKeyId> ids() {
    return Stream.of(Use.values())
        .flatMap(use -> entries(keyset(use)).map(entry -> new MasterKeyId(use, entry.getId())))
        .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public MasterKeyId primary(Use use) {
    return new MasterKeyId(use, keyset(use).getPrimary().getId());
  }

  private KeysetHandle keyset(Use use) {
    return switch (use) {
      case WRAPPING -> master;
      case KEY_HASH -> keyHash;
    };
  }

  /** Returns the primitive that wraps with the primary key and unwraps with any. */
  Aead wrapping() {
    return primitive(master, AEAD, Aead.class);
  }

  /** Returns the hash functions, one for each enabled key. */
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
  public KeyProof prove(MasterKeyId key) {
    try {
      return new KeyProof(key, isHashing(key) ? hash(key) : aeadOf(key).encrypt(NOTHING, PROOF));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot create a proof of the key " + key, e);
    }
  }

  @Override
  public boolean confirms(KeyProof proof) {
    try {
      return isHashing(proof.key())
          ? MessageDigest.isEqual(hash(proof.key()), proof.proof())
          : aeadOf(proof.key()).decrypt(proof.proof(), PROOF).length == 0;
    } catch (GeneralSecurityException anotherKey) {
      return false;
    }
  }

  private static boolean isHashing(MasterKeyId key) {
    return key.use() == Use.KEY_HASH;
  }

  /** Returns the proof of a hashing key. */
  private byte[] hash(MasterKeyId key) throws GeneralSecurityException {
    return hashing().getPrfs().get(key.id()).compute(PROOF, HASH_BYTES);
  }

  /**
   * Returns a primitive that knows this key only, so that no other key can confirm its proof.
   *
   * @throws GeneralSecurityException if the keyset does not have the key
   */
  private Aead aeadOf(MasterKeyId id) throws GeneralSecurityException {
    KeysetHandle.Entry entry =
        entries(master)
            .filter(each -> each.getId() == id.id())
            .findFirst()
            .orElseThrow(() -> new GeneralSecurityException("the keyset does not have that key"));
    KeysetHandle.Builder.Entry only =
        KeysetHandle.importKey(entry.getKey()).withFixedId(id.id()).makePrimary();
    return primitive(KeysetHandle.newBuilder().addEntry(only).build(), AEAD, Aead.class);
  }

  @Override
  public boolean unwraps(TenantId tenantId, WrappedKey key) {
    try {
      TinkKeyWrapper.unwrap(wrapping(), tenantId, key);
      return true;
    } catch (GeneralSecurityException anotherKey) {
      return false;
    }
  }

  @Override
  public MasterKeyId wrapping(WrappedKey key) {
    return new MasterKeyId(Use.WRAPPING, TinkKeyWrapper.wrappingKeyId(key));
  }

  @Override
  public String toString() {
    return "MasterKeyset[redacted]";
  }

  /**
   * Reports that the master keyset file cannot be used. The message names the file and what to do
   * about it, but never any content of the file.
   */
  public static final class KeysetFileException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    KeysetFileException(Path file, String problem) {
      super("master keyset file " + file + " " + problem);
    }
  }
}
