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

final class MasterKeyProofTest {

  private static final TenantId TENANT = new TenantId(UUID.randomUUID());

  private final MasterKeyset keys = MasterKeyset.generate();

  @ParameterizedTest
  @EnumSource
  void proofIsConfirmedOnlyByHolderOfKey(Use use) {
    KeyProof proof = keys.prove(keys.primary(use));
    assertThat(keys.confirms(proof)).isTrue();
    MasterKeyset later = keys.withNewKey().promoted();
    assertThat(later.confirms(proof)).isTrue();
    MasterKeyset others = MasterKeyset.generate();
    KeyProof claimed = new KeyProof(others.primary(use), proof.proof());
    assertThat(others.confirms(claimed)).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void newKeyIsPrimaryOncePromoted(Use use) {
    MasterKeyset added = keys.withNewKey();
    assertThat(added.hasUnpromotedKeys()).isTrue();
    assertThat(added.primary(use)).isEqualTo(keys.primary(use));
    assertThat(added.ids()).hasSize(4).containsAll(keys.ids());
    assertThat(added.promoted().hasUnpromotedKeys()).isFalse();
    assertThat(added.promoted().primary(use)).isNotEqualTo(keys.primary(use));
  }

  @Test
  void wrappedKeyIsUnwrappedOnlyByHolderOfMasterKey() {
    WrappedKey wrapped = new TinkKeyWrapper(keys).create(TENANT, KeyPurpose.DATA, 1);
    MasterKeyId wrapping = keys.primary(Use.WRAPPING);
    assertThat(keys.wrapping(wrapped)).isEqualTo(wrapping);
    assertThat(keys.unwraps(TENANT, wrapped)).isTrue();
    assertThat(keys.unwraps(new TenantId(UUID.randomUUID()), wrapped)).isFalse();
    assertThat(MasterKeyset.generate().unwraps(TENANT, wrapped)).isFalse();
  }
}
