package io.tokenvault.domain.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.Decision.Allow;
import io.tokenvault.domain.access.Decision.Decider;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class AuthorityPropertyTest implements AccessArbitraries {

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

    assertThat(AccessPolicyPropertyTest.shown(decision)).isEqualTo(shown);
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
