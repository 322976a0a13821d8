package io.tokenvault.ports.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenId;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The laws of {@link FieldCipher}. */
public abstract class SealerContract {

  private static final String SECRET = "planted-secret-58c1d0";
  private static final SensitiveValue VALUE = SensitiveValue.ofText(SECRET);

  private FieldCipher sealer;
  private KeyWrapper wrapper;
  private TenantId tenant;
  private TenantKeys keys;
  private FieldBinding field;

  protected abstract FieldCipher sealer();

  /** Makes keys for the sealer. */
  protected abstract KeyWrapper wrapper();

  @BeforeEach
  void makeAKey() {
    sealer = sealer();
    wrapper = wrapper();
    tenant = Samples.tenantId();
    keys = new TenantKeys(tenant, List.of(dataKey(tenant, 1)));
    field = FieldBinding.tokenData(tenant, new TokenId("token"));
  }

  private WrappedKey dataKey(TenantId owner, int version) {
    return wrapper.create(owner, KeyPurpose.DATA, version);
  }

  @Test
  void whatWasSealedOpens() {
    for (int size : new int[] {0, 1, 1 << 20}) {
      SensitiveValue value = SensitiveValue.of(new byte[size]);
      assertThat(sealer.open(keys, field, sealer.seal(keys, field, value))).isEqualTo(value);
    }
  }

  @Test
  void aCiphertextDoesNotShowTheValueAndIsNeverTheSame() {
    EncryptedValue first = sealer.seal(keys, field, VALUE);
    EncryptedValue second = sealer.seal(keys, field, VALUE);

    assertThat(first).isNotEqualTo(second);
    assertThat(new String(first.ciphertext(), StandardCharsets.ISO_8859_1)).doesNotContain(SECRET);
  }

  @Test
  void aCiphertextOpensInItsPlaceOnly() {
    EncryptedValue sealed = sealer.seal(keys, field, VALUE);
    ProxyId proxy = new ProxyId(UUID.randomUUID());

    assertDoesNotOpen(FieldBinding.tokenData(tenant, new TokenId("other")), sealed);
    assertDoesNotOpen(new FieldBinding(tenant, "token", "token", "mask"), sealed);
    assertDoesNotOpen(new FieldBinding(tenant, "proxy", "token", "data"), sealed);
    assertDoesNotOpen(new FieldBinding(Samples.tenantId(), "token", "token", "data"), sealed);
    assertDoesNotOpen(
        FieldBinding.proxyConfiguration(tenant, proxy),
        sealer.seal(keys, FieldBinding.proxyKey(tenant, proxy), VALUE));
  }

  @Test
  void theBordersBetweenThePartsOfAPlaceCount() {
    FieldBinding one = new FieldBinding(tenant, "a", "bc", "d");

    assertDoesNotOpen(new FieldBinding(tenant, "ab", "c", "d"), sealer.seal(keys, one, VALUE));
  }

  private void assertDoesNotOpen(FieldBinding place, EncryptedValue sealed) {
    assertThatThrownBy(() -> sealer.open(keys, place, sealed))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageNotContaining(SECRET);
  }

  @Test
  void aChangedCiphertextDoesNotOpen() {
    EncryptedValue sealed = sealer.seal(keys, field, VALUE);
    for (int i = 0; i < sealed.ciphertext().length; i++) {
      byte[] changed = sealed.ciphertext();
      changed[i] ^= 1;
      assertDoesNotOpen(field, new EncryptedValue(sealed.keyVersion(), changed));
    }
    assertDoesNotOpen(field, new EncryptedValue(sealed.keyVersion(), new byte[0]));
  }

  @Test
  void anotherTenantsKeyDoesNotOpen() {
    EncryptedValue sealed = sealer.seal(keys, field, VALUE);
    TenantId other = Samples.tenantId();
    TenantKeys others = new TenantKeys(other, List.of(dataKey(other, 1)));

    assertThatThrownBy(() -> sealer.open(others, field, sealed))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void theHighestVersionSealsAndOlderOnesStillOpen() {
    EncryptedValue old = sealer.seal(keys, field, VALUE);
    TenantKeys both = withASecondKey();

    EncryptedValue young = sealer.seal(both, field, VALUE);

    assertThat(old.keyVersion()).isEqualTo(1);
    assertThat(young.keyVersion()).isEqualTo(2);
    assertThat(sealer.open(both, field, old)).isEqualTo(VALUE);
    assertThat(sealer.open(both, field, young)).isEqualTo(VALUE);
    assertDoesNotOpen(field, young);
  }

  private TenantKeys withASecondKey() {
    return new TenantKeys(tenant, List.of(keys.current(KeyPurpose.DATA), dataKey(tenant, 2)));
  }

  @Test
  void whatIsResealedOpensUnderTheCurrentKeyAlone() {
    EncryptedValue old = sealer.seal(keys, field, VALUE);
    TenantKeys both = withASecondKey();
    TenantKeys young = new TenantKeys(tenant, List.of(both.current(KeyPurpose.DATA)));

    EncryptedValue resealed = sealer.reseal(both, field, old);

    assertThat(resealed.keyVersion()).isEqualTo(2);
    assertThat(sealer.open(young, field, resealed)).isEqualTo(VALUE);
    assertThat(sealer.open(keys, field, old)).isEqualTo(VALUE);
  }

  @Test
  void whatIsResealedUnderTheSameKeyIsAnotherCiphertext() {
    EncryptedValue first = sealer.seal(keys, field, VALUE);

    EncryptedValue second = sealer.reseal(keys, field, first);

    assertThat(second).isNotEqualTo(first);
    assertThat(second.keyVersion()).isEqualTo(1);
    assertThat(sealer.open(keys, field, second)).isEqualTo(VALUE);
  }

  @Test
  void whatDoesNotOpenIsNotResealedEither() {
    EncryptedValue elsewhere =
        sealer.seal(keys, FieldBinding.tokenData(tenant, new TokenId("other")), VALUE);
    TenantKeys young = new TenantKeys(tenant, List.of(dataKey(tenant, 2)));

    assertIsNotResealed(keys, elsewhere);
    assertIsNotResealed(young, sealer.seal(keys, field, VALUE));
  }

  private void assertIsNotResealed(TenantKeys with, EncryptedValue ciphertext) {
    assertThatThrownBy(() -> sealer.reseal(with, field, ciphertext))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageNotContaining(SECRET);
  }

  @Test
  void onlyAKeyForDataSeals() {
    TenantKeys others =
        new TenantKeys(tenant, List.of(wrapper.create(tenant, KeyPurpose.FINGERPRINT, 1)));

    assertThatThrownBy(() -> sealer.seal(others, field, VALUE))
        .isInstanceOf(IllegalStateException.class);
  }
}
