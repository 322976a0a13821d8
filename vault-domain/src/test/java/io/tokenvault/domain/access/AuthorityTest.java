package io.tokenvault.domain.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.permission.ApplicationType;
import io.tokenvault.domain.permission.Permission;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AuthorityTest {

  private static final AccessPolicy ALL_TOKENS =
      new AccessPolicy(Permission.heldBy(ApplicationType.PRIVATE), List.of());

  @Test
  void whoseCreatorIsGoneMayDoNothing() {
    Authority orphan = new Authority(ALL_TOKENS, Optional.of(AccessPolicy.none()));
    TokenTraits token = new TokenTraits("token-1", Set.of(new Container("/")));
    for (Permission permission : Permission.values()) {
      assertThat(orphan.decide(permission, token).isAllowed()).isFalse();
      assertThat(orphan.grants(permission)).isFalse();
      assertThat(orphan.scope(permission).contains(token)).isFalse();
    }
  }

  @Test
  void transformsGrowFromRedactToReveal() {
    assertThat(AccessTransform.values())
        .extracting(AccessTransform::value)
        .containsExactly("redact", "mask", "reveal");
    assertThat(AccessTransform.MASK.weaker(AccessTransform.REVEAL)).isEqualTo(AccessTransform.MASK);
    assertThat(AccessTransform.MASK.weaker(AccessTransform.REDACT))
        .isEqualTo(AccessTransform.REDACT);
    assertThat(AccessTransform.of("Mask")).isEmpty();
  }
}
