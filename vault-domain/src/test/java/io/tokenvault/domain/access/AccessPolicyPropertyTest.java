package io.tokenvault.domain.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.Decision.Allow;
import io.tokenvault.domain.access.Decision.Deny;
import io.tokenvault.domain.access.Decision.Reason;
import io.tokenvault.domain.access.Decision.Skipped;
import io.tokenvault.domain.access.Explanation.Outcome;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class AccessPolicyPropertyTest implements AccessArbitraries {

  @Property
  void policiesDecideLikeTheModel(
      @ForAll("policies") AccessPolicy policy,
      @ForAll("permissions") Permission permission,
      @ForAll("tokens") TokenTraits token) {
    assertThat(shown(policy.decide(permission, token)))
        .isEqualTo(AccessModel.decide(policy, permission, token));
  }

  @Property
  void skippedRulesAreAllEarlierRulesInOrder(
      @ForAll("policies") AccessPolicy policy,
      @ForAll("permissions") Permission permission,
      @ForAll("tokens") TokenTraits token) {
    Decision decision = policy.decide(permission, token);
    int end = decidingPriority(decision);
    List<AccessRule> earlier =
        policy.rules().stream()
            .filter(rule -> rule.priority() < end)
            .sorted(Comparator.comparing(AccessRule::priority))
            .toList();

    assertThat(decision.skipped()).extracting(Skipped::rule).isEqualTo(earlier);
    assertThat(decision.skipped())
        .allMatch(
            each -> each.rule().grants(permission) == (each.reason() == Reason.TOKEN_NOT_SELECTED));
  }

  @Property
  void explanationHasDecisionAndEachRuleOnceInOrder(
      @ForAll("policies") AccessPolicy policy,
      @ForAll("permissions") Permission permission,
      @ForAll("tokens") TokenTraits token) {
    Explanation explanation = policy.explain(permission, token);
    int end = decidingPriority(explanation.decision());

    assertThat(explanation.decision()).isEqualTo(policy.decide(permission, token));
    assertThat(explanation.steps())
        .extracting(Explanation.Step::rule)
        .isEqualTo(
            policy.rules().stream().sorted(Comparator.comparing(AccessRule::priority)).toList());
    assertThat(explanation.steps())
        .allMatch(step -> step.outcome() == outcome(step.rule().priority(), end));
  }

  private static Outcome outcome(int priority, int deciding) {
    if (priority == deciding) {
      return Outcome.DECIDES;
    }
    return priority < deciding ? Outcome.PASSED_OVER : Outcome.NOT_REACHED;
  }

  @Property
  void ungrantedPermissionIsDeniedOnEveryToken(
      @ForAll("policies") AccessPolicy policy,
      @ForAll("permissions") Permission permission,
      @ForAll("tokens") TokenTraits token) {
    if (!policy.grants(permission)) {
      assertThat(policy.decide(permission, token)).isInstanceOf(Deny.class);
    }
  }

  private static int decidingPriority(Decision decision) {
    return decision instanceof Allow allow
        ? allow.rule().map(AccessRule::priority).orElse(Integer.MAX_VALUE)
        : Integer.MAX_VALUE;
  }

  static Optional<AccessTransform> shown(Decision decision) {
    return decision instanceof Allow allow ? Optional.of(allow.transform()) : Optional.empty();
  }
}
