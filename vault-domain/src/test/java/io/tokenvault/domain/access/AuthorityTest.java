package io.tokenvault.domain.access;

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

  @Test
  void callerWithMissingCreatorIsDeniedEverything() {
    Authority orphan = Authority.of(ALL_TOKENS).limitedBy(AccessPolicy.none());
    TokenTraits token = new TokenTraits("token-1", Set.of(new Container("/")));
    for (Permission permission : Permission.values()) {
      assertThat(orphan.decide(permission, token).isAllowed()).isFalse();
      assertThat(orphan.grants(permission)).isFalse();
      assertThat(orphan.scope(permission).contains(token)).isFalse();
    }
  }

  @Test
  void ceilingLowersOnlyWhatIsShown() {
    Authority free =
        Authority.of(
            rules(
                rule(2, "/", AccessTransform.REVEAL, Permission.TOKEN_READ),
                rule(1, "/", AccessTransform.MASK, Permission.TOKEN_USE)));

    Authority masked = free.atMost(AccessTransform.MASK);

    Decision.Allow was = (Decision.Allow) free.decide(Permission.TOKEN_READ, ANY_TOKEN);
    assertThat(was.skipped()).hasSize(1);
    assertThat(masked.decide(Permission.TOKEN_READ, ANY_TOKEN))
        .isEqualTo(
            new Decision.Allow(
                AccessTransform.MASK,
                new Decision.Basis.ByCeiling(was.because(), AccessTransform.REVEAL),
                was.skipped()));
    assertThat(masked.decide(Permission.TOKEN_DELETE, ANY_TOKEN))
        .isEqualTo(free.decide(Permission.TOKEN_DELETE, ANY_TOKEN));
    assertThat(free.atMost(AccessTransform.REVEAL).decide(Permission.TOKEN_READ, ANY_TOKEN))
        .isEqualTo(was);
  }

  private static AccessPolicy rules(AccessRule... rules) {
    return new AccessPolicy(List.of(), List.of(rules));
  }

  private static AccessRule rule(
      int priority, String container, AccessTransform transform, Permission permission) {
    return new AccessRule(
        "r" + priority,
        priority,
        new TokenSelector.InContainer(new Container(container)),
        transform,
        List.of(permission));
  }

  private static final AccessPolicy REVEALS =
      rules(rule(1, "/", AccessTransform.REVEAL, Permission.TOKEN_READ));

  private static String explain(Authority authority) {
    return authority.decide(Permission.TOKEN_READ, ANY_TOKEN).explain();
  }

  private static Authority bounded(AccessPolicy creator) {
    return Authority.of(REVEALS).limitedBy(creator);
  }

  @Test
  void explanationNamesCreatorWhereCreatorDecides() {
    assertThat(explain(bounded(AccessPolicy.none())))
        .isEqualTo(
            "the creator is denied: neither a rule nor a direct permission grants token:read");
    assertThat(explain(bounded(ALL_TOKENS)))
        .isEqualTo("the permission granted directly to the creator allows it (mask)");
    assertThat(
            explain(
                bounded(
                    rules(
                        rule(4, "/b/", AccessTransform.REVEAL, Permission.TOKEN_READ),
                        rule(5, "/", AccessTransform.REDACT, Permission.TOKEN_READ)))))
        .isEqualTo(
            "the creator's rule 4 'r4' does not cover the token; the creator's rule 5 'r5' allows"
                + " it (redact)");
  }

  @Test
  void explanationNamesOwnRuleWhereCreatorAllowsAsMuch() {
    assertThat(explain(bounded(REVEALS))).isEqualTo("rule 1 'r1' allows it (reveal)");
    assertThat(explain(Authority.of(AccessPolicy.none()).limitedBy(AccessPolicy.none())))
        .isEqualTo("neither a rule nor a direct permission grants token:read");
  }

  @Test
  void explanationNamesCeilingAndTransformOfLoweredRule() {
    assertThat(explain(Authority.of(REVEALS).atMost(AccessTransform.MASK)))
        .isEqualTo("the ceiling, which is below rule 1 'r1' (reveal), allows it (mask)");
    assertThat(
            Authority.of(REVEALS)
                .decide(Permission.TOKEN_READ, ANY_TOKEN)
                .atMost(AccessTransform.MASK)
                .atMost(AccessTransform.REDACT)
                .explain())
        .isEqualTo("the ceiling, which is below rule 1 'r1' (reveal), allows it (redact)");
    assertThat(explain(Authority.of(REVEALS).atMost(AccessTransform.REVEAL)))
        .isEqualTo("rule 1 'r1' allows it (reveal)");
    assertThat(explain(bounded(ALL_TOKENS).atMost(AccessTransform.REDACT)))
        .isEqualTo(
            "the ceiling, which is below the permission granted directly to the creator (mask),"
                + " allows it (redact)");
  }

  @Test
  void outcomeStatesHowMuchIsShown() {
    Authority authority =
        Authority.of(
            AccessPolicyDraft.empty()
                .rule("none", "/a/", AccessTransform.REDACT, Permission.TOKEN_READ)
                .rule("some", "/b/", AccessTransform.MASK, Permission.TOKEN_READ)
                .rule("all", "/c/", AccessTransform.REVEAL, Permission.TOKEN_READ)
                .parse(ApplicationType.PRIVATE));

    assertThat(List.of("/a/", "/b/", "/c/", "/d/"))
        .extracting(
            path -> authority.decide(Permission.TOKEN_READ, TokenTraits.of("t", path)).outcome())
        .containsExactly(Outcome.REDACTED, Outcome.MASKED, Outcome.REVEALED, Outcome.DENIED);
  }

  @Test
  void laterLimitDoesNotReplaceAnEarlierOne() {
    Authority twice = bounded(AccessPolicy.none()).limitedBy(ALL_TOKENS);

    assertThat(twice.decide(Permission.TOKEN_READ, ANY_TOKEN).isAllowed()).isFalse();
    assertThat(twice.grants(Permission.TOKEN_READ)).isFalse();
    assertThat(twice.scope(Permission.TOKEN_READ).contains(ANY_TOKEN)).isFalse();
  }

  @Test
  void createAndUpdateAreNeededInEachContainer() {
    Authority authority =
        Authority.of(
            rules(
                rule(1, "/a/", AccessTransform.REVEAL, Permission.TOKEN_UPDATE),
                rule(2, "/b/", AccessTransform.MASK, Permission.TOKEN_UPDATE),
                rule(3, "/a/", AccessTransform.REVEAL, Permission.TOKEN_READ)));
    TokenTraits both = TokenTraits.of("t", "/a/", "/b/");
    TokenTraits more = TokenTraits.of("t", "/a/", "/c/");

    assertThat(authority.decide(Permission.TOKEN_UPDATE, both).conclusion())
        .isEqualTo("rule 2 'r2' allows it (mask)");
    assertThat(authority.decidingContainer(Permission.TOKEN_UPDATE, both))
        .isEqualTo(TokenTraits.of("t", "/b/"));
    assertThat(authority.decide(Permission.TOKEN_UPDATE, more).outcome()).isEqualTo(Outcome.DENIED);
    assertThat(authority.decide(Permission.TOKEN_READ, more).outcome()).isEqualTo(Outcome.REVEALED);
    assertThat(authority.decidingContainer(Permission.TOKEN_READ, more)).isEqualTo(more);
  }

  @Test
  void tokenWithoutContainersIsCoveredByNoRule() {
    TokenTraits nowhere = TokenTraits.of("t");
    for (Permission permission : List.of(Permission.TOKEN_CREATE, Permission.TOKEN_READ)) {
      Authority direct = Authority.of(ALL_TOKENS);
      Authority ruled = Authority.of(rules(rule(1, "/", AccessTransform.REVEAL, permission)));

      assertThat(direct.decide(permission, nowhere).outcome()).isEqualTo(Outcome.MASKED);
      assertThat(ruled.decide(permission, nowhere).outcome()).isEqualTo(Outcome.DENIED);
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
