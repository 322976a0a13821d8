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

  private static final int NONCE = 16;
  private static final int TAG = 32;

  private final AtomicInteger opened = new AtomicInteger();

  /** Returns how many values were decrypted, not counting re-encryption. */
  public int opened() {
    return opened.get();
  }

  @Override
  public EncryptedValue encrypt(TenantKeys keys, FieldBinding field, SensitiveValue value) {
    WrappedKey key = keys.current(KeyPurpose.DATA);
    byte[] nonce = FakeKeyWrapper.random();
    byte[] hidden = mask(value.open());
    byte[] tag = tag(key, keys.tenantId(), field, nonce, hidden);
    return new EncryptedValue(key.version(), join(nonce, tag, hidden));
  }

  @Override
  public SensitiveValue decrypt(TenantKeys keys, FieldBinding field, EncryptedValue encrypted) {
    opened.incrementAndGet();
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
            .orElseThrow(FakeFieldCipher::doesNotOpen);
    byte[] bytes = ciphertext.ciphertext();
    if (bytes.length < NONCE + TAG) {
      throw doesNotOpen();
    }
    byte[] nonce = Arrays.copyOfRange(bytes, 0, NONCE);
    byte[] tag = Arrays.copyOfRange(bytes, NONCE, NONCE + TAG);
    byte[] hidden = Arrays.copyOfRange(bytes, NONCE + TAG, bytes.length);
    if (!Arrays.equals(tag, tag(key, keys.tenantId(), field, nonce, hidden))) {
      throw doesNotOpen();
    }
    return SensitiveValue.of(mask(hidden));
  }

  private static IllegalStateException doesNotOpen() {
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
      WrappedKey key, TenantId tenantId, FieldBinding field, byte[] nonce, byte[] hidden) {
    String place =
        String.join(
            "\0",
            tenantId.toString(),
            field.tenantId().toString(),
            field.kind(),
            field.recordId(),
            field.field());
    byte[] bare = FakeKeyWrapper.unwrap(tenantId, key);
    return digest(bare, place.getBytes(StandardCharsets.UTF_8), nonce, hidden);
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

  private static byte[] join(byte[] first, byte[] second, byte[] third) {
    return ByteBuffer.allocate(first.length + second.length + third.length)
        .put(first)
        .put(second)
        .put(third)
        .array();
  }
}
