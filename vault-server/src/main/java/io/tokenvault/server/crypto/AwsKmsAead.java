package io.tokenvault.server.crypto;

import com.google.crypto.tink.Aead;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.Map;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.kms.KmsClient;
import software.amazon.awssdk.services.kms.model.DecryptResponse;

/**
 * Encrypts and decrypts with a key that never leaves AWS KMS.
 *
 * <p>The associated data is sent in hexadecimal digits as the encryption context {@code
 * associatedData}, as Tink's own client does, so that each can decrypt the other's ciphertexts.
 * Every call is a network request.
 *
 * <p>This is the only class that refers to the AWS SDK. The SDK is optional at run time unless a
 * key of AWS KMS is configured.
 */
final class AwsKmsAead implements Aead {

  private static final String PREFIX = "aws-kms://";
  private static final String CONTEXT = "associatedData";
  private static final int ARN_PARTS = 6;
  private static final int REGION = 3;
  private static final int RESOURCE = 5;

  private final KmsClient client;
  private final String keyArn;

  /**
   * Creates the primitive with a client that the caller has configured.
   *
   * @param keyArn the ARN of a key or of an alias
   */
  AwsKmsAead(KmsClient client, String keyArn) {
    this.client = client;
    this.keyArn = keyArn;
  }

  /**
   * Returns the primitive for a key URI without calling the service.
   *
   * <p>Credentials are found by the default provider chain of the AWS SDK.
   *
   * @param uri for example {@code aws-kms://arn:aws:kms:eu-west-1:111122223333:key/...}
   * @throws IllegalArgumentException if the URI is not {@code aws-kms://} followed by an ARN
   */
  static AwsKmsAead of(String uri) {
    String keyArn = uri.startsWith(PREFIX) ? uri.substring(PREFIX.length()) : "";
    String[] parts = keyArn.split(":");
    if (parts.length != ARN_PARTS) {
      throw new IllegalArgumentException("not the URI of an AWS KMS key");
    }
    KmsClient client =
        KmsClient.builder()
            .region(Region.of(parts[REGION]))
            .httpClientBuilder(UrlConnectionHttpClient.builder())
            .build();
    return new AwsKmsAead(client, keyArn);
  }

  @Override
  public byte[] encrypt(byte[] plaintext, byte[] associatedData) throws GeneralSecurityException {
    try {
      return client
          .encrypt(
              request ->
                  request
                      .keyId(keyArn)
                      .plaintext(SdkBytes.fromByteArray(plaintext))
                      .encryptionContext(context(associatedData)))
          .ciphertextBlob()
          .asByteArray();
    } catch (RuntimeException failed) {
      throw new GeneralSecurityException("AWS KMS did not encrypt", failed);
    }
  }

  @Override
  public byte[] decrypt(byte[] ciphertext, byte[] associatedData) throws GeneralSecurityException {
    DecryptResponse response;
    try {
      response =
          client.decrypt(
              request ->
                  request
                      .keyId(keyArn)
                      .ciphertextBlob(SdkBytes.fromByteArray(ciphertext))
                      .encryptionContext(context(associatedData)));
    } catch (RuntimeException failed) {
      throw new GeneralSecurityException("AWS KMS did not decrypt", failed);
    }
    if (namesKey() && !keyArn.equals(response.keyId())) {
      throw new GeneralSecurityException("AWS KMS decrypted by another key");
    }
    return response.plaintext().asByteArray();
  }

  /**
   * Returns whether the ARN names a key: for an alias the service reports the ARN of its key
   * instead.
   */
  private boolean namesKey() {
    return keyArn.split(":")[RESOURCE].startsWith("key/");
  }

  /** Returns the encryption context; empty associated data has none, as in Tink's client. */
  private static Map<String, String> context(byte[] associatedData) {
    return associatedData == null || associatedData.length == 0
        ? Map.of()
        : Map.of(CONTEXT, HexFormat.of().formatHex(associatedData));
  }
}
