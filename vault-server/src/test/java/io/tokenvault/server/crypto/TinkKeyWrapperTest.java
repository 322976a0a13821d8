package io.tokenvault.server.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.contract.crypto.KeyWrapperContract;
import io.tokenvault.ports.crypto.FieldCipher;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.KeyWrapper;
import io.tokenvault.ports.crypto.MasterKeyId;
import io.tokenvault.ports.crypto.WrappedKey;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TinkKeyWrapperTest extends KeyWrapperContract {

  private static final TenantId TENANT = new TenantId(new UUID(1, 2));

  private final MasterKeyset master = MasterKeyset.generate();
  private final TinkKeyWrapper wrapper = new TinkKeyWrapper(master);
  private final MasterKeyset rotated = master.withNewKey().promoted();

  @Override
  protected KeyWrapper wrapper() {
    return wrapper;
  }

  @Override
  protected KeyWrapper rotatedWrapper() {
    return new TinkKeyWrapper(rotated);
  }

  @Override
  protected FieldCipher cipher() {
    return new TinkTenantCrypto(rotated);
  }

  @ParameterizedTest
  @EnumSource(KeyPurpose.class)
  void rewrappedKeyRequiresOnlyPromotedMasterKey(KeyPurpose purpose) {
    WrappedKey oldKey = wrapper.create(TENANT, purpose, 1);
    KeyWrapper rotatedWrapper = rotatedWrapper();

    WrappedKey newKey = rotatedWrapper.rewrap(TENANT, oldKey);

    assertThat(rotatedWrapper.masterKeyId(oldKey))
        .isEqualTo(master.primary(MasterKeyId.Use.WRAPPING).id());
    assertThat(rotatedWrapper.masterKeyId(newKey))
        .isEqualTo(rotated.primary(MasterKeyId.Use.WRAPPING).id());
    assertThat(newKey.version()).isEqualTo(1);
    assertDoesNotUnwrap(wrapper, TENANT, newKey);
  }

  @ParameterizedTest
  @EnumSource(KeyPurpose.class)
  void anotherMasterKeysetDoesNotUnwrap(KeyPurpose purpose) {
    TinkKeyWrapper otherWrapper = new TinkKeyWrapper(MasterKeyset.generate());

    assertDoesNotUnwrap(otherWrapper, TENANT, wrapper.create(TENANT, purpose, 1));
  }

  @Test
  void keyUnderUnpromotedMasterKeyUnwraps() {
    MasterKeyset prepared = master.withNewKey();
    WrappedKey newKey = new TinkKeyWrapper(prepared.promoted()).create(TENANT, KeyPurpose.DATA, 1);
    TinkKeyWrapper unpromoted = new TinkKeyWrapper(prepared);

    assertThat(unpromoted.masterKeyId(unpromoted.rewrap(TENANT, newKey)))
        .isEqualTo(master.primary(MasterKeyId.Use.WRAPPING).id());
  }

  @Test
  void truncatedKeyIsRejected() {
    WrappedKey key = wrapper.create(TENANT, KeyPurpose.DATA, 1);
    for (int cut = 0; cut < key.wrapped().length; cut++) {
      byte[] shorter = Arrays.copyOf(key.wrapped(), cut);
      assertDoesNotUnwrap(wrapper, TENANT, new WrappedKey(KeyPurpose.DATA, 1, shorter));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "marker", "\u0012\u0002\u0001\u0002", "\u0012\u0005marke"})
  void invalidWrappedKeyNamesNoMasterKey(String bytes) {
    WrappedKey key = new WrappedKey(KeyPurpose.DATA, 1, bytes.getBytes(StandardCharsets.US_ASCII));

    assertThatThrownBy(() -> wrapper.masterKeyId(key))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageNotContaining("mark");
  }

  private static void assertDoesNotUnwrap(TinkKeyWrapper by, TenantId tenant, WrappedKey key) {
    assertThatThrownBy(() -> by.rewrap(tenant, key))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(key.purpose() + " key (version " + key.version() + ")")
        .hasNoCause();
  }
}
