package io.tokenvault.domain.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.tokenvault.domain.access.TokenSelector.MeetsAll;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.Violations;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class AccessPolicyDraftTest {

  private static final String DESCRIPTION_LENGTH = "must be 1 to 200 characters long and not blank";

  private static final ConditionDraft CONDITION = new ConditionDraft("id", "equals", "card-1");
  private static final Condition CARD =
      new Condition(Condition.Attribute.ID, Condition.Operator.EQUALS, "card-1");

  private static final GrantLimits UNKNOWN_TYPE = new GrantLimits(Optional.empty(), any -> true);

  private static Rule rule() {
    return new Rule();
  }

  private static Rule rule(Consumer<Rule> change) {
    return rule().with(change);
  }

  /** Builds rules; the defaults are valid for a private application. */
  private static final class Rule {
    private String description = "cards";
    private Integer priority = 1;
    private String container = "/pci/";
    private List<ConditionDraft> conditions;
    private String transform = "mask";
    private List<String> permissions = List.of("token:read");

    AccessRuleDraft draft() {
      return new AccessRuleDraft(
          description, priority, container, conditions, transform, permissions);
    }

    Rule with(Consumer<Rule> change) {
      change.accept(this);
      return this;
    }

    Rule withConditionsOnly() {
      container = null;
      conditions = List.of(CONDITION);
      return this;
    }

    @Override
    public String toString() {
      return draft().toString();
    }
  }

  static Stream<Arguments> invalidRules() {
    return Stream.of(
        arguments(rule(r -> r.description = null), "description", "is required"),
        arguments(rule(r -> r.description = " \t"), "description", DESCRIPTION_LENGTH),
        arguments(rule(r -> r.description = "x".repeat(201)), "description", DESCRIPTION_LENGTH),
        arguments(rule(r -> r.priority = null), "priority", "is required"),
        arguments(rule(r -> r.priority = 0), "priority", "must be 1 or more"),
        arguments(rule(r -> r.priority = -1), "priority", "must be 1 or more"),
        arguments(rule(r -> r.container = null), "container", "is required"),
        arguments(rule(r -> r.container = "marker"), "container", Container.SHAPE),
        arguments(rule(r -> r.transform = null), "transform", "is required"),
        arguments(
            rule(r -> r.transform = "Mask"),
            "transform",
            "must be one of redact, mask, reveal, not 'Mask'"),
        arguments(rule(r -> r.permissions = null), "permissions", "is required"),
        arguments(rule(r -> r.permissions = List.of()), "permissions", "must not be empty"),
        arguments(
            rule(r -> r.permissions = Collections.nCopies(51, "token:read")),
            "permissions",
            "must be at most 50"),
        arguments(
            rule(r -> r.permissions = List.of("token:read", "token:eat\u202e")),
            "permissions[1]",
            "'token:eat\\u{202e}' is not the name of a permission"),
        arguments(
            rule(r -> r.permissions = Arrays.asList("token:read", null)),
            "permissions[1]",
            "must be the name of a permission"),
        arguments(
            rule(r -> r.permissions = List.of("log:read")),
            "permissions[0]",
            "log:read cannot be granted by a rule; rules grant token permissions"),
        arguments(
            rule(r -> r.conditions = List.of()),
            "conditions",
            "are for expiring applications; a private one needs a container"),
        arguments(
            rule(r -> r.conditions = List.of(CONDITION)),
            "conditions",
            "are for expiring applications; a private one needs a container"));
  }

  @ParameterizedTest
  @MethodSource("invalidRules")
  void ruleViolationIsReportedAtItsPath(Rule rule, String part, String message) {
    assertThat(check(rule)).isEqualTo(Map.of("rules[0]." + part, List.of(message)));
  }

  static Stream<Arguments> invalidConditions() {
    String lengths = "must be 1 to 200 characters long";
    String at = "rules[0].conditions";
    return Stream.of(
        arguments(null, at, "at least one is required"),
        arguments(List.of(), at, "at least one is required"),
        arguments(Collections.nCopies(21, CONDITION), at, "must be at most 20"),
        arguments(Arrays.asList(CONDITION, null), at + "[1]", "must be an object"),
        arguments(condition(null, "equals", "a"), at + "[0].attribute", "is required"),
        arguments(
            condition("colour", "equals", "a"),
            at + "[0].attribute",
            "must be one of id, container, not 'colour'"),
        arguments(condition("id", null, "a"), at + "[0].operator", "is required"),
        arguments(
            condition("id", "ends_with", "a"),
            at + "[0].operator",
            "must be one of starts_with, equals, not 'ends_with'"),
        arguments(condition("id", "equals", null), at + "[0].value", "is required"),
        arguments(condition("id", "equals", ""), at + "[0].value", lengths),
        arguments(condition("id", "equals", "m".repeat(201)), at + "[0].value", lengths));
  }

  private static List<ConditionDraft> condition(String attribute, String operator, String value) {
    return List.of(new ConditionDraft(attribute, operator, value));
  }

  @ParameterizedTest
  @MethodSource("invalidConditions")
  void conditionViolationIsReportedAtItsPath(
      List<ConditionDraft> conditions, String path, String message) {
    Rule rule = rule(r -> r.container = null).with(r -> r.conditions = conditions);

    assertThat(check(ApplicationType.EXPIRING, rule)).isEqualTo(Map.of(path, List.of(message)));
  }

  @Test
  void containerOfExpiringApplicationIsRejected() {
    assertThat(check(ApplicationType.EXPIRING, rule(r -> r.conditions = List.of(CONDITION))))
        .isEqualTo(
            Map.of(
                "rules[0].container",
                List.of(
                    "is for public and private applications; an expiring one needs conditions")));
  }

  @Test
  void validDraftIsAccepted() {
    Rule longest =
        rule()
            .with(r -> r.description = "\ud83d\ude00".repeat(200))
            .with(r -> r.priority = Integer.MAX_VALUE);
    List<ConditionDraft> twenty = Collections.nCopies(20, CONDITION);

    assertThat(check(rule())).isEmpty();
    assertThat(check(rule(r -> r.container = "/PCI/"))).isEmpty();
    assertThat(check(longest)).isEmpty();
    assertThat(check(ApplicationType.PUBLIC, rule(r -> r.permissions = List.of("token:create"))))
        .isEmpty();
    assertThat(check(ApplicationType.EXPIRING, rule().withConditionsOnly())).isEmpty();
    assertThat(
            check(
                ApplicationType.EXPIRING,
                rule(r -> r.container = null).with(r -> r.conditions = twenty)))
        .isEmpty();
  }

  @ParameterizedTest
  @EnumSource(ApplicationType.class)
  void permissionsOutsideTypeAreRejected(ApplicationType type) {
    List<String> all = Stream.of(Permission.values()).map(Permission::type).toList();
    Map<String, List<String>> errors = check(type, new AccessPolicyDraft(all, null));
    for (Permission permission : Permission.values()) {
      String path = "permissions[" + permission.ordinal() + "]";
      String held = type == ApplicationType.EXPIRING ? "an expiring" : "a " + type.value();
      List<String> refusal =
          List.of(permission.type() + " cannot be held by " + held + " application");

      assertThat(errors.get(path)).isEqualTo(permission.mayBeHeldBy(type) ? null : refusal);
    }
  }

  @ParameterizedTest
  @CsvSource({"PUBLIC, token:read", "PUBLIC, token:use", "PRIVATE, log:read"})
  void rulePermissionsOutsideTypeAreRejected(ApplicationType type, String permission) {
    assertThat(check(type, rule(r -> r.permissions = List.of(permission))))
        .containsOnlyKeys("rules[0].permissions[0]");
  }

  @Test
  void permissionsNotHeldByGranterAreRejected() {
    GrantLimits limits =
        new GrantLimits(
            Optional.of(ApplicationType.PRIVATE), held -> held == Permission.TOKEN_READ);
    AccessPolicyDraft draft =
        draft(
            List.of("token:read", "token:use"), rule(r -> r.permissions = List.of("token:search")));

    assertThat(check(limits, draft))
        .isEqualTo(
            Map.of(
                "permissions[1]",
                List.of("token:use is not held by the application that grants it"),
                "rules[0].permissions[0]",
                List.of("token:search is not held by the application that grants it")));
  }

  @Test
  void emptyGrantIsRejected() {
    for (AccessPolicyDraft draft :
        List.of(
            AccessPolicyDraft.empty(),
            new AccessPolicyDraft(List.of(), null),
            new AccessPolicyDraft(null, List.of()),
            new AccessPolicyDraft(List.of(), List.of()))) {
      assertThat(check(draft))
          .isEqualTo(
              Map.of("error", List.of("at least one of permissions and rules must not be empty")));
    }
  }

  @Test
  void rulesOfManagementApplicationAreRejected() {
    assertThat(check(ApplicationType.MANAGEMENT, rule()))
        .isEqualTo(Map.of("rules", List.of("cannot be given to a management application")));
    assertThat(
            check(
                ApplicationType.MANAGEMENT, new AccessPolicyDraft(List.of("log:read"), List.of())))
        .isEmpty();
  }

  @Test
  void duplicatePriorityIsRejected() {
    assertThat(check(rule(), rule(r -> r.priority = 2), rule()))
        .isEqualTo(
            Map.of(
                "rules[2].priority",
                List.of("is already used by an earlier rule; priorities must be unique")));
  }

  @Test
  void countsAreLimited() {
    Rule[] rules =
        IntStream.rangeClosed(1, 51).mapToObj(i -> rule(r -> r.priority = i)).toArray(Rule[]::new);
    List<String> permissions = Collections.nCopies(51, "token:read");

    assertThat(check(Arrays.copyOf(rules, 50))).isEmpty();
    assertThat(check(rules)).isEqualTo(Map.of("rules", List.of("must be at most 50")));
    assertThat(check(new AccessPolicyDraft(permissions, null)))
        .isEqualTo(Map.of("permissions", List.of("must be at most 50")));
    assertThat(check(new AccessPolicyDraft(permissions.subList(0, 50), null))).isEmpty();
  }

  @Test
  void allErrorsAreReportedTogether() {
    AccessRuleDraft empty = new AccessRuleDraft(null, null, null, null, null, null);
    AccessPolicyDraft draft =
        new AccessPolicyDraft(Arrays.asList("marker", null), Arrays.asList(empty, null));

    assertThat(check(draft))
        .containsOnlyKeys(
            "permissions[0]",
            "permissions[1]",
            "rules[0].description",
            "rules[0].priority",
            "rules[0].container",
            "rules[0].transform",
            "rules[0].permissions",
            "rules[1]");
  }

  @Test
  void messagesContainNoValues() {
    AccessRuleDraft rule =
        new AccessRuleDraft(
            "marker".repeat(100),
            -77_777,
            "marker",
            condition("attribute-x", "operator-x", "marker".repeat(100)),
            "transform-x",
            List.of("permission-x"));
    AccessPolicyDraft draft = new AccessPolicyDraft(List.of("permission-y"), List.of(rule));
    for (ApplicationType type : ApplicationType.values()) {
      assertThat(check(type, draft).toString()).doesNotContain("marker", "77");
    }
  }

  @Test
  void unknownTypeStillReportsOtherErrors() {
    AccessPolicyDraft draft =
        draft(List.of("token:read", "log:read", "marker"), rule(r -> r.transform = "marker"));

    assertThat(check(UNKNOWN_TYPE, draft)).containsOnlyKeys("permissions[2]", "rules[0].transform");
  }

  @Test
  void validDraftIsParsed() {
    AccessPolicyDraft draft =
        draft(List.of("token:read", "token:use", "token:read"), rule(r -> r.container = "/PCI/"));
    AccessPolicyDraft ofExpiring = draft(null, rule(r -> r.priority = 2).withConditionsOnly());
    AccessPolicy policy = draft.parse(ApplicationType.PRIVATE);

    assertThat(policy.permissions()).containsExactly(Permission.TOKEN_READ, Permission.TOKEN_USE);
    assertThat(policy.rules())
        .containsExactly(
            AccessPolicyTest.rule(
                "cards", 1, "/pci/", AccessTransform.MASK, Permission.TOKEN_READ));
    assertThat(ofExpiring.parse(ApplicationType.EXPIRING).rules())
        .containsExactly(
            new AccessRule(
                "cards",
                2,
                new MeetsAll(List.of(CARD)),
                AccessTransform.MASK,
                List.of(Permission.TOKEN_READ)));
  }

  @Test
  void builtDraftEqualsDraftOfClient() {
    AccessPolicyDraft built =
        AccessPolicyDraft.empty()
            .grant(Permission.TOKEN_CREATE)
            .grant(Permission.TOKEN_USE, Permission.TOKEN_DELETE)
            .rule("cards", "/pci/", AccessTransform.MASK, Permission.TOKEN_READ)
            .rule("one card", List.of(CARD), AccessTransform.REVEAL, Permission.TOKEN_READ);

    assertThat(built)
        .isEqualTo(
            new AccessPolicyDraft(
                List.of("token:create", "token:use", "token:delete"),
                List.of(
                    rule().draft(),
                    new AccessRuleDraft(
                        "one card",
                        2,
                        null,
                        List.of(CONDITION),
                        "reveal",
                        List.of("token:read")))));
  }

  @Test
  void invalidBuiltDraftReportsAllViolations() {
    AccessPolicyDraft draft =
        AccessPolicyDraft.empty()
            .grant(Permission.LOG_READ)
            .rule("", "pci", AccessTransform.MASK, Permission.TOKEN_READ)
            .rule("one card", List.of(CARD), AccessTransform.REVEAL);

    assertThatThrownBy(() -> draft.parse(ApplicationType.PRIVATE))
        .isInstanceOfSatisfying(
            ValidationException.class,
            invalid ->
                assertThat(invalid.errors())
                    .containsOnlyKeys(
                        "permissions[0]",
                        "rules[0].description",
                        "rules[0].container",
                        "rules[1].container",
                        "rules[1].conditions",
                        "rules[1].permissions"));
  }

  @Test
  void draftOfUnknownTypeIsNotParsed() {
    AccessPolicyDraft draft = draft(List.of("token:read"), rule(r -> r.container = null));

    assertThat(check(UNKNOWN_TYPE, draft)).isEqualTo(Map.of("type", List.of("is required")));
  }

  @Test
  void validDraftInInvalidRequestIsNotParsed() {
    Violations violations = new Violations().add("name", "is required");

    assertThat(
            new AccessPolicyDraft(List.of("token:read"), null)
                .parse(GrantLimits.of(ApplicationType.PRIVATE), violations))
        .isEmpty();
    assertThat(violations.asMap()).containsOnlyKeys("name");
  }

  private static AccessPolicyDraft draft(List<String> permissions, Rule... rules) {
    return new AccessPolicyDraft(permissions, Arrays.stream(rules).map(Rule::draft).toList());
  }

  /** Checks rules of a private application. */
  private static Map<String, List<String>> check(Rule... rules) {
    return check(draft(null, rules));
  }

  private static Map<String, List<String>> check(AccessPolicyDraft draft) {
    return check(ApplicationType.PRIVATE, draft);
  }

  private static Map<String, List<String>> check(ApplicationType type, Rule... rules) {
    return check(type, draft(null, rules));
  }

  private static Map<String, List<String>> check(ApplicationType type, AccessPolicyDraft draft) {
    return check(GrantLimits.of(type), draft);
  }

  private static Map<String, List<String>> check(GrantLimits limits, AccessPolicyDraft draft) {
    Violations violations = new Violations();
    Optional<AccessPolicy> policy = draft.parse(limits, violations);
    assertThat(policy.isPresent()).isEqualTo(violations.isEmpty());
    return violations.asMap();
  }
}
