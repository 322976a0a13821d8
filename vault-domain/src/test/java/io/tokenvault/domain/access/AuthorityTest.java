package io.tokenvault.domain.access;

import static io.tokenvault.domain.access.AccessPolicyTest.policy;
import static io.tokenvault.domain.access.AccessPolicyTest.rule;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.Decision.Outcome;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AuthorityTest {

  private static final AccessPolicy ALL_TOKENS =
      new AccessPolicy(Permission.heldBy(ApplicationType.PRIVATE), List.of());

  private static final TokenTraits ANY_TOKEN =
      new TokenTraits("token-1", Set.of(new Container("/a/")));

  private static final AccessPolicy REVEALS =
      policy(rule("r1", 1, "/", AccessTransform.REVEAL, Permission.TOKEN_READ));

  private static Authority limitedBy(AccessPolicy creator) {
    return Authority.of(REVEALS).limitedBy(creator);
  }

  @Test
  void explanationNamesRulesOfCreatorWhereCreatorDecides() {
    AccessPolicy creator =
        policy(
            rule("r4", 4, "/b/", AccessTransform.REVEAL, Permission.TOKEN_READ),
            rule("r5", 5, "/", AccessTransform.REDACT, Permission.TOKEN_READ));

    assertThat(limitedBy(creator).decide(Permission.TOKEN_READ, ANY_TOKEN).explain())
        .isEqualTo(
            "the creator's rule 4 'r4' does not cover the token; the creator's rule 5 'r5' allows"
                + " it (redact)");
  }

  @Test
  void lowerOfTwoCeilingsNamesTransformOfRule() {
    assertThat(
            Authority.of(REVEALS)
                .decide(Permission.TOKEN_READ, ANY_TOKEN)
                .atMost(AccessTransform.MASK)
                .atMost(AccessTransform.REDACT)
                .explain())
        .isEqualTo("the ceiling, which is below rule 1 'r1' (reveal), allows it (redact)");
  }

  @Test
  void laterLimitDoesNotReplaceEarlierOne() {
    Authority twice = limitedBy(AccessPolicy.none()).limitedBy(ALL_TOKENS);

    assertThat(twice.decide(Permission.TOKEN_READ, ANY_TOKEN).isAllowed()).isFalse();
    assertThat(twice.grants(Permission.TOKEN_READ)).isFalse();
    assertThat(twice.scope(Permission.TOKEN_READ).contains(ANY_TOKEN)).isFalse();
  }

  @Test
  void tokenWithoutContainersIsCoveredByNoRule() {
    TokenTraits noContainers = TokenTraits.of("t");
    for (Permission permission : List.of(Permission.TOKEN_CREATE, Permission.TOKEN_READ)) {
      Authority direct = Authority.of(ALL_TOKENS);
      Authority ruled =
          Authority.of(policy(rule("r1", 1, "/", AccessTransform.REVEAL, permission)));

      assertThat(direct.decide(permission, noContainers).outcome()).isEqualTo(Outcome.MASKED);
      assertThat(ruled.decide(permission, noContainers).outcome()).isEqualTo(Outcome.DENIED);
    }
  }

  @Test
  void transformsAreOrderedFromRedactToReveal() {
    assertThat(AccessTransform.values())
        .extracting(AccessTransform::value)
        .containsExactly("redact", "mask", "reveal");
    assertThat(AccessTransform.MASK.weaker(AccessTransform.REVEAL)).isEqualTo(AccessTransform.MASK);
    assertThat(AccessTransform.MASK.weaker(AccessTransform.REDACT))
        .isEqualTo(AccessTransform.REDACT);
    assertThat(AccessTransform.of("Mask")).isEmpty();
  }
}
