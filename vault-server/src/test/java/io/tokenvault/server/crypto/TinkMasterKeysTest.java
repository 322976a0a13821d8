package io.tokenvault.server.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.KeyProof;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.MasterKeyId;
import io.tokenvault.ports.crypto.MasterKeyId.Use;
import io.tokenvault.ports.crypto.WrappedKey;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class TinkMasterKeysTest {

  private static final TenantId TENANT = new TenantId(UUID.randomUUID());

  private final MasterKeyset keyset = MasterKeyset.generate();
  private final TinkMasterKeys keys = new TinkMasterKeys(keyset);

  @ParameterizedTest
  @EnumSource
  void proofIsConfirmedOnlyByHolderOfKey(Use use) {
    KeyProof proof = keys.prove(keys.primary(use));
    assertThat(keys.confirms(proof)).isTrue();
    TinkMasterKeys later = new TinkMasterKeys(keyset.withNewKey().promoted());
    assertThat(later.confirms(proof)).isTrue();
    TinkMasterKeys others = new TinkMasterKeys(MasterKeyset.generate());
    KeyProof claimed = new KeyProof(others.primary(use), proof.proof());
    assertThat(others.confirms(claimed)).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void newKeyIsPrimaryOncePromoted(Use use) {
    MasterKeyset added = keyset.withNewKey();
    assertThat(added.hasUnpromotedKeys()).isTrue();
    assertThat(new TinkMasterKeys(added).primary(use)).isEqualTo(keys.primary(use));
    assertThat(new TinkMasterKeys(added).ids()).hasSize(4).containsAll(keys.ids());
    assertThat(added.promoted().hasUnpromotedKeys()).isFalse();
    assertThat(new TinkMasterKeys(added.promoted()).primary(use)).isNotEqualTo(keys.primary(use));
  }

  @Test
  void wrappedKeyIsUnwrappedOnlyByHolderOfMasterKey() {
    WrappedKey wrapped = new TinkKeyWrapper(keyset).create(TENANT, KeyPurpose.DATA, 1);
    MasterKeyId wrapping = keys.primary(Use.WRAPPING);
    assertThat(keys.wrapping(wrapped)).isEqualTo(wrapping);
    assertThat(keys.unwraps(TENANT, wrapped)).isTrue();
    assertThat(keys.unwraps(new TenantId(UUID.randomUUID()), wrapped)).isFalse();
    assertThat(new TinkMasterKeys(MasterKeyset.generate()).unwraps(TENANT, wrapped)).isFalse();
  }
}
