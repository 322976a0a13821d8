package io.tokenvault.ports.contract.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.contract.BrokenLaw;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.KeyWrapper;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.crypto.TokenHash;
import io.tokenvault.ports.crypto.TokenHasher;
import io.tokenvault.ports.crypto.WrappedKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Contract tests for {@link TokenHasher}. */
@ExtendWith(BrokenLaw.class)
public abstract class TokenHasherContract {

  private static final String TEXT = "planted-text-9f1c";

  private TokenHasher hasher;
  private KeyWrapper wrapper;
  private TenantId tenant;
  private TenantKeys keys;

  protected abstract TokenHasher hasher();

  /** Creates keys for the hasher. */
  protected abstract KeyWrapper wrapper();

  @BeforeEach
  void createKeys() {
    hasher = hasher();
    wrapper = wrapper();
    tenant = Samples.tenantId();
    keys = keys(tenant);
  }

  private TenantKeys keys(TenantId owner) {
    return new TenantKeys(
        owner,
        Arrays.stream(KeyPurpose.values())
            .map(purpose -> wrapper.create(owner, purpose, 1))
            .toList());
  }

  private TenantKeys withSecond(KeyPurpose purpose) {
    List<WrappedKey> all = new ArrayList<>(keys.keys());
    all.add(wrapper.create(tenant, purpose, 2));
    return new TenantKeys(tenant, all);
  }

  private String fingerprint(TenantKeys tenantKeys, TokenType type, String text) {
    return hasher.fingerprint(tenantKeys, type, text).hex();
  }

  private String index(TenantKeys tenantKeys, String text) {
    return hasher.searchIndex(tenantKeys, text).hex();
  }

  @Test
  void hashesAreHexadecimalAndHideText() {
    for (String text : List.of("", TEXT, "\uD83D\uDD10\0", "x".repeat(1 << 20))) {
      assertThat(fingerprint(keys, TokenType.TOKEN, text)).matches("[0-9a-f]{64}");
      assertThat(index(keys, text)).matches("[0-9a-f]{64}");
    }
    assertThat(hasher.searchIndex(keys, TEXT).keyVersion()).isEqualTo(1);
  }

  @Test
  void onlyEqualStringsHashEqually() {
    String copy = new StringBuilder(TEXT).toString();

    assertThat(fingerprint(keys, TokenType.CARD, copy))
        .isEqualTo(fingerprint(keys, TokenType.CARD, TEXT))
        .isNotEqualTo(fingerprint(keys, TokenType.CARD, TEXT + " "));
    assertThat(index(keys, copy))
        .isEqualTo(index(keys, TEXT))
        .isNotEqualTo(index(keys, TEXT.toUpperCase(Locale.ROOT)));
  }

  @Test
  void typesHashDifferently() {
    assertThat(Arrays.stream(TokenType.values()).map(type -> fingerprint(keys, type, TEXT)))
        .doesNotHaveDuplicates();
  }

  @Test
  void typeAndStringAreUnambiguouslySeparated() {
    assertThat(fingerprint(keys, TokenType.CARD, "_number" + TEXT))
        .isNotEqualTo(fingerprint(keys, TokenType.CARD_NUMBER, TEXT));
  }

  @Test
  void purposesHashDifferently() {
    assertThat(Arrays.stream(TokenType.values()).map(type -> fingerprint(keys, type, TEXT)))
        .doesNotContain(index(keys, TEXT));
  }

  @Test
  void requestHashesDifferFromTokenHashes() {
    String request = hasher.requests(keys, TEXT).get(0).hex();

    assertThat(Arrays.stream(TokenType.values()).map(type -> fingerprint(keys, type, TEXT)))
        .doesNotContain(request);
    assertThat(request).matches("[0-9a-f]{64}").isNotEqualTo(index(keys, TEXT));
    assertThat(hasher.requests(keys, TEXT).get(0).hex()).isEqualTo(request);
    assertThat(hasher.requests(keys(Samples.tenantId()), TEXT).get(0).hex()).isNotEqualTo(request);
    assertThat(hasher.requests(withSecond(KeyPurpose.FINGERPRINT), TEXT))
        .extracting(TokenHash::keyVersion)
        .containsExactly(2, 1);
  }

  @Test
  void tenantsHashDifferently() {
    TenantKeys others = keys(Samples.tenantId());

    assertThat(fingerprint(others, TokenType.CARD, TEXT))
        .isNotEqualTo(fingerprint(keys, TokenType.CARD, TEXT));
    assertThat(index(others, TEXT)).isNotEqualTo(index(keys, TEXT));
  }

  @Test
  void hashesCoverAllVersionsCurrentFirst() {
    TenantKeys two = withSecond(KeyPurpose.SEARCH_INDEX);

    List<TokenHash> hashes = hasher.searchIndexes(two, TEXT);

    assertThat(hashes).extracting(TokenHash::keyVersion).containsExactly(2, 1);
    assertThat(hashes.get(1)).isEqualTo(hasher.searchIndex(keys, TEXT));
    assertThat(hashes.get(0).hex()).isNotEqualTo(hashes.get(1).hex());
    assertThat(hasher.searchIndex(two, TEXT)).isEqualTo(hashes.get(0));
    assertThat(hasher.fingerprints(two, TokenType.CARD, TEXT)).hasSize(1);
    assertThat(hasher.fingerprints(withSecond(KeyPurpose.FINGERPRINT), TokenType.CARD, TEXT))
        .extracting(TokenHash::keyVersion)
        .containsExactly(2, 1);
  }

  @Test
  void missingKeyForPurposePreventsHashing() {
    TenantKeys none = new TenantKeys(tenant, keys.versions(KeyPurpose.DATA));

    assertThatThrownBy(() -> hasher.searchIndexes(none, TEXT))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageNotContaining(TEXT);
    assertThatThrownBy(() -> hasher.fingerprints(none, TokenType.CARD, TEXT))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageNotContaining(TEXT);
  }
}
