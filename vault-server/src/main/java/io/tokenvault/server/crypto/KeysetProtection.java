package io.tokenvault.server.crypto;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.Configuration;
import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.KmsClient;
import com.google.crypto.tink.TinkJsonProtoKeysetFormat;
import com.google.crypto.tink.integration.awskms.AwsKmsClient;
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
   * By the key of AWS KMS that is named, with the credentials that are found as AWS clients do it;
   * in clear text if none is.
   *
   * @throws ConfigurationException if it is not the URI of a key
   */
  public static KeysetProtection of(Optional<String> uri) {
    return uri.map(named -> by(aws(), named)).orElseGet(KeysetProtection::clear);
  }

  private static KmsClient aws() {
    try {
      return new AwsKmsClient().withDefaultCredentials();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the client of AWS KMS cannot be used", e);
    }
  }

  /**
   * By a key that does not leave its service.
   *
   * @throws ConfigurationException if the client does not take the URI
   */
  static KeysetProtection by(KmsClient client, String uri) {
    try {
      if (client.doesSupport(uri)) {
        return new KeysetProtection(Optional.of(new RemoteAead(client.getAead(uri))));
      }
    } catch (GeneralSecurityException | RuntimeException refused) {
      // Told below: the client's own text may repeat more than the URI.
    }
    throw new ConfigurationException(
        List.of(Setting.MASTER_KEY_URI.variable() + " is not the URI of a key that can be used"));
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

  /** Client libraries throw what they like when the network fails. */
  private record RemoteAead(Aead remote) implements Aead {

    @Override
    public byte[] encrypt(byte[] plaintext, byte[] boundTo) throws GeneralSecurityException {
      try {
        return remote.encrypt(plaintext, boundTo);
      } catch (RuntimeException e) {
        throw new GeneralSecurityException("the key management service failed", e);
      }
    }

    @Override
    public byte[] decrypt(byte[] ciphertext, byte[] boundTo) throws GeneralSecurityException {
      try {
        return remote.decrypt(ciphertext, boundTo);
      } catch (RuntimeException e) {
        throw new GeneralSecurityException("the key management service failed", e);
      }
    }
  }
}
