package io.tokenvault.server.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.crypto.tink.Configuration;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.Parameters;
import com.google.crypto.tink.aead.AeadConfig2026;
import com.google.crypto.tink.aead.PredefinedAeadParameters;
import com.google.crypto.tink.prf.PredefinedPrfParameters;
import com.google.crypto.tink.prf.PrfConfig2026;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.spi.Sealed;
import io.tokenvault.ports.spi.SealedField;
import io.tokenvault.ports.spi.TenantKeys;
import io.tokenvault.ports.spi.WrappedKey;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
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

class TinkSealerTest {

  private static final TenantId TENANT = new TenantId(new UUID(1, 2));
  private static final TenantId OTHER_TENANT = new TenantId(new UUID(1, 3));
  private static final SealedField FIELD = new SealedField(TENANT, "token", "card-1", "data");
  private static final SensitiveValue VALUE = SensitiveValue.ofText("marker 4111");

  private final MasterKeyset master = MasterKeyset.generate();
  private final TinkSealer sealer = new TinkSealer(master);
  private final TenantKeys keys = keys(TENANT, 1);

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 15, 16, 17, 1 << 20})
  void whatWasSealedOpens(int size) {
    SensitiveValue value = SensitiveValue.of(new byte[size]);

    assertThat(sealer.open(keys, FIELD, sealer.seal(keys, FIELD, value))).isEqualTo(value);
  }

  @Test
  void anotherProcessWithTheSameMasterKeysetOpens() {
    Sealed sealed = sealer.seal(keys, FIELD, VALUE);

    assertThat(new TinkSealer(master).open(keys, FIELD, sealed)).isEqualTo(VALUE);
  }

  @Test
  void theSameValueNeverSealsTheSame() {
    Set<Sealed> seen = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      assertThat(seen.add(sealer.seal(keys, FIELD, VALUE))).isTrue();
    }
  }

  @Test
  void aCiphertextDoesNotShowItsValue() {
    byte[] ciphertext = sealer.seal(keys, FIELD, VALUE).ciphertext();

    assertThat(new String(ciphertext, StandardCharsets.ISO_8859_1)).doesNotContain("marker");
  }

  static List<SealedField> otherPlaces() {
    return List.of(
        new SealedField(TENANT, "proxy", "card-1", "data"),
        new SealedField(TENANT, "token", "card-2", "data"),
        new SealedField(TENANT, "token", "card-1", "mask"),
        new SealedField(TENANT, "tokenc", "ard-1", "data"),
        new SealedField(TENANT, "token", "card-1d", "ata"),
        new SealedField(TENANT, "", "tokencard-1data", ""),
        new SealedField(TENANT, "token", "Card-1", "data"),
        new SealedField(TENANT, "token", "card-1 ", "data"));
  }

  @ParameterizedTest
  @MethodSource("otherPlaces")
  void aCiphertextThatWasMovedDoesNotOpen(SealedField elsewhere) {
    Sealed sealed = sealer.seal(keys, FIELD, VALUE);

    assertThatThrownBy(() -> sealer.open(keys, elsewhere, sealed))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("does not open")
        .hasMessageNotContaining("marker");
  }

  @Test
  void aCiphertextThatWasMovedToAnotherTenantDoesNotOpen() {
    Sealed sealed = sealer.seal(keys, FIELD, VALUE);
    SealedField theirs = new SealedField(OTHER_TENANT, "token", "card-1", "data");

    assertThatThrownBy(() -> sealer.open(keys(OTHER_TENANT, 1), theirs, sealed))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> sealer.open(keys, theirs, sealed))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aDataKeyThatWasMovedToAnotherTenantDoesNotUnwrap() {
    Sealed sealed = sealer.seal(keys, FIELD, VALUE);
    TenantKeys stolen = new TenantKeys(OTHER_TENANT, keys.versions());
    SealedField theirs = new SealedField(OTHER_TENANT, "token", "card-1", "data");

    assertThatThrownBy(() -> sealer.open(stolen, theirs, sealed)).hasMessageContaining("data key");
    assertThatThrownBy(() -> sealer.open(stolen, FIELD, sealed)).hasMessageContaining("data key");
    assertThatThrownBy(() -> sealer.seal(stolen, theirs, VALUE))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("data key");
  }

  @Test
  void aDataKeyUnderAnotherVersionDoesNotUnwrap() {
    Sealed sealed = sealer.seal(keys, FIELD, VALUE);
    WrappedKey renumbered = new WrappedKey(2, keys.current().wrapped());
    TenantKeys renamed = new TenantKeys(TENANT, List.of(renumbered));

    assertThatThrownBy(() -> sealer.open(renamed, FIELD, new Sealed(2, sealed.ciphertext())))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("data key");
  }

  @Test
  void everyByteOfACiphertextCounts() {
    byte[] ciphertext = sealer.seal(keys, FIELD, VALUE).ciphertext();
    for (int i = 0; i < ciphertext.length; i++) {
      byte[] changed = ciphertext.clone();
      changed[i] ^= 1;

      assertThatThrownBy(() -> sealer.open(keys, FIELD, new Sealed(1, changed)))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void everyBeginningOfACiphertextIsRefused() {
    byte[] ciphertext = sealer.seal(keys, FIELD, VALUE).ciphertext();
    for (int length = 0; length < ciphertext.length; length++) {
      byte[] shortened = Arrays.copyOf(ciphertext, length);

      assertThatThrownBy(() -> sealer.open(keys, FIELD, new Sealed(1, shortened)))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void everyByteOfAWrappedKeyCounts() {
    Sealed sealed = sealer.seal(keys, FIELD, VALUE);
    byte[] wrapped = keys.current().wrapped();
    for (int i = 0; i < wrapped.length; i++) {
      byte[] changed = wrapped.clone();
      changed[i] ^= 1;
      TenantKeys broken = new TenantKeys(TENANT, List.of(new WrappedKey(1, changed)));

      assertThatThrownBy(() -> sealer.open(broken, FIELD, sealed))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void anotherMasterKeysetOpensNothing() {
    Sealed sealed = sealer.seal(keys, FIELD, VALUE);
    TinkSealer stranger = new TinkSealer(MasterKeyset.generate());

    assertThatThrownBy(() -> stranger.open(keys, FIELD, sealed))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("sealed token data (key version 1)")
        .hasMessageContaining("another master keyset");
  }

  @Test
  void anOlderVersionStillOpensWhileTheNewestSeals() {
    Sealed old = sealer.seal(keys, FIELD, VALUE);
    TenantKeys rotated = new TenantKeys(TENANT, List.of(keys.current(), sealer.newKey(TENANT, 2)));
    Sealed fresh = sealer.seal(rotated, FIELD, VALUE);

    assertThat(fresh.keyVersion()).isEqualTo(2);
    assertThat(sealer.open(rotated, FIELD, old)).isEqualTo(VALUE);
    assertThat(sealer.open(rotated, FIELD, fresh)).isEqualTo(VALUE);
    assertThatThrownBy(() -> sealer.open(rotated, FIELD, new Sealed(1, fresh.ciphertext())))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aMissingKeyVersionIsNamed() {
    Sealed sealed = sealer.seal(keys, FIELD, VALUE);

    assertThatThrownBy(() -> sealer.open(keys(TENANT, 4), FIELD, sealed))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "sealed token data (key version 1) does not open: the tenant has no key of that"
                + " version");
  }

  @Test
  void dataKeysOutliveTheMasterKeyThatWrappedThemWhileItIsKept() throws Exception {
    KeysetHandle before = handle(PredefinedAeadParameters.AES256_GCM, AeadConfig2026.get());
    KeysetHandle hashing = handle(PredefinedPrfParameters.HMAC_SHA256_PRF, PrfConfig2026.get());
    KeysetHandle.Builder.Entry newest =
        KeysetHandle.generateEntryFromParameters(PredefinedAeadParameters.AES256_GCM)
            .withRandomId()
            .makePrimary();
    KeysetHandle after =
        KeysetHandle.newBuilder(before)
            .setConfiguration(AeadConfig2026.get())
            .addEntry(newest)
            .build();
    TinkSealer old = new TinkSealer(new MasterKeyset(before, hashing));
    TinkSealer rotated = new TinkSealer(new MasterKeyset(after, hashing));
    TenantKeys wrappedBefore = new TenantKeys(TENANT, List.of(old.newKey(TENANT, 1)));
    TenantKeys wrappedAfter = new TenantKeys(TENANT, List.of(rotated.newKey(TENANT, 1)));
    Sealed sealed = old.seal(wrappedBefore, FIELD, VALUE);

    assertThat(rotated.open(wrappedBefore, FIELD, sealed)).isEqualTo(VALUE);
    assertThatThrownBy(() -> old.seal(wrappedAfter, FIELD, VALUE))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("data key");
  }

  private static KeysetHandle handle(Parameters parameters, Configuration configuration)
      throws GeneralSecurityException {
    return KeysetHandle.generateNew(parameters, configuration);
  }

  @Test
  void manyThreadsShareOneSealer() throws Exception {
    TinkSealer small = new TinkSealer(master, 2);
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

  private Callable<Boolean> roundTrip(TinkSealer shared, int number) {
    TenantId tenant = new TenantId(new UUID(9, number));
    SealedField field = new SealedField(tenant, "token", "card-1", "data");
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
    TinkSealer small = new TinkSealer(master, 2);
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 5; i++) {
        TenantId tenant = new TenantId(new UUID(9, i));
        SealedField field = new SealedField(tenant, "token", "card-1", "data");
        TenantKeys theirs = keys(tenant, 1);

        assertThat(small.open(theirs, field, small.seal(theirs, field, VALUE))).isEqualTo(VALUE);
      }
    }
  }

  @Test
  void aReplacedDataKeyOfTheSameVersionIsNotTakenFromMemory() {
    Sealed sealed = sealer.seal(keys, FIELD, VALUE);

    assertThatThrownBy(() -> sealer.open(keys(TENANT, 1), FIELD, sealed))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void nothingIsPrinted() {
    Sealed sealed = sealer.seal(keys, FIELD, VALUE);

    assertThat(List.of(sealer, sealed, keys, sealer.open(keys, FIELD, sealed)))
        .asString()
        .doesNotContain("marker");
  }

  private TenantKeys keys(TenantId tenant, int version) {
    return new TenantKeys(tenant, List.of(sealer.newKey(tenant, version)));
  }
}
