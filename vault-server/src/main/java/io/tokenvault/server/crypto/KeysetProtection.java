package io.tokenvault.server.crypto;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.Configuration;
import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.TinkJsonProtoKeysetFormat;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.server.config.ConfigurationException;
import io.tokenvault.server.config.Setting;
import io.tokenvault.server.json.JacksonJson;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Optional;

/**
 * The protection of keysets in their file: clear text, or encryption by a key management service.
 *
 * <p>A file is read only with the protection that it was written with; {@link #mismatch} finds the
 * difference.
 */
public final class KeysetProtection {

  private static final String ENCRYPTED = "encryptedKeyset";
  private static final JacksonJson JSON = new JacksonJson();

  private final Optional<Aead> service;

  private KeysetProtection(Optional<Aead> service) {
    this.service = service;
  }

  /** Returns the protection by file permissions alone: the keysets are stored in clear text. */
  public static KeysetProtection clear() {
    return new KeysetProtection(Optional.empty());
  }

  /**
   * Returns the protection by a key of AWS KMS, or {@link #clear} if no key is configured.
   *
   * <p>Credentials are found by the default provider chain of the AWS SDK. The service is not
   * called.
   *
   * @throws ConfigurationException if the URI does not name a key, or the AWS SDK is missing
   */
  public static KeysetProtection of(Optional<String> uri) {
    return uri.map(named -> by(aws(named))).orElseGet(KeysetProtection::clear);
  }

  /** Creates the client; a missing AWS SDK is reported as a problem of the setting. */
  private static Aead aws(String uri) {
    try {
      return AwsKmsAead.of(uri);
    } catch (NoClassDefFoundError missing) {
      throw unusable("needs the AWS SDK, which is not on the class path");
    } catch (RuntimeException refused) {
      // No cause is attached, because the message of the client may repeat more than the URI.
      throw unusable("is not a valid key URI");
    }
  }

  private static ConfigurationException unusable(String problem) {
    return new ConfigurationException(List.of(Setting.MASTER_KEY_URI.variable() + " " + problem));
  }

  /** Returns the protection by a key that never leaves its service. */
  static KeysetProtection by(Aead service) {
    return new KeysetProtection(Optional.of(service));
  }

  /**
   * Serializes a keyset in Tink's JSON format and encrypts it if a service protects it.
   *
   * @param name the name of the keyset in its file, to which the ciphertext is bound
   * @throws GeneralSecurityException if the service does not encrypt it
   */
  JsonValue write(String name, KeysetHandle keyset, Configuration configuration)
      throws GeneralSecurityException {
    String text =
        service.isPresent()
            ? TinkJsonProtoKeysetFormat.serializeEncryptedKeyset(
                keyset, service.get(), boundTo(name), configuration)
            : TinkJsonProtoKeysetFormat.serializeKeyset(
                keyset, configuration, InsecureSecretKeyAccess.get());
    return JSON.read(text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Parses a keyset that {@link #write} returned.
   *
   * @param name the name that the keyset was written under
   * @throws GeneralSecurityException if it is not a keyset, was written under another name, or the
   *     service does not decrypt it
   */
  KeysetHandle read(String name, JsonValue keyset, Configuration configuration)
      throws GeneralSecurityException {
    String text = new String(JSON.write(keyset), StandardCharsets.UTF_8);
    return service.isPresent()
        ? TinkJsonProtoKeysetFormat.parseEncryptedKeyset(
            text, service.get(), boundTo(name), configuration)
        : TinkJsonProtoKeysetFormat.parseKeyset(text, configuration, InsecureSecretKeyAccess.get());
  }

  /** Returns the associated data, which prevents that the two keysets of a file are exchanged. */
  private static byte[] boundTo(String name) {
    return name.getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns the problem of keysets that are protected in the other way; empty if there is none. */
  Optional<String> mismatch(JsonObject keysets) {
    boolean encrypted =
        keysets.properties().values().stream().anyMatch(KeysetProtection::isEncrypted);
    String setting = Setting.MASTER_KEY_URI.variable();
    if (encrypted && service.isEmpty()) {
      return Optional.of("is encrypted with a key management service: set " + setting);
    }
    if (!encrypted && service.isPresent()) {
      return Optional.of(
          "is not encrypted, but " + setting + " is set: unset it, or use the encrypted file");
    }
    return Optional.empty();
  }

  private static boolean isEncrypted(JsonValue keyset) {
    return keyset instanceof JsonObject object && object.properties().containsKey(ENCRYPTED);
  }

  /** Returns the likely reason why a well-formed file cannot be read or written. */
  String failure() {
    return service.isPresent()
        ? "cannot be used with the key in "
            + Setting.MASTER_KEY_URI.variable()
            + ": the service is unreachable or refuses, or the key or the file is another one"
        : "is not a master keyset file";
  }

  @Override
  public String toString() {
    return service.isPresent() ? "KeysetProtection[by KMS]" : "KeysetProtection[clear]";
  }
}
