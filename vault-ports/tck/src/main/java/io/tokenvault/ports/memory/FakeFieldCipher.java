package io.tokenvault.ports.memory;

import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.FieldBinding;
import io.tokenvault.ports.crypto.FieldCipher;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.crypto.WrappedKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/** A cipher for tests that passes the contract suite but keeps nothing secret. */
public final class FakeFieldCipher implements FieldCipher {

  private static final int NONCE_BYTES = 16;
  private static final int TAG_BYTES = 32;

  private final AtomicInteger decrypted = new AtomicInteger();

  /** Returns how many values were decrypted, not counting re-encryption. */
  public int decryptions() {
    return decrypted.get();
  }

  @Override
  public EncryptedValue encrypt(TenantKeys keys, FieldBinding field, SensitiveValue value) {
    WrappedKey key = keys.current(KeyPurpose.DATA);
    byte[] nonce = FakeKeyWrapper.random();
    byte[] masked = mask(value.open());
    byte[] tag = tag(key, keys.tenantId(), field, nonce, masked);
    byte[] ciphertext =
        ByteBuffer.allocate(NONCE_BYTES + TAG_BYTES + masked.length)
            .put(nonce)
            .put(tag)
            .put(masked)
            .array();
    return new EncryptedValue(key.version(), ciphertext);
  }

  @Override
  public SensitiveValue decrypt(TenantKeys keys, FieldBinding field, EncryptedValue encrypted) {
    decrypted.incrementAndGet();
    return decryptText(keys, field, encrypted);
  }

  @Override
  public EncryptedValue reencrypt(TenantKeys keys, FieldBinding field, EncryptedValue encrypted) {
    return encrypt(keys, field, decryptText(keys, field, encrypted));
  }

  private static SensitiveValue decryptText(
      TenantKeys keys, FieldBinding field, EncryptedValue ciphertext) {
    WrappedKey key =
        keys.version(KeyPurpose.DATA, ciphertext.keyVersion())
            .orElseThrow(FakeFieldCipher::decryptionFailure);
    byte[] bytes = ciphertext.ciphertext();
    if (bytes.length < NONCE_BYTES + TAG_BYTES) {
      throw decryptionFailure();
    }
    byte[] nonce = Arrays.copyOfRange(bytes, 0, NONCE_BYTES);
    byte[] tag = Arrays.copyOfRange(bytes, NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
    byte[] masked = Arrays.copyOfRange(bytes, NONCE_BYTES + TAG_BYTES, bytes.length);
    if (!Arrays.equals(tag, tag(key, keys.tenantId(), field, nonce, masked))) {
      throw decryptionFailure();
    }
    return SensitiveValue.of(mask(masked));
  }

  private static IllegalStateException decryptionFailure() {
    return new IllegalStateException("the ciphertext cannot be decrypted");
  }

  private static byte[] mask(byte[] bytes) {
    byte[] masked = bytes.clone();
    for (int i = 0; i < masked.length; i++) {
      masked[i] = (byte) ~masked[i];
    }
    return masked;
  }

  private static byte[] tag(
      WrappedKey key, TenantId tenantId, FieldBinding field, byte[] nonce, byte[] masked) {
    String context =
        String.join(
            "\0",
            tenantId.toString(),
            field.tenantId().toString(),
            field.kind(),
            field.recordId(),
            field.field());
    byte[] unwrapped = FakeKeyWrapper.unwrap(tenantId, key);
    return digest(unwrapped, context.getBytes(StandardCharsets.UTF_8), nonce, masked);
  }

  static byte[] digest(byte[]... parts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (byte[] part : parts) {
        digest.update(part);
      }
      return digest.digest();
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException(missing);
    }
  }
}
