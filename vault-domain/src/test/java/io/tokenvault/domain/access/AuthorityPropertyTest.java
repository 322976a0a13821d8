package io.tokenvault.domain.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class AuthorityPropertyTest {

  @Property
  void unboundCallerDecidesByItsOwnPolicy(
      @ForAll("policies") AccessPolicy own,
      @ForAll("permissions") Permission permission,
      @ForAll("tokens") TokenTraits token) {
    assertThat(Authority.of(own).decide(permission, token))
        .isEqualTo(own.decide(permission, token));
    assertThat(Authority.of(own).scope(permission)).isEqualTo(own.scope(permission));
    assertThat(Authority.of(own).grants(permission)).isEqualTo(own.grants(permission));
  }

  @Property
  void boundCallerGetsWeakerOfTwoDecisions(
      @ForAll("policies") AccessPolicy own,
      @ForAll("policies") AccessPolicy creator,
      @ForAll("permissions") Permission permission,
      @ForAll("tokens") TokenTraits token) {
    Decision decision = new Authority(own, Optional.of(creator)).decide(permission, token);
    int weaker =
        Math.min(
            AccessModel.strength(AccessModel.decide(own, permission, token)),
            AccessModel.strength(AccessModel.decide(creator, permission, token)));

    assertThat(AccessModel.strength(AccessPolicyPropertyTest.shown(decision))).isEqualTo(weaker);
  }

  @Property
  void underACeilingItIsTheWeakerOfDecisionAndCeiling(
      @ForAll("policies") AccessPolicy own,
      @ForAll("policies") AccessPolicy creator,
      @ForAll AccessTransform most,
      @ForAll("permissions") Permission permission,
      @ForAll("tokens") TokenTraits token) {
    Authority free = new Authority(own, Optional.of(creator));
    Decision decision = free.decide(permission, token);

    Decision lowered = free.atMost(most).decide(permission, token);

    assertThat(AccessModel.strength(AccessPolicyPropertyTest.shown(lowered)))
        .isEqualTo(
            Math.min(
                AccessModel.strength(AccessPolicyPropertyTest.shown(decision)),
                AccessModel.strength(Optional.of(most))));
    assertThat(decision.atMost(most)).isEqualTo(lowered);
    assertThat(lowered.skipped()).isEqualTo(decision.skipped());
    assertThat(free.atMost(most).scope(permission).contains(token)).isEqualTo(lowered.isAllowed());
    assertThat(free.atMost(most).grants(permission)).isEqualTo(free.grants(permission));
  }

  @Property
  void scopeOfBoundCallerContainsExactlyAllowedTokens(
      @ForAll("policies") AccessPolicy own,
      @ForAll("policies") AccessPolicy creator,
      @ForAll("permissions") Permission permission,
      @ForAll("tokens") TokenTraits token) {
    Authority authority = new Authority(own, Optional.of(creator));

    assertThat(authority.scope(permission).contains(token))
        .isEqualTo(authority.decide(permission, token).isAllowed());
    assertThat(authority.grants(permission))
        .isEqualTo(own.grants(permission) && creator.grants(permission));
  }

  @Property
  void scopesJoinAndMeetAsSetsDo(
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

  @Provide
  Arbitrary<AccessPolicy> policies() {
    return AccessArbitraries.policies();
  }

  @Provide
  Arbitrary<Permission> permissions() {
    return AccessArbitraries.tokenPermissions();
  }

  @Provide
  Arbitrary<TokenTraits> tokens() {
    return AccessArbitraries.tokens();
  }
}
