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

/** How keysets stand in their file: in clear text, or encrypted by a key management service. */
public final class KeysetProtection {

  private static final String ENCRYPTED = "encryptedKeyset";
  private static final JacksonJson JSON = new JacksonJson();

  private final Optional<Aead> service;

  private KeysetProtection(Optional<Aead> service) {
    this.service = service;
  }

  /** The file's permissions are all that protects it. */
  public static KeysetProtection clear() {
    return new KeysetProtection(Optional.empty());
  }

  /**
   * Returns the protection by a key of AWS KMS, with the credentials that AWS clients find; that of
   * {@link #clear} if no key is named.
   *
   * @throws ConfigurationException if it is not the URI of a key, or the AWS SDK is missing
   */
  public static KeysetProtection of(Optional<String> uri) {
    return uri.map(named -> by(aws(named))).orElseGet(KeysetProtection::clear);
  }

  private static Aead aws(String uri) {
    try {
      return AwsKmsAead.of(uri);
    } catch (NoClassDefFoundError missing) {
      throw unusable("needs the AWS SDK, which is not on the class path");
    } catch (RuntimeException refused) {
      // Without a cause: the client's own text may repeat more than the URI.
      throw unusable("is not the URI of a key that can be used");
    }
  }

  private static ConfigurationException unusable(String problem) {
    return new ConfigurationException(List.of(Setting.MASTER_KEY_URI.variable() + " " + problem));
  }

  /** Returns the protection by a key that does not leave its service. */
  static KeysetProtection by(Aead service) {
    return new KeysetProtection(Optional.of(service));
  }

  /**
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

  private static byte[] boundTo(String name) {
    return name.getBytes(StandardCharsets.US_ASCII);
  }

  /** What is wrong with keysets that stand in a file in the other way; empty if they do not. */
  Optional<String> mismatch(JsonObject keysets) {
    boolean encrypted = keysets.members().values().stream().anyMatch(KeysetProtection::isEncrypted);
    String setting = Setting.MASTER_KEY_URI.variable();
    if (encrypted && service.isEmpty()) {
      return Optional.of("is encrypted by a key management service: set " + setting);
    }
    if (!encrypted && service.isPresent()) {
      return Optional.of(
          "is not encrypted, but " + setting + " is set: unset it, or give the encrypted file");
    }
    return Optional.empty();
  }

  private static boolean isEncrypted(JsonValue keyset) {
    return keyset instanceof JsonObject object && object.members().containsKey(ENCRYPTED);
  }

  /** Why a file of the right form cannot be read or written, as far as that can be told. */
  String failure() {
    return service.isPresent()
        ? "cannot be used with the key in "
            + Setting.MASTER_KEY_URI.variable()
            + ": the service cannot be reached or refuses, or it is another key or another file"
        : "is not a master keyset file";
  }

  @Override
  public String toString() {
    return service.isPresent() ? "KeysetProtection[by KMS]" : "KeysetProtection[clear]";
  }
}
