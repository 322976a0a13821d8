package io.tokenvault.ports.usecase.authorization;

import static io.tokenvault.domain.access.AccessTransform.MASK;
import static io.tokenvault.domain.access.AccessTransform.REDACT;
import static io.tokenvault.domain.access.AccessTransform.REVEAL;
import static io.tokenvault.domain.access.Permission.TOKEN_READ;
import static io.tokenvault.domain.access.Permission.TOKEN_UPDATE;
import static io.tokenvault.domain.access.Permission.TOKEN_USE;
import static io.tokenvault.domain.failure.FailureCause.NOT_FOUND;
import static io.tokenvault.domain.failure.FailureCause.PERMISSION_DENIED;
import static io.tokenvault.domain.failure.FailureCause.STORE_UNAVAILABLE;
import static io.tokenvault.ports.usecase.VaultFixture.assertRefused;
import static io.tokenvault.ports.usecase.VaultFixture.rule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.tokenvault.domain.access.AccessPolicy;
import io.tokenvault.domain.access.AccessRule;
import io.tokenvault.domain.access.Condition;
import io.tokenvault.domain.access.Condition.Attribute;
import io.tokenvault.domain.access.Condition.Operator;
import io.tokenvault.domain.access.Decision.Allow;
import io.tokenvault.domain.access.Explanation.Outcome;
import io.tokenvault.domain.access.TokenSelector.MeetsAll;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.usecase.Draft;
import io.tokenvault.ports.usecase.VaultFixture;
import io.tokenvault.ports.usecase.authorization.ExplainAccess.AccessQuestion;
import io.tokenvault.ports.usecase.authorization.ExplainAccess.AccessReport;
import io.tokenvault.ports.usecase.tenant.ManageTenants.IssuedTenant;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class ExplainAccessTest {

  private final VaultFixture vault = new VaultFixture();
  private final ExplainAccess access = new ExplainAccess(vault.lookup, vault.recorder);

  private AccessReport explain(
      ApplicationId id, String permission, String token, String container) {
    return explain(vault.manager(), new AccessQuestion(id.value(), permission, token, container));
  }

  private AccessReport explain(Caller caller, AccessQuestion question) {
    return access.explain(caller, question, new Violations(), MemoryReservation.UNBOUNDED);
  }

  private AccessReport explainRead(ApplicationId id, TokenId token) {
    return explain(id, "token:read", token.value(), null);
  }

  private ApplicationId application(AccessRule... rules) {
    return vault.caller(VaultFixture.rules(rules)).application().id();
  }

  @Test
  void everyRuleIsReported() {
    ApplicationId id =
        application(
            rule(4, "/", REVEAL, TOKEN_READ),
            rule(3, "/pci/", MASK, TOKEN_READ),
            rule(1, "/pci/", REVEAL, TOKEN_USE),
            rule(2, "/pii/", REVEAL, TOKEN_READ));
    TokenId token = vault.token("/pci/high/", "planted");

    AccessReport report = explainRead(id, token);

    assertThat(((Allow) report.outcome()).transform()).isEqualTo(MASK);
    assertThat(report.reason()).isEqualTo("rule 3 'rule 3' allows it (mask)");
    assertThat(report.application().explanation().steps())
        .extracting(step -> step.rule().priority(), step -> step.outcome(), step -> step.reason())
        .containsExactly(
            tuple(1, Outcome.PASSED_OVER, "does not list the permission"),
            tuple(2, Outcome.PASSED_OVER, "does not cover the token"),
            tuple(
                3,
                Outcome.DECIDES,
                "is the first rule that lists the permission and covers the" + " token"),
            tuple(4, Outcome.NOT_REACHED, "comes after the deciding rule"));
    assertThat(report.creator()).isEmpty();
  }

  @Test
  void explanationMatchesActualDecision() {
    ApiKey key = vault.key("/pci/", REVEAL, TOKEN_READ);
    TokenId readable = vault.token("/pci/high/", "one");
    TokenId other = vault.token("/pii/high/", "two");
    Caller caller = vault.caller(key);
    ApplicationId id = caller.application().id();

    assertThat(explainRead(id, readable).outcome().isAllowed()).isTrue();
    assertThat(vault.tokens.read(vault.caller(key), readable).token().id()).isEqualTo(readable);
    assertThat(explainRead(id, other).outcome().isAllowed()).isFalse();
    assertRefused(PERMISSION_DENIED, () -> vault.tokens.read(vault.caller(key), other));
  }

  @Test
  void permissionRequiredOnEachContainerIsDecidedByWeakest() {
    ApplicationId id = application(rule(1, "/pci/", REVEAL, TOKEN_UPDATE, TOKEN_READ));
    TokenId token = vault.token(Draft.of("x").in("/pci/", "/pii/")).id();

    assertThat(explain(id, "token:update", token.value(), null).outcome().isAllowed()).isFalse();
    assertThat(explain(id, "token:read", token.value(), null).outcome().isAllowed()).isTrue();
  }

  @Test
  void containerAloneReportsDependenceOnTokenId() {
    MeetsAll conditions =
        new MeetsAll(
            List.of(
                new Condition(Attribute.ID, Operator.STARTS_WITH, "card_"),
                new Condition(Attribute.CONTAINER, Operator.STARTS_WITH, "/pci/")));
    ApplicationId id = application(rule(1, conditions, REVEAL, TOKEN_READ));
    TokenId token = vault.token(Draft.of("x").withId("card_1").in("/pci/")).id();

    assertThat(reasonOfFirstRule(explain(id, "token:read", null, "/pci/")))
        .isEqualTo("depends on the token id");
    assertThat(reasonOfFirstRule(explain(id, "token:read", null, "/pii/")))
        .isEqualTo("does not cover the token");
    assertThat(explainRead(id, token).outcome().isAllowed()).isTrue();
  }

  private static String reasonOfFirstRule(AccessReport report) {
    return report.application().explanation().steps().get(0).reason();
  }

  private Caller delegator(AccessPolicy policy) {
    return vault.caller(vault.delegatorKey(policy));
  }

  private ApplicationId child(Caller delegator) {
    return vault.caller(vault.expiringKey(delegator)).application().id();
  }

  @Test
  void childExplanationIncludesCreatorDecision() {
    Caller delegator = delegator(VaultFixture.rule("/pci/", REDACT, TOKEN_READ));
    ApplicationId child = child(delegator);

    AccessReport report = explain(child, "token:read", null, "/pci/");

    assertThat(((Allow) report.outcome()).transform()).isEqualTo(REDACT);
    assertThat(report.reason()).isEqualTo("the creator's rule 1 'rule 1' allows it (redact)");
    assertThat(report.application().reason())
        .isEqualTo("the permission granted directly allows it (mask)");
    assertThat(report.creator().orElseThrow().id()).isEqualTo(delegator.application().id());
    AccessReport refused = explain(child, "token:read", null, "/pii/");
    assertThat(refused.outcome().isAllowed()).isFalse();
    assertThat(refused.reason())
        .isEqualTo(
            "the creator is denied: neither a rule nor a direct permission grants token:read");
  }

  @Test
  void deletedCreatorAllowsNothing() {
    Caller delegator = delegator(new AccessPolicy(List.of(TOKEN_READ), List.of()));
    ApplicationId child = child(delegator);
    assertThat(explain(child, "token:read", null, "/pci/").outcome().isAllowed()).isTrue();

    vault.deleteApplication(delegator);

    AccessReport report = explain(child, "token:read", null, "/pci/");
    assertThat(report.outcome().isAllowed()).isFalse();
    assertThat(report.reason()).isEqualTo("the creator is denied: it no longer exists");
  }

  @Test
  void missingForeignOrExpiredEntityIsNotFound() {
    ApplicationId known = vault.tenant.applicationId();
    TokenId token = vault.token("/pci/", "x");
    IssuedTenant other = vault.otherTenant();
    ApplicationId unknown = new ApplicationId(UUID.randomUUID());
    ApplicationId child = child(delegator(new AccessPolicy(List.of(TOKEN_READ), List.of())));
    vault.advanceClock(Duration.ofMinutes(2));

    for (ApplicationId id : List.of(unknown, other.applicationId(), child)) {
      assertRefused(NOT_FOUND, () -> explainRead(id, token));
    }
    assertRefused(NOT_FOUND, () -> explainRead(known, new TokenId("unknown")));
    AccessQuestion foreign =
        new AccessQuestion(other.applicationId().value(), "token:read", token.value(), null);
    Caller foreignCaller = vault.caller(other.key());
    assertRefused(NOT_FOUND, () -> explain(foreignCaller, foreign));
  }

  @Test
  void allViolationsAreReportedTogether() {
    assertThat(errors(new AccessQuestion(null, null, null, null)))
        .containsOnlyKeys("application_id", "permission", "error");
    assertThat(errors(new AccessQuestion(UUID.randomUUID(), "log:read", "a b", "pci")))
        .containsOnlyKeys("permission", "token_id", "container", "error");
  }

  private Map<String, List<String>> errors(AccessQuestion question) {
    return VaultFixture.errors(() -> explain(vault.manager(), question));
  }

  @Test
  void explanationIsRecordedAsReadOfApplication() {
    ApplicationId id = vault.tenant.applicationId();

    explain(id, "token:read", null, "/");

    assertThat(vault.messages().get(0)).isEqualTo("Access of the application explained");
    assertThat(vault.entries().get(0).entityId()).isEqualTo(id.toString());
    vault.recorder.fail();
    assertRefused(STORE_UNAVAILABLE, () -> explain(id, "token:read", null, "/"));
  }

  @Test
  void callerWithoutApplicationReadIsDeniedForAnyQuestion() {
    Caller caller = vault.caller(TOKEN_READ);

    assertRefused(
        PERMISSION_DENIED, () -> explain(caller, new AccessQuestion(null, null, null, null)));
    assertThat(vault.messages().get(0)).isEqualTo("Denied: missing permission application:read");
  }

  @Test
  void denialCausedByCreatorIsReportedAsSuch() {
    ApiKey child = vault.expiringKey(delegator(VaultFixture.rule("/pci/", REVEAL, TOKEN_READ)));
    TokenId token = vault.token("/pii/", "x");

    assertThatThrownBy(() -> vault.tokens.read(vault.caller(child), token))
        .hasMessage(
            "The application that created this one does not permit token:read in /pii/, where this"
                + " token is.");
    assertThatThrownBy(() -> vault.detokenize(vault.caller(child), token))
        .hasMessageStartingWith("The application that created this one does not permit token:read");
  }

  @Test
  void denialNamesPermissionAndContainers() {
    TokenId token = vault.token("/pii/high/", "x");
    ApiKey key = vault.key("/pci/", REVEAL, TOKEN_READ);

    assertThatThrownBy(() -> vault.tokens.read(vault.caller(key), token))
        .hasMessage("The API key does not permit token:read in /pii/high/, where this token is.");
  }
}
