package io.tokenvault.domain.access;

import static io.tokenvault.domain.access.AccessPolicyTest.policy;
import static io.tokenvault.domain.access.AccessPolicyTest.rule;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.Decision.Allow;
import io.tokenvault.domain.access.Decision.Decider;
import io.tokenvault.domain.access.Decision.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class AuthorityTest implements AccessArbitraries {

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

  @Property
  void unlimitedCallerDecidesByItsOwnPolicy(
      @ForAll("policies") AccessPolicy own,
      @ForAll("permissions") Permission permission,
      @ForAll("tokens") TokenTraits token) {
    Authority authority = Authority.of(own);

    assertThat(authority.decide(permission, token))
        .isEqualTo(own.decide(permission, authority.decidingContainer(permission, token)));
    assertThat(authority.scope(permission)).isEqualTo(own.scope(permission));
    assertThat(authority.grants(permission)).isEqualTo(own.grants(permission));
  }

  @Property
  void weakestPartDecidesAndIsNamed(
      @ForAll("policies") AccessPolicy own,
      @ForAll("policies") AccessPolicy creator,
      @ForAll AccessTransform most,
      @ForAll("permissions") Permission permission,
      @ForAll("tokens") TokenTraits token) {
    Authority authority = Authority.of(own).limitedBy(creator).atMost(most);
    Decision decision = authority.decide(permission, token);
    TokenTraits deciding = authority.decidingContainer(permission, token);
    Optional<AccessTransform> byOwn = AccessModel.decide(own, permission, deciding);
    Optional<AccessTransform> byCreator = AccessModel.decide(creator, permission, deciding);
    boolean ofCreator = AccessModel.strength(byCreator) < AccessModel.strength(byOwn);
    Optional<AccessTransform> granted = ofCreator ? byCreator : byOwn;
    boolean lowered = AccessModel.strength(Optional.of(most)) < AccessModel.strength(granted);
    Optional<AccessTransform> shown = lowered ? Optional.of(most) : granted;
    Decision alone = (ofCreator ? creator : own).decide(permission, deciding);

    assertThat(AccessPolicyTest.shown(decision)).isEqualTo(shown);
    assertThat(decision.outcome().ordinal()).isEqualTo(AccessModel.strength(shown));
    assertThat(decision.decidedBy())
        .isEqualTo(lowered ? Decider.CEILING : ofCreator ? Decider.CREATOR : Decider.CALLER);
    assertThat(decision.isByCreator()).isEqualTo(ofCreator);
    assertThat(decision.skipped()).isEqualTo(alone.skipped());
    assertThat(decision.conclusion()).isEqualTo(conclusion(alone, ofCreator, granted, shown));
  }

  /** Returns the conclusion, put together from that of the deciding policy alone. */
  private static String conclusion(
      Decision alone,
      boolean ofCreator,
      Optional<AccessTransform> granted,
      Optional<AccessTransform> shown) {
    if (!(alone instanceof Allow allow)) {
      return (ofCreator ? "the creator is denied: " : "") + alone.conclusion();
    }
    String grant = allow.grant();
    if (ofCreator) {
      grant = grant.startsWith("rule") ? "the creator's " + grant : grant + " to the creator";
    }
    if (!shown.equals(granted)) {
      String below = granted.orElseThrow().value();
      grant = "the ceiling, which is below " + grant + " (" + below + "),";
    }
    return grant + " allows it (" + shown.orElseThrow().value() + ")";
  }

  @Property
  void weakestDecisionAmongContainersApplies(
      @ForAll("policies") AccessPolicy own,
      @ForAll("policies") AccessPolicy creator,
      @ForAll("permissions") Permission permission,
      @ForAll("tokens") TokenTraits token) {
    Decision decision = Authority.of(own).limitedBy(creator).decide(permission, token);
    boolean perContainer = Set.of("token:create", "token:update").contains(permission.type());
    Stream<TokenTraits> needed =
        perContainer ? token.containers().stream().map(token::onlyIn) : Stream.of(token);

    assertThat(decision.outcome().ordinal())
        .isEqualTo(
            needed
                .flatMap(
                    one ->
                        Stream.of(own, creator)
                            .map(policy -> AccessModel.decide(policy, permission, one)))
                .mapToInt(AccessModel::strength)
                .min()
                .orElseThrow());
  }

  @Property
  void ceilingChangesNothingElse(
      @ForAll("policies") AccessPolicy own,
      @ForAll("policies") AccessPolicy creator,
      @ForAll AccessTransform most,
      @ForAll AccessTransform other,
      @ForAll("permissions") Permission permission,
      @ForAll("tokens") TokenTraits token) {
    Authority authority = Authority.of(own).limitedBy(creator);
    Authority limited = authority.atMost(most).atMost(other);

    assertThat(limited).isEqualTo(authority.atMost(most.weaker(other)));
    assertThat(limited.decide(permission, token).isAllowed())
        .isEqualTo(authority.decide(permission, token).isAllowed());
    assertThat(limited.scope(permission)).isEqualTo(authority.scope(permission));
    assertThat(limited.grants(permission)).isEqualTo(authority.grants(permission));
  }

  @Property
  void scopeOfLimitedCallerContainsExactlyAllowedTokens(
      @ForAll("policies") AccessPolicy own,
      @ForAll("policies") AccessPolicy creator,
      @ForAll("permissions") Permission permission,
      @ForAll("tokens") TokenTraits token) {
    Authority authority = Authority.of(own).limitedBy(creator);
    TokenTraits deciding = authority.decidingContainer(permission, token);

    assertThat(authority.scope(permission).contains(deciding))
        .isEqualTo(authority.decide(permission, token).isAllowed());
    assertThat(authority.grants(permission))
        .isEqualTo(own.grants(permission) && creator.grants(permission));
  }

  @Property
  void scopesCombineLikeSets(
      @ForAll("policies") AccessPolicy one,
      @ForAll("policies") AccessPolicy two,
      @ForAll("policies") AccessPolicy three,
      @ForAll("permissions") Permission permission,
      @ForAll("tokens") TokenTraits token) {
    TokenScope first = one.scope(permission);
    TokenScope second = two.scope(permission).and(three.scope(permission));

    assertThat(first.and(second).contains(token))
        .isEqualTo(first.contains(token) && second.contains(token));
    assertThat(first.or(second).contains(token))
        .isEqualTo(first.contains(token) || second.contains(token));
    assertThat(second.or(first).contains(token)).isEqualTo(first.or(second).contains(token));
  }
}
