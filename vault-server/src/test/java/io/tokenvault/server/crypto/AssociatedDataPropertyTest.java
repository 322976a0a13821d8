package io.tokenvault.server.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.FieldBinding;
import java.util.Arrays;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;

class AssociatedDataPropertyTest {

  @Property
  void differentBindingsHaveDifferentBytes(
      @ForAll @IntRange(max = 1) int oneTenant,
      @ForAll @CharRange(from = 'a', to = 'b') @StringLength(max = 2) String oneKind,
      @ForAll @CharRange(from = 'a', to = 'b') @StringLength(max = 2) String oneField,
      @ForAll @IntRange(max = 1) int twoTenant,
      @ForAll @CharRange(from = 'a', to = 'b') @StringLength(max = 2) String twoKind,
      @ForAll @CharRange(from = 'a', to = 'b') @StringLength(max = 2) String twoField) {
    FieldBinding one =
        new FieldBinding(new TenantId(new UUID(0, oneTenant)), oneKind, "r", oneField);
    FieldBinding two =
        new FieldBinding(new TenantId(new UUID(0, twoTenant)), twoKind, "r", twoField);

    boolean sameBytes =
        Arrays.equals(
            TinkTenantCrypto.AssociatedData.of(one), TinkTenantCrypto.AssociatedData.of(two));
    assertThat(sameBytes).isEqualTo(one.equals(two));
  }
}
