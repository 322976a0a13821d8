package io.tokenvault.domain.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.access.Decision.Allow;
import io.tokenvault.domain.access.Decision.Deny;
import io.tokenvault.domain.access.Decision.Reason;
import io.tokenvault.domain.access.Decision.Skipped;
import io.tokenvault.domain.access.Explanation.Outcome;
import io.tokenvault.domain.access.TokenSelector.InContainer;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class AccessPolicyTest implements AccessArbitraries {

  private static final AccessRule LATE =
      rule("everything", 9, "/", AccessTransform.REVEAL, Permission.TOKEN_READ);
  private static final AccessRule EARLY =
      rule("cards", 2, "/pci/", AccessTransform.REDACT, Permission.TOKEN_READ);
  private static final AccessRule USE =
      rule("use", 1, "/", AccessTransform.MASK, Permission.TOKEN_USE);

  private static final TokenTraits BANK = TokenTraits.of("token-1", "/bank/");

  @Test
  void emptyPolicyDeniesEverything() {
    for (Permission permission : Permission.values()) {
      assertThat(AccessPolicy.none().decide(permission, BANK)).isInstanceOf(Deny.class);
      assertThat(AccessPolicy.none().grants(permission)).isFalse();
      assertThat(AccessPolicy.none().scope(permission)).isEqualTo(TokenScope.nothing());
    }
  }

  @Test
  void decisionExplainsItself() {
    AccessPolicy policy = policy(LATE, EARLY, USE);

    assertThat(policy.decide(Permission.TOKEN_READ, BANK).explain())
        .isEqualTo(
            "rule 1 'use' does not list the permission; rule 2 'cards' does not cover the token;"
                + " rule 9 'everything' allows it (reveal)");
    assertThat(policy.decide(Permission.TOKEN_DELETE, BANK).explain())
        .isEqualTo(
            "rule 1 'use' does not list the permission; rule 2 'cards' does not list the"
                + " permission; rule 9 'everything' does not list the permission; neither a rule"
                + " nor a direct permission grants token:delete");
    assertThat(
            new AccessPolicy(List.of(Permission.TOKEN_USE), List.of())
                .decide(Permission.TOKEN_USE, BANK)
                .explain())
        .isEqualTo("the permission granted directly allows it (reveal)");
  }

  @Test
  void duplicatePriorityIsRejected() {
    AccessRule other = rule("other", 2, "/", AccessTransform.MASK, Permission.TOKEN_USE);

    assertThatThrownBy(() -> policy(EARLY, USE, other))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("priorities");
  }

  @Test
  void permissionsOfDifferentTypesAreRejected() {
    List<Permission> mixed = List.of(Permission.TOKEN_READ, Permission.LOG_READ);
    List<Permission> management = Permission.heldBy(ApplicationType.MANAGEMENT);

    assertThatThrownBy(() -> new AccessPolicy(mixed, List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("type of application");
    assertThatThrownBy(() -> new AccessPolicy(management, List.of(EARLY)))
        .isInstanceOf(IllegalArgumentException.class);
    for (ApplicationType type : ApplicationType.values()) {
      List<Permission> held = Permission.heldBy(type);
      assertThat(new AccessPolicy(held, List.of()).permissions()).isEqualTo(held);
    }
  }

  @Test
  void rulesKeepTheirOrder() {
    AccessPolicy policy = policy(LATE, USE, EARLY);

    assertThat(policy.rules()).containsExactly(LATE, USE, EARLY);
    assertThat(policy).isEqualTo(policy(LATE, USE, EARLY)).isNotEqualTo(policy(USE, EARLY, LATE));
    assertThat(policy).hasSameHashCodeAs(policy(LATE, USE, EARLY));
  }

  @Test
  void ruleRequiresValidDescription() {
    for (String description : List.of("", " \t", "d".repeat(201))) {
      assertThatThrownBy(
              () -> rule(description, 1, "/", AccessTransform.MASK, Permission.TOKEN_USE))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("description");
    }
    assertThat(
            rule("\uD83D\uDD11".repeat(200), 1, "/", AccessTransform.MASK, Permission.TOKEN_USE)
                .description())
        .hasSize(400);
  }

  @Test
  void ruleGrantsOnlyTokenPermissions() {
    for (Permission permission : Permission.values()) {
      if (!permission.concernsTokens()) {
        assertThatThrownBy(() -> rule("d", 1, "/", AccessTransform.MASK, permission))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("token permissions");
      }
    }
  }

  static AccessPolicy policy(AccessRule... rules) {
    return new AccessPolicy(List.of(), List.of(rules));
  }

  static AccessRule rule(
      String description,
      int priority,
      String container,
      AccessTransform transform,
      Permission permission) {
    return new AccessRule(
        description,
        priority,
        new InContainer(new Container(container)),
        transform,
        List.of(permission));
  }

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
