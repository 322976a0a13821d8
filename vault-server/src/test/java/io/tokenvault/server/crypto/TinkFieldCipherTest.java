package io.tokenvault.server.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.FieldBinding;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.crypto.WrappedKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TinkFieldCipherTest {

  private static final TenantId TENANT = new TenantId(new UUID(1, 2));
  private static final TenantId OTHER_TENANT = new TenantId(new UUID(1, 3));
  private static final FieldBinding FIELD = new FieldBinding(TENANT, "token", "card-1", "data");
  private static final SensitiveValue VALUE = SensitiveValue.ofText("marker 4111");

  private final MasterKeyset master = MasterKeyset.generate();
  private final TinkTenantCrypto cipher = new TinkTenantCrypto(master);
  private final TinkKeyWrapper wrapper = new TinkKeyWrapper(master);
  private final TenantKeys keys = keys(TENANT, 1);

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 15, 16, 17, 1 << 20})
  void encryptedValueDecrypts(int size) {
    SensitiveValue value = SensitiveValue.of(new byte[size]);

    assertThat(cipher.decrypt(keys, FIELD, cipher.encrypt(keys, FIELD, value))).isEqualTo(value);
  }

  static List<FieldBinding> otherPlaces() {
    return List.of(
        new FieldBinding(TENANT, "proxy", "card-1", "data"),
        new FieldBinding(TENANT, "token", "card-2", "data"),
        new FieldBinding(TENANT, "token", "card-1", "mask"),
        new FieldBinding(TENANT, "tokenc", "ard-1", "data"),
        new FieldBinding(TENANT, "token", "card-1d", "ata"),
        new FieldBinding(TENANT, "", "tokencard-1data", ""),
        new FieldBinding(TENANT, "token", "Card-1", "data"),
        new FieldBinding(TENANT, "token", "card-1 ", "data"));
  }

  @ParameterizedTest
  @MethodSource("otherPlaces")
  void movedCiphertextDoesNotDecrypt(FieldBinding elsewhere) {
    EncryptedValue encrypted = cipher.encrypt(keys, FIELD, VALUE);

    assertThatThrownBy(() -> cipher.decrypt(keys, elsewhere, encrypted))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("cannot be decrypted")
        .hasMessageNotContaining("marker");
  }

  @Test
  void ciphertextMovedToAnotherTenantDoesNotDecrypt() {
    EncryptedValue encrypted = cipher.encrypt(keys, FIELD, VALUE);
    FieldBinding theirs = new FieldBinding(OTHER_TENANT, "token", "card-1", "data");

    assertFails(() -> cipher.decrypt(keys(OTHER_TENANT, 1), theirs, encrypted));
    assertFails(() -> cipher.decrypt(keys, theirs, encrypted));
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
  void changedOrTruncatedCiphertextDoesNotDecrypt() {
    byte[] ciphertext = cipher.encrypt(keys, FIELD, VALUE).ciphertext();
    for (int i = 0; i < ciphertext.length; i++) {
      byte[] changed = ciphertext.clone();
      changed[i] ^= 1;
      for (byte[] wrong : List.of(changed, Arrays.copyOf(ciphertext, i))) {
        assertFails(() -> cipher.decrypt(keys, FIELD, new EncryptedValue(1, wrong)));
      }
    }
  }

  @Test
  void anotherMasterKeysetOpensNothing() {
    EncryptedValue encrypted = cipher.encrypt(keys, FIELD, VALUE);
    TinkTenantCrypto stranger = new TinkTenantCrypto(MasterKeyset.generate());

    assertThatThrownBy(() -> stranger.decrypt(keys, FIELD, encrypted))
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
                + " that"
                + " version");
  }

  @Test
  void threeVersionsOfBothKindsOfKeyAreAliveAtOnce() {
    List<WrappedKey> wrapped = new ArrayList<>();
    List<EncryptedValue> ciphertexts = new ArrayList<>();
    MasterKeyset current = master;
    for (int version = 1; version <= 3; version++) {
      wrapped.add(new TinkKeyWrapper(current).create(TENANT, KeyPurpose.DATA, version));
      TenantKeys all = new TenantKeys(TENANT, wrapped);
      ciphertexts.add(new TinkTenantCrypto(current).encrypt(all, FIELD, VALUE));
      current = current.withNewKey().promoted();
    }
    TinkTenantCrypto last = new TinkTenantCrypto(current);
    TenantKeys all = new TenantKeys(TENANT, wrapped);

    assertThat(ciphertexts).extracting(EncryptedValue::keyVersion).containsExactly(1, 2, 3);
    assertThat(ciphertexts).allMatch(each -> last.decrypt(all, FIELD, each).equals(VALUE));
    assertThat(ciphertexts).allMatch(each -> last.reencrypt(all, FIELD, each).keyVersion() == 3);
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
  void manyThreadsShareOneCipher() throws Exception {
    TinkTenantCrypto small = new TinkTenantCrypto(master, 2, 2);
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Callable<Boolean>> work =
          IntStream.range(0, 400).mapToObj(i -> roundTrip(small, i % 5)).toList();
      for (Future<Boolean> result : threads.invokeAll(work)) {
        assertThat(result.get()).isTrue();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private Callable<Boolean> roundTrip(TinkTenantCrypto shared, int number) {
    TenantId tenant = new TenantId(new UUID(9, number));
    FieldBinding field = new FieldBinding(tenant, "token", "card-1", "data");
    TenantKeys theirs = keys(tenant, 1);
    return () -> shared.decrypt(theirs, field, shared.encrypt(theirs, field, VALUE)).equals(VALUE);
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
    return new TenantKeys(tenant, List.of(dataKey(tenant, version)));
  }

  private WrappedKey dataKey(TenantId tenant, int version) {
    return wrapper.create(tenant, KeyPurpose.DATA, version);
  }
}
