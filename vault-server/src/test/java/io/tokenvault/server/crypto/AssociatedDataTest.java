package io.tokenvault.server.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.spi.SealedField;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
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
    assertThat(HexFormat.of().formatHex(AssociatedData.ofDataKey(TENANT, 3)))
        .isEqualTo("0101" + "00000000000000010000000000000002" + "00000003");
  }

  @Property
  void placesThatDifferHaveDifferentBytes(
      @ForAll @IntRange(max = 1) int oneTenant,
      @ForAll @CharRange(from = 'a', to = 'b') @StringLength(max = 2) String oneKind,
      @ForAll @CharRange(from = 'a', to = 'b') @StringLength(max = 2) String oneField,
      @ForAll @IntRange(max = 1) int twoTenant,
      @ForAll @CharRange(from = 'a', to = 'b') @StringLength(max = 2) String twoKind,
      @ForAll @CharRange(from = 'a', to = 'b') @StringLength(max = 2) String twoField) {
    SealedField one = new SealedField(new TenantId(new UUID(0, oneTenant)), oneKind, "r", oneField);
    SealedField two = new SealedField(new TenantId(new UUID(0, twoTenant)), twoKind, "r", twoField);

    boolean sameBytes = Arrays.equals(AssociatedData.of(one), AssociatedData.of(two));
    assertThat(sameBytes).isEqualTo(one.equals(two));
  }

  @Test
  void aNameWithoutUtf8FormIsRefusedAndNotBlurred() {
    SealedField field = new SealedField(TENANT, "token", "\ud800", "data");

    assertThatThrownBy(() -> AssociatedData.of(field)).isInstanceOf(IllegalArgumentException.class);
  }
}
