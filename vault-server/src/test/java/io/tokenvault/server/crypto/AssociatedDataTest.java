package io.tokenvault.server.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.crypto.FieldBinding;
import io.tokenvault.ports.crypto.KeyPurpose;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.UUID;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class AssociatedDataTest {

  private static final TenantId TENANT = new TenantId(new UUID(1, 2));

  @Test
  void associatedDataBytesAreStable() {
    FieldBinding field = new FieldBinding(TENANT, "token", "\u00e9", "data");

    assertThat(HexFormat.of().formatHex(TinkTenantCrypto.AssociatedData.of(field)))
        .isEqualTo(
            "0102"
                + "00000000000000010000000000000002"
                + "00000005746f6b656e"
                + "00000002c3a9"
                + "0000000464617461");
    assertThat(bytesOfKey(KeyPurpose.DATA))
        .isEqualTo("0101" + "00000000000000010000000000000002" + "00000003");
    assertThat(bytesOfKey(KeyPurpose.FINGERPRINT))
        .isEqualTo("0103" + "00000000000000010000000000000002" + "00000003");
    assertThat(bytesOfKey(KeyPurpose.SEARCH_INDEX))
        .isEqualTo("0104" + "00000000000000010000000000000002" + "00000003");
  }

  /** Tests the names of field bindings, without which stored ciphertexts cannot be decrypted. */
  @Test
  void fieldBindingsHaveStableNames() {
    TokenId token = new TokenId("tok");
    ProxyId proxy = new ProxyId(new UUID(3, 4));
    UUID request = new UUID(5, 6);

    assertThat(
            Stream.of(
                FieldBinding.tokenData(TENANT, token),
                FieldBinding.tokenShortLivedData(TENANT, token),
                FieldBinding.tokenExpressions(TENANT, token),
                FieldBinding.proxyKey(TENANT, proxy),
                FieldBinding.proxyConfiguration(TENANT, proxy),
                FieldBinding.proxyTransform(TENANT, proxy, TransformKind.REQUEST),
                FieldBinding.proxyTransform(TENANT, proxy, TransformKind.RESPONSE),
                FieldBinding.response(TENANT, request)))
        .extracting(field -> field.kind() + " " + field.recordId() + " " + field.field())
        .containsExactly(
            "token tok data",
            "token tok short_lived_data",
            "token tok expressions",
            "proxy 00000000-0000-0003-0000-000000000004 key",
            "proxy 00000000-0000-0003-0000-000000000004 configuration",
            "proxy 00000000-0000-0003-0000-000000000004 request_transform",
            "proxy 00000000-0000-0003-0000-000000000004 response_transform",
            "keyed_request 00000000-0000-0005-0000-000000000006 answer");
  }

  private static String bytesOfKey(KeyPurpose purpose) {
    return HexFormat.of().formatHex(TinkTenantCrypto.AssociatedData.ofKey(TENANT, purpose, 3));
  }

  @Test
  void nameNotEncodableInUtf8IsRejected() {
    FieldBinding field = new FieldBinding(TENANT, "token", "\ud800", "data");

    assertThatThrownBy(() -> TinkTenantCrypto.AssociatedData.of(field))
        .isInstanceOf(IllegalArgumentException.class);
  }

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
