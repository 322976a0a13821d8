package io.tokenvault.server.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.contract.crypto.TokenHasherContract;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.KeyWrapper;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.crypto.TokenHash;
import io.tokenvault.ports.crypto.TokenHasher;
import io.tokenvault.ports.crypto.WrappedKey;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class TinkTokenHasherTest extends TokenHasherContract {

  private static final TenantId TENANT = new TenantId(new UUID(1, 2));
  private static final TenantId OTHER_TENANT = new TenantId(new UUID(1, 3));
  private static final String CONTENT = "marker 4242";

  private final MasterKeyset master = MasterKeyset.generate();
  private final TinkKeyWrapper wrapper = new TinkKeyWrapper(master);
  private final TinkTenantCrypto hasher = new TinkTenantCrypto(master);
  private final TenantKeys keys = keys(TENANT, 1);

  @Override
  protected TokenHasher hasher() {
    return hasher;
  }

  @Override
  protected KeyWrapper wrapper() {
    return wrapper;
  }

  @Test
  void hashIsIdenticalInEveryProcess() {
    assertThat(new TinkTenantCrypto(master).fingerprint(keys, TokenType.CARD, CONTENT))
        .isEqualTo(hasher.fingerprint(keys, TokenType.CARD, CONTENT));
  }

  @Test
  void differentStringsHaveDifferentHashesEvenIfMalformed() {
    List<String> strings =
        List.of("", "a", "A", "\u00e9", "e\u0301", "?", "\ud83d", "\ude00", "\ud83d\ude00", "\0");

    assertThat(strings).extracting(text -> hasher.searchIndex(keys, text)).doesNotHaveDuplicates();
  }

  @Test
  void rewrappedKeyProducesIdenticalHash() {
    MasterKeyset promoted = master.withNewKey().promoted();
    TinkKeyWrapper rotated = new TinkKeyWrapper(promoted);
    List<WrappedKey> again = keys.keys().stream().map(key -> rotated.rewrap(TENANT, key)).toList();
    TenantKeys rewrapped = new TenantKeys(TENANT, again);

    assertThat(new TinkTenantCrypto(promoted).searchIndex(rewrapped, CONTENT))
        .isEqualTo(hasher.searchIndex(keys, CONTENT));
  }

  @Test
  void keysOfOtherTenantOrMasterKeysetAreRejected() {
    TenantKeys stolen = new TenantKeys(OTHER_TENANT, keys.keys());
    TinkTenantCrypto otherHasher = new TinkTenantCrypto(MasterKeyset.generate());

    assertRefused(() -> hasher.searchIndex(stolen, CONTENT));
    assertRefused(() -> otherHasher.searchIndex(keys, CONTENT));
    assertRefused(() -> otherHasher.fingerprints(keys, TokenType.TOKEN, CONTENT));
  }

  @Test
  void hashIsIdenticalAfterKeysLeaveCache() {
    TinkTenantCrypto small = new TinkTenantCrypto(master, 1, 1);
    TenantKeys rotated = keys(TENANT, 3);
    List<TokenHash> first = small.searchIndexes(rotated, CONTENT);

    assertThat(small.searchIndexes(rotated, CONTENT)).isEqualTo(first);
  }

  private static void assertRefused(Runnable hashing) {
    assertThatThrownBy(hashing::run)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageNotContaining("marker");
  }

  private TenantKeys keys(TenantId tenant, int versions) {
    List<WrappedKey> all = new ArrayList<>();
    for (int version = 1; version <= versions; version++) {
      for (KeyPurpose purpose : KeyPurpose.values()) {
        all.add(wrapper.create(tenant, purpose, version));
      }
    }
    return new TenantKeys(tenant, all);
  }
}
