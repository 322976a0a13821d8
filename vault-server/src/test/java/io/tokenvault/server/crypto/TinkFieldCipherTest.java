package io.tokenvault.server.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.contract.Race;
import io.tokenvault.ports.contract.crypto.FieldCipherContract;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.FieldBinding;
import io.tokenvault.ports.crypto.FieldCipher;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.KeyWrapper;
import io.tokenvault.ports.crypto.TenantKeys;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class TinkFieldCipherTest extends FieldCipherContract {

  private static final TenantId TENANT = new TenantId(new UUID(1, 2));
  private static final TenantId OTHER_TENANT = new TenantId(new UUID(1, 3));
  private static final FieldBinding FIELD = new FieldBinding(TENANT, "token", "card-1", "data");
  private static final SensitiveValue VALUE = SensitiveValue.ofText("marker 4111");

  private final MasterKeyset master = MasterKeyset.generate();
  private final TinkTenantCrypto cipher = new TinkTenantCrypto(master);
  private final TinkKeyWrapper wrapper = new TinkKeyWrapper(master);
  private final TenantKeys keys = keys(TENANT, 1);

  @Override
  protected FieldCipher cipher() {
    return cipher;
  }

  @Override
  protected KeyWrapper wrapper() {
    return wrapper;
  }

  @Test
  void dataKeyMovedToAnotherTenantDoesNotUnwrap() {
    EncryptedValue encrypted = cipher.encrypt(keys, FIELD, VALUE);
    TenantKeys stolen = new TenantKeys(OTHER_TENANT, keys.keys());
    FieldBinding theirs = new FieldBinding(OTHER_TENANT, "token", "card-1", "data");

    assertThatThrownBy(() -> cipher.decrypt(stolen, theirs, encrypted))
        .hasMessageContaining("data key");
    assertThatThrownBy(() -> cipher.decrypt(stolen, FIELD, encrypted))
        .hasMessageContaining("data key");
    assertThatThrownBy(() -> cipher.encrypt(stolen, theirs, VALUE))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("data key");
  }

  @Test
  void otherMasterKeysetDecryptsNothing() {
    EncryptedValue encrypted = cipher.encrypt(keys, FIELD, VALUE);
    TinkTenantCrypto otherCipher = new TinkTenantCrypto(MasterKeyset.generate());

    assertThatThrownBy(() -> otherCipher.decrypt(keys, FIELD, encrypted))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("encrypted token data (key version 1)")
        .hasMessageContaining("another master keyset");
  }

  @Test
  void missingKeyVersionIsNamed() {
    EncryptedValue encrypted = cipher.encrypt(keys, FIELD, VALUE);

    assertThatThrownBy(() -> cipher.decrypt(keys(TENANT, 4), FIELD, encrypted))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "encrypted token data (key version 1) cannot be decrypted: the tenant has no key of"
                + " that version");
  }

  @Test
  void encryptionAndDecryptionFailWithoutKeys() {
    TenantKeys shredded = new TenantKeys(TENANT, List.of());
    EncryptedValue encrypted = cipher.encrypt(keys, FIELD, VALUE);

    assertFails(() -> cipher.encrypt(shredded, FIELD, VALUE));
    assertFails(() -> cipher.decrypt(shredded, FIELD, encrypted));
    assertFails(() -> cipher.reencrypt(shredded, FIELD, encrypted));
  }

  @Test
  void manyThreadsShareOneCipher() {
    TinkTenantCrypto small = new TinkTenantCrypto(master, 2, 2);
    List<TenantKeys> tenants =
        IntStream.range(0, 5).mapToObj(i -> keys(new TenantId(new UUID(9, i)), 1)).toList();

    List<List<SensitiveValue>> decrypted =
        Race.run(
            i ->
                IntStream.range(0, 100)
                    .mapToObj(turn -> roundTrip(small, tenants.get((i + turn) % 5)))
                    .toList());

    assertThat(decrypted).containsOnly(Collections.nCopies(100, VALUE));
  }

  private static SensitiveValue roundTrip(TinkTenantCrypto shared, TenantKeys theirs) {
    FieldBinding field = new FieldBinding(theirs.tenantId(), "token", "card-1", "data");
    return shared.decrypt(theirs, field, shared.encrypt(theirs, field, VALUE));
  }

  @Test
  void keysOfAnotherTenantDoNotEncrypt() {
    assertThatThrownBy(() -> cipher.encrypt(keys(OTHER_TENANT, 1), FIELD, VALUE))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void replacedDataKeyOfSameVersionIsNotCached() {
    EncryptedValue encrypted = cipher.encrypt(keys, FIELD, VALUE);

    assertFails(() -> cipher.decrypt(keys(TENANT, 1), FIELD, encrypted));
  }

  @Test
  void secretsAreNotPrinted() {
    EncryptedValue encrypted = cipher.encrypt(keys, FIELD, VALUE);

    assertThat(List.of(cipher, encrypted, keys, cipher.decrypt(keys, FIELD, encrypted)))
        .asString()
        .doesNotContain("marker");
  }

  private static void assertFails(ThrowingCallable work) {
    assertThatThrownBy(work).isInstanceOf(IllegalStateException.class);
  }

  private TenantKeys keys(TenantId tenant, int version) {
    return new TenantKeys(tenant, List.of(wrapper.create(tenant, KeyPurpose.DATA, version)));
  }
}
