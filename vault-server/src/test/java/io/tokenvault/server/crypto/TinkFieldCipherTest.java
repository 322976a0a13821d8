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
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
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
  private final TinkTenantCrypto sealer = new TinkTenantCrypto(master);
  private final TinkKeyWrapper wrapper = new TinkKeyWrapper(master);
  private final TenantKeys keys = keys(TENANT, 1);

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 15, 16, 17, 1 << 20})
  void whatWasSealedOpens(int size) {
    SensitiveValue value = SensitiveValue.of(new byte[size]);

    assertThat(sealer.open(keys, FIELD, sealer.seal(keys, FIELD, value))).isEqualTo(value);
  }

  @Test
  void anotherProcessWithTheSameMasterKeysetOpens() {
    EncryptedValue sealed = sealer.seal(keys, FIELD, VALUE);

    assertThat(new TinkTenantCrypto(master).open(keys, FIELD, sealed)).isEqualTo(VALUE);
  }

  @Test
  void theSameValueNeverSealsTheSame() {
    Set<EncryptedValue> seen = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      assertThat(seen.add(sealer.seal(keys, FIELD, VALUE))).isTrue();
    }
  }

  @Test
  void aCiphertextDoesNotShowItsValue() {
    byte[] ciphertext = sealer.seal(keys, FIELD, VALUE).ciphertext();

    assertThat(new String(ciphertext, StandardCharsets.ISO_8859_1)).doesNotContain("marker");
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
  void aCiphertextThatWasMovedDoesNotOpen(FieldBinding elsewhere) {
    EncryptedValue sealed = sealer.seal(keys, FIELD, VALUE);

    assertThatThrownBy(() -> sealer.open(keys, elsewhere, sealed))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("does not open")
        .hasMessageNotContaining("marker");
  }

  @Test
  void aCiphertextThatWasMovedToAnotherTenantDoesNotOpen() {
    EncryptedValue sealed = sealer.seal(keys, FIELD, VALUE);
    FieldBinding theirs = new FieldBinding(OTHER_TENANT, "token", "card-1", "data");

    assertThatThrownBy(() -> sealer.open(keys(OTHER_TENANT, 1), theirs, sealed))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> sealer.open(keys, theirs, sealed))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aDataKeyThatWasMovedToAnotherTenantDoesNotUnwrap() {
    EncryptedValue sealed = sealer.seal(keys, FIELD, VALUE);
    TenantKeys stolen = new TenantKeys(OTHER_TENANT, keys.keys());
    FieldBinding theirs = new FieldBinding(OTHER_TENANT, "token", "card-1", "data");

    assertThatThrownBy(() -> sealer.open(stolen, theirs, sealed)).hasMessageContaining("data key");
    assertThatThrownBy(() -> sealer.open(stolen, FIELD, sealed)).hasMessageContaining("data key");
    assertThatThrownBy(() -> sealer.seal(stolen, theirs, VALUE))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("data key");
  }

  @Test
  void aDataKeyUnderAnotherVersionDoesNotUnwrap() {
    EncryptedValue sealed = sealer.seal(keys, FIELD, VALUE);
    WrappedKey renumbered =
        new WrappedKey(KeyPurpose.DATA, 2, keys.current(KeyPurpose.DATA).wrapped());
    TenantKeys renamed = new TenantKeys(TENANT, List.of(renumbered));

    assertThatThrownBy(
            () -> sealer.open(renamed, FIELD, new EncryptedValue(2, sealed.ciphertext())))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("data key");
  }

  @Test
  void everyByteOfACiphertextCounts() {
    byte[] ciphertext = sealer.seal(keys, FIELD, VALUE).ciphertext();
    for (int i = 0; i < ciphertext.length; i++) {
      byte[] changed = ciphertext.clone();
      changed[i] ^= 1;

      assertThatThrownBy(() -> sealer.open(keys, FIELD, new EncryptedValue(1, changed)))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void everyBeginningOfACiphertextIsRefused() {
    byte[] ciphertext = sealer.seal(keys, FIELD, VALUE).ciphertext();
    for (int length = 0; length < ciphertext.length; length++) {
      byte[] shortened = Arrays.copyOf(ciphertext, length);

      assertThatThrownBy(() -> sealer.open(keys, FIELD, new EncryptedValue(1, shortened)))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void everyByteOfAWrappedKeyCounts() {
    EncryptedValue sealed = sealer.seal(keys, FIELD, VALUE);
    byte[] wrapped = keys.current(KeyPurpose.DATA).wrapped();
    for (int i = 0; i < wrapped.length; i++) {
      byte[] changed = wrapped.clone();
      changed[i] ^= 1;
      TenantKeys broken =
          new TenantKeys(TENANT, List.of(new WrappedKey(KeyPurpose.DATA, 1, changed)));

      assertThatThrownBy(() -> sealer.open(broken, FIELD, sealed))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void anotherMasterKeysetOpensNothing() {
    EncryptedValue sealed = sealer.seal(keys, FIELD, VALUE);
    TinkTenantCrypto stranger = new TinkTenantCrypto(MasterKeyset.generate());

    assertThatThrownBy(() -> stranger.open(keys, FIELD, sealed))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("sealed token data (key version 1)")
        .hasMessageContaining("another master keyset");
  }

  @Test
  void anOlderVersionStillOpensWhileTheNewestSeals() {
    EncryptedValue old = sealer.seal(keys, FIELD, VALUE);
    TenantKeys rotated =
        new TenantKeys(TENANT, List.of(keys.current(KeyPurpose.DATA), dataKey(TENANT, 2)));
    EncryptedValue fresh = sealer.seal(rotated, FIELD, VALUE);

    assertThat(fresh.keyVersion()).isEqualTo(2);
    assertThat(sealer.open(rotated, FIELD, old)).isEqualTo(VALUE);
    assertThat(sealer.open(rotated, FIELD, fresh)).isEqualTo(VALUE);
    assertThatThrownBy(() -> sealer.open(rotated, FIELD, new EncryptedValue(1, fresh.ciphertext())))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aMissingKeyVersionIsNamed() {
    EncryptedValue sealed = sealer.seal(keys, FIELD, VALUE);

    assertThatThrownBy(() -> sealer.open(keys(TENANT, 4), FIELD, sealed))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "sealed token data (key version 1) does not open: the tenant has no key of that"
                + " version");
  }

  @Test
  void dataKeysOutliveTheMasterKeyThatWrappedThemWhileItIsKept() {
    MasterKeyset after = master.withNewKey().promoted();
    TinkTenantCrypto rotated = new TinkTenantCrypto(after);
    WrappedKey young = new TinkKeyWrapper(after).create(TENANT, KeyPurpose.DATA, 1);
    TenantKeys wrappedAfter = new TenantKeys(TENANT, List.of(young));
    EncryptedValue sealed = sealer.seal(keys, FIELD, VALUE);

    assertThat(rotated.open(keys, FIELD, sealed)).isEqualTo(VALUE);
    assertThatThrownBy(() -> sealer.seal(wrappedAfter, FIELD, VALUE))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("data key");
  }

  @Test
  void threeVersionsOfBothKindsOfKeyAreAliveAtOnce() {
    List<WrappedKey> wrapped = new ArrayList<>();
    List<EncryptedValue> ciphertexts = new ArrayList<>();
    MasterKeyset current = master;
    for (int version = 1; version <= 3; version++) {
      wrapped.add(new TinkKeyWrapper(current).create(TENANT, KeyPurpose.DATA, version));
      TenantKeys all = new TenantKeys(TENANT, wrapped);
      ciphertexts.add(new TinkTenantCrypto(current).seal(all, FIELD, VALUE));
      current = current.withNewKey().promoted();
    }
    TinkTenantCrypto last = new TinkTenantCrypto(current);
    TenantKeys all = new TenantKeys(TENANT, wrapped);

    assertThat(ciphertexts).extracting(EncryptedValue::keyVersion).containsExactly(1, 2, 3);
    assertThat(ciphertexts).allMatch(each -> last.open(all, FIELD, each).equals(VALUE));
    assertThat(ciphertexts).allMatch(each -> last.reseal(all, FIELD, each).keyVersion() == 3);
  }

  @Test
  void withoutKeysNothingIsSealedOrOpened() {
    TenantKeys shredded = new TenantKeys(TENANT, List.of());
    EncryptedValue sealed = sealer.seal(keys, FIELD, VALUE);

    assertThatThrownBy(() -> sealer.seal(shredded, FIELD, VALUE))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> sealer.open(shredded, FIELD, sealed))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> sealer.reseal(shredded, FIELD, sealed))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void manyThreadsShareOneSealer() throws Exception {
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
    return () -> shared.open(theirs, field, shared.seal(theirs, field, VALUE)).equals(VALUE);
  }

  @Test
  void keysOfAnotherTenantDoNotSeal() {
    assertThatThrownBy(() -> sealer.seal(keys(OTHER_TENANT, 1), FIELD, VALUE))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void moreTenantsThanStayInMemoryStillOpen() {
    TinkTenantCrypto small = new TinkTenantCrypto(master, 2, 2);
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 5; i++) {
        TenantId tenant = new TenantId(new UUID(9, i));
        FieldBinding field = new FieldBinding(tenant, "token", "card-1", "data");
        TenantKeys theirs = keys(tenant, 1);

        assertThat(small.open(theirs, field, small.seal(theirs, field, VALUE))).isEqualTo(VALUE);
      }
    }
  }

  @Test
  void aReplacedDataKeyOfTheSameVersionIsNotTakenFromMemory() {
    EncryptedValue sealed = sealer.seal(keys, FIELD, VALUE);

    assertThatThrownBy(() -> sealer.open(keys(TENANT, 1), FIELD, sealed))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void nothingIsPrinted() {
    EncryptedValue sealed = sealer.seal(keys, FIELD, VALUE);

    assertThat(List.of(sealer, sealed, keys, sealer.open(keys, FIELD, sealed)))
        .asString()
        .doesNotContain("marker");
  }

  private TenantKeys keys(TenantId tenant, int version) {
    return new TenantKeys(tenant, List.of(dataKey(tenant, version)));
  }

  private WrappedKey dataKey(TenantId tenant, int version) {
    return wrapper.create(tenant, KeyPurpose.DATA, version);
  }
}
