package io.tokenvault.ports.contract.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Contract tests for {@link KeyWrapper}. */
@ExtendWith(BrokenLaw.class)
public abstract class KeyWrapperContract {

  private KeyWrapper wrapper;
  private KeyWrapper rotated;
  private FieldCipher cipher;
  private TenantId tenant;

  protected abstract KeyWrapper wrapper();

  /** Returns a wrapper that has the master key of {@link #wrapper()} and a newer primary. */
  protected abstract KeyWrapper rotatedWrapper();

  /** Returns a cipher that accepts keys of both wrappers. */
  protected abstract FieldCipher cipher();

  @BeforeEach
  void createWrappers() {
    wrapper = wrapper();
    rotated = rotatedWrapper();
    cipher = cipher();
    tenant = Samples.tenantId();
  }

  private static TenantKeys keys(TenantId owner, WrappedKey key) {
    return new TenantKeys(owner, List.of(key));
  }

  @Test
  void newKeyHasRequestedPurposeAndVersion() {
    for (KeyPurpose purpose : KeyPurpose.values()) {
      WrappedKey key = wrapper.create(tenant, purpose, 7);

      assertThat(key.purpose()).isEqualTo(purpose);
      assertThat(key.version()).isEqualTo(7);
    }
  }

  @Test
  void newKeysDiffer() {
    assertThat(wrapper.create(tenant, KeyPurpose.DATA, 1))
        .isNotEqualTo(wrapper.create(tenant, KeyPurpose.DATA, 1));
  }

  @Test
  void ciphertextOfAnotherKeyDoesNotDecrypt() {
    FieldBinding field = FieldBinding.tokenData(tenant, new TokenId("token"));
    EncryptedValue ciphertext =
        cipher.encrypt(
            keys(tenant, wrapper.create(tenant, KeyPurpose.DATA, 1)),
            field,
            SensitiveValue.ofText("x"));
    TenantKeys other = keys(tenant, wrapper.create(tenant, KeyPurpose.DATA, 1));

    assertThatThrownBy(() -> cipher.decrypt(other, field, ciphertext))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void rewrappedKeyIsIdenticalUnderPrimaryMasterKey() {
    WrappedKey key = wrapper.create(tenant, KeyPurpose.DATA, 3);
    FieldBinding field = FieldBinding.tokenData(tenant, new TokenId("token"));
    SensitiveValue value = SensitiveValue.ofText("a value");
    EncryptedValue ciphertext = cipher.encrypt(keys(tenant, key), field, value);

    WrappedKey rewrapped = rotated.rewrap(tenant, key);

    assertThat(rewrapped.purpose()).isEqualTo(KeyPurpose.DATA);
    assertThat(rewrapped.version()).isEqualTo(3);
    assertThat(rewrapped).isNotEqualTo(key);
    assertThat(cipher.decrypt(keys(tenant, rewrapped), field, ciphertext)).isEqualTo(value);
    assertThat(rotated.masterKeyId(rewrapped))
        .isEqualTo(rotated.masterKeyId(rotated.create(tenant, KeyPurpose.DATA, 1)))
        .isNotEqualTo(rotated.masterKeyId(key));
    assertThat(rotated.masterKeyId(key)).isEqualTo(wrapper.masterKeyId(key));
  }

  @Test
  void keyUnwrapsOnlyForItsTenantPurposeAndVersion() {
    WrappedKey key = wrapper.create(tenant, KeyPurpose.DATA, 1);

    assertDoesNotUnwrap(() -> wrapper.rewrap(Samples.tenantId(), key));
    assertDoesNotUnwrap(
        () -> wrapper.rewrap(tenant, new WrappedKey(KeyPurpose.FINGERPRINT, 1, key.wrapped())));
    assertDoesNotUnwrap(
        () -> wrapper.rewrap(tenant, new WrappedKey(KeyPurpose.DATA, 2, key.wrapped())));
  }

  @Test
  void modifiedKeyDoesNotUnwrap() {
    WrappedKey key = wrapper.create(tenant, KeyPurpose.DATA, 1);
    for (int i = 0; i < key.wrapped().length; i++) {
      byte[] changed = key.wrapped();
      changed[i] ^= 1;
      assertDoesNotUnwrap(
          () -> wrapper.rewrap(tenant, new WrappedKey(KeyPurpose.DATA, 1, changed)));
    }
    assertDoesNotUnwrap(
        () -> wrapper.rewrap(tenant, new WrappedKey(KeyPurpose.DATA, 1, new byte[0])));
  }

  private static void assertDoesNotUnwrap(ThrowingCallable rewrapping) {
    assertThatThrownBy(rewrapping).isInstanceOf(IllegalStateException.class);
  }
}
