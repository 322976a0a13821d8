package io.tokenvault.server.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.spi.KeyPurpose;
import io.tokenvault.ports.spi.SealedField;
import java.util.HexFormat;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class AssociatedDataTest {

  private static final TenantId TENANT = new TenantId(new UUID(1, 2));

  @Test
  void storedDataDependOnTheseBytes() {
    SealedField field = new SealedField(TENANT, "token", "\u00e9", "data");

    assertThat(HexFormat.of().formatHex(AssociatedData.of(field)))
        .isEqualTo(
            "0102"
                + "00000000000000010000000000000002"
                + "00000005746f6b656e"
                + "00000002c3a9"
                + "0000000464617461");
    assertThat(ofKey(KeyPurpose.DATA))
        .isEqualTo("0101" + "00000000000000010000000000000002" + "00000003");
    assertThat(ofKey(KeyPurpose.FINGERPRINT))
        .isEqualTo("0103" + "00000000000000010000000000000002" + "00000003");
    assertThat(ofKey(KeyPurpose.SEARCH_INDEX))
        .isEqualTo("0104" + "00000000000000010000000000000002" + "00000003");
  }

  private static String ofKey(KeyPurpose purpose) {
    return HexFormat.of().formatHex(AssociatedData.ofKey(TENANT, purpose, 3));
  }

  @Test
  void aNameWithoutUtf8FormIsRefusedAndNotBlurred() {
    SealedField field = new SealedField(TENANT, "token", "\ud800", "data");

    assertThatThrownBy(() -> AssociatedData.of(field)).isInstanceOf(IllegalArgumentException.class);
  }
}
