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

  private static final TokenTraits ANY_TOKEN =
      new TokenTraits("token-1", Set.of(new Container("/a/")));

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
  void aCeilingLowersWhatIsShownAndNothingElse() {
    AccessRule rule =
        new AccessRule(
            "all",
            2,
            new TokenSelector.InContainer(new Container("/")),
            AccessTransform.REVEAL,
            List.of(Permission.TOKEN_READ));
    AccessRule skipped =
        new AccessRule(
            "use",
            1,
            new TokenSelector.InContainer(new Container("/")),
            AccessTransform.MASK,
            List.of(Permission.TOKEN_USE));
    Authority free = Authority.of(new AccessPolicy(List.of(), List.of(rule, skipped)));

    Authority masked = free.atMost(AccessTransform.MASK);

    Decision.Allow was = (Decision.Allow) free.decide(Permission.TOKEN_READ, ANY_TOKEN);
    assertThat(was.skipped()).hasSize(1);
    assertThat(masked.decide(Permission.TOKEN_READ, ANY_TOKEN))
        .isEqualTo(new Decision.Allow(AccessTransform.MASK, was.because(), was.skipped()));
    assertThat(masked.decide(Permission.TOKEN_DELETE, ANY_TOKEN))
        .isEqualTo(free.decide(Permission.TOKEN_DELETE, ANY_TOKEN));
    assertThat(free.atMost(AccessTransform.REVEAL).decide(Permission.TOKEN_READ, ANY_TOKEN))
        .isEqualTo(was);
  }

  @Test
  void aCeilingIsNotRaisedByAnother() {
    Authority low =
        Authority.of(ALL_TOKENS).atMost(AccessTransform.REDACT).atMost(AccessTransform.REVEAL);
    Authority lowered =
        Authority.of(ALL_TOKENS).atMost(AccessTransform.REVEAL).atMost(AccessTransform.REDACT);

    for (Authority authority : List.of(low, lowered)) {
      assertThat(((Decision.Allow) authority.decide(Permission.TOKEN_READ, ANY_TOKEN)).transform())
          .isEqualTo(AccessTransform.REDACT);
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
