package io.tokenvault.ports.contract.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.contract.BrokenLaw;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.FieldBinding;
import io.tokenvault.ports.crypto.FieldCipher;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.KeyWrapper;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.crypto.WrappedKey;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Contract tests for {@link FieldCipher}. */
@ExtendWith(BrokenLaw.class)
public abstract class FieldCipherContract {

  private static final String SECRET = "planted-secret-58c1d0";
  private static final SensitiveValue VALUE = SensitiveValue.ofText(SECRET);

  private FieldCipher cipher;
  private KeyWrapper wrapper;
  private TenantId tenant;
  private TenantKeys keys;
  private FieldBinding field;

  protected abstract FieldCipher cipher();

  /** Creates keys for the cipher. */
  protected abstract KeyWrapper wrapper();

  @BeforeEach
  void createKeys() {
    cipher = cipher();
    wrapper = wrapper();
    tenant = Samples.tenantId();
    keys = new TenantKeys(tenant, List.of(dataKey(tenant, 1)));
    field = FieldBinding.tokenData(tenant, new TokenId("token"));
  }

  private WrappedKey dataKey(TenantId owner, int version) {
    return wrapper.create(owner, KeyPurpose.DATA, version);
  }

  @Test
  void encryptedValueDecrypts() {
    for (int size : new int[] {0, 1, 1 << 20}) {
      SensitiveValue value = SensitiveValue.of(new byte[size]);
      assertThat(cipher.decrypt(keys, field, cipher.encrypt(keys, field, value))).isEqualTo(value);
    }
  }

  @Test
  void ciphertextHidesValueAndNeverRepeats() {
    EncryptedValue first = cipher.encrypt(keys, field, VALUE);
    EncryptedValue second = cipher.encrypt(keys, field, VALUE);

    assertThat(first).isNotEqualTo(second);
    assertThat(new String(first.ciphertext(), StandardCharsets.ISO_8859_1)).doesNotContain(SECRET);
  }

  @Test
  void ciphertextDecryptsOnlyInBoundField() {
    EncryptedValue encrypted = cipher.encrypt(keys, field, VALUE);
    ProxyId proxy = new ProxyId(UUID.randomUUID());

    assertDoesNotDecrypt(FieldBinding.tokenData(tenant, new TokenId("other")), encrypted);
    assertDoesNotDecrypt(new FieldBinding(tenant, "token", "token", "mask"), encrypted);
    assertDoesNotDecrypt(new FieldBinding(tenant, "proxy", "token", "data"), encrypted);
    assertDoesNotDecrypt(new FieldBinding(Samples.tenantId(), "token", "token", "data"), encrypted);
    assertDoesNotDecrypt(
        FieldBinding.proxyConfiguration(tenant, proxy),
        cipher.encrypt(keys, FieldBinding.proxyKey(tenant, proxy), VALUE));
  }

  @Test
  void bindingPartsAreUnambiguouslySeparated() {
    FieldBinding one = new FieldBinding(tenant, "a", "bc", "d");

    assertDoesNotDecrypt(
        new FieldBinding(tenant, "ab", "c", "d"), cipher.encrypt(keys, one, VALUE));
  }

  private void assertDoesNotDecrypt(FieldBinding binding, EncryptedValue encrypted) {
    assertFails(() -> cipher.decrypt(keys, binding, encrypted));
  }

  private static void assertFails(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageNotContaining(SECRET);
  }

  @Test
  void modifiedCiphertextDoesNotDecrypt() {
    EncryptedValue encrypted = cipher.encrypt(keys, field, VALUE);
    for (int i = 0; i < encrypted.ciphertext().length; i++) {
      byte[] changed = encrypted.ciphertext();
      changed[i] ^= 1;
      assertDoesNotDecrypt(field, new EncryptedValue(encrypted.keyVersion(), changed));
    }
    assertDoesNotDecrypt(field, new EncryptedValue(encrypted.keyVersion(), new byte[0]));
  }

  @Test
  void keyOfAnotherTenantDoesNotDecrypt() {
    EncryptedValue encrypted = cipher.encrypt(keys, field, VALUE);
    TenantId other = Samples.tenantId();
    TenantKeys others = new TenantKeys(other, List.of(dataKey(other, 1)));

    assertFails(() -> cipher.decrypt(others, field, encrypted));
  }

  @Test
  void highestVersionEncryptsAndOlderOnesStillDecrypt() {
    EncryptedValue old = cipher.encrypt(keys, field, VALUE);
    TenantKeys both = withSecondKey();

    EncryptedValue newest = cipher.encrypt(both, field, VALUE);

    assertThat(old.keyVersion()).isEqualTo(1);
    assertThat(newest.keyVersion()).isEqualTo(2);
    assertThat(cipher.decrypt(both, field, old)).isEqualTo(VALUE);
    assertThat(cipher.decrypt(both, field, newest)).isEqualTo(VALUE);
    assertDoesNotDecrypt(field, newest);
  }

  private TenantKeys withSecondKey() {
    return new TenantKeys(tenant, List.of(keys.current(KeyPurpose.DATA), dataKey(tenant, 2)));
  }

  @Test
  void reencryptedValueDecryptsWithCurrentKeyAlone() {
    EncryptedValue old = cipher.encrypt(keys, field, VALUE);
    TenantKeys both = withSecondKey();
    TenantKeys currentKeys = new TenantKeys(tenant, List.of(both.current(KeyPurpose.DATA)));

    EncryptedValue reencrypted = cipher.reencrypt(both, field, old);

    assertThat(reencrypted.keyVersion()).isEqualTo(2);
    assertThat(cipher.decrypt(currentKeys, field, reencrypted)).isEqualTo(VALUE);
    assertThat(cipher.decrypt(keys, field, old)).isEqualTo(VALUE);
  }

  @Test
  void reencryptionUnderIdenticalKeyChangesCiphertext() {
    EncryptedValue first = cipher.encrypt(keys, field, VALUE);

    EncryptedValue second = cipher.reencrypt(keys, field, first);

    assertThat(second).isNotEqualTo(first);
    assertThat(second.keyVersion()).isEqualTo(1);
    assertThat(cipher.decrypt(keys, field, second)).isEqualTo(VALUE);
  }

  @Test
  void undecryptableCiphertextIsNotReencrypted() {
    EncryptedValue ofOtherField =
        cipher.encrypt(keys, FieldBinding.tokenData(tenant, new TokenId("other")), VALUE);
    TenantKeys newKeys = new TenantKeys(tenant, List.of(dataKey(tenant, 2)));

    EncryptedValue own = cipher.encrypt(keys, field, VALUE);
    assertFails(() -> cipher.reencrypt(keys, field, ofOtherField));
    assertFails(() -> cipher.reencrypt(newKeys, field, own));
  }

  @Test
  void onlyDataKeyEncrypts() {
    TenantKeys others =
        new TenantKeys(tenant, List.of(wrapper.create(tenant, KeyPurpose.FINGERPRINT, 1)));

    assertFails(() -> cipher.encrypt(others, field, VALUE));
  }
}
