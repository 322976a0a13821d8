package io.tokenvault.ports.usecase.authorization;

import io.tokenvault.domain.access.AccessPolicy;
import io.tokenvault.domain.access.Authority;
import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.access.Decision;
import io.tokenvault.domain.access.Explanation;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.access.TokenTraits;
import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.ShownName;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.LookupRequest;
import io.tokenvault.ports.store.LookupResult;
import io.tokenvault.ports.store.LookupResult.LoadedCaller;
import io.tokenvault.ports.store.RequestLookup;
import io.tokenvault.ports.store.model.ActingApplication;
import io.tokenvault.ports.usecase.authorization.ExplainAccess.AccessReport.Part;
import io.tokenvault.ports.usecase.authorization.OptimisticExecutor.AttemptReservation;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Explains why an application may or may not perform an operation on a token. It decides as
 * requests do, on one snapshot, and decrypts nothing.
 */
public final class ExplainAccess {

  public static final Requirement EXPLAIN = Requirement.anyOf(Permission.APPLICATION_READ);

  private final RequestLookup lookup;
  private final AuditTrail trail;

  public ExplainAccess(RequestLookup lookup, AuditRecorder recorder) {
    this.lookup = lookup;
    this.trail = new AuditTrail(recorder);
  }

  /**
   * Decides and explains.
   *
   * @param violations those found while parsing the question; reported together with all others
   * @param reservation the memory reservation for the token in question
   * @throws RefusedException if the application or token does not exist in the caller's tenant
   */
  public AccessReport explain(
      Caller caller,
      AccessQuestion question,
      Violations violations,
      MemoryReservation reservation) {
    trail.require(caller, EXPLAIN);
    Permission permission = violations.require(question.parse(violations));
    ApplicationId id = new ApplicationId(question.applicationId());
    ActingApplication asked = new ActingApplication(caller.tenantId(), id);
    LookupResult loaded =
        lookup.load(
            LookupRequest.acting(asked, question.tokens()),
            AttemptReservation.toUse(reservation).toLoad());
    LoadedCaller found =
        loaded.caller().filter(each -> !each.expired()).orElseThrow(RefusedException::notFound);
    AccessReport report = report(found, permission, traits(question, loaded));
    trail.record(
        AuditTrail.entry(
            caller,
            EntityType.APPLICATION,
            id,
            Operation.READ,
            "Access of the application explained"));
    return report;
  }

  private static TokenTraits traits(AccessQuestion question, LookupResult loaded) {
    return question.container() == null
        ? loaded.tokens().values().stream()
            .findFirst()
            .map(stored -> stored.token().traits())
            .orElseThrow(RefusedException::notFound)
        : TokenTraits.anyIn(new Container(question.container()));
  }

  private static AccessReport report(LoadedCaller asked, Permission permission, TokenTraits token) {
    Authority authority = asked.authority();
    TokenTraits deciding = authority.decidingContainer(permission, token);
    Application application = asked.application();
    return new AccessReport(
        authority.decide(permission, deciding),
        new Part(application.id(), true, application.policy().explain(permission, deciding)),
        application.delegatedBy().map(id -> creator(id, asked, permission, deciding)));
  }

  private static Part creator(
      ApplicationId id, LoadedCaller asked, Permission permission, TokenTraits token) {
    Optional<AccessPolicy> policy = asked.delegator().map(Application::policy);
    return new Part(
        id, policy.isPresent(), policy.orElseGet(AccessPolicy::none).explain(permission, token));
  }

  /**
   * The question "May this application do this, and why?" as a client wrote it; any part may be
   * null or invalid.
   *
   * @param tokenId the token in question
   * @param container the container in question, instead of a token
   */
  public record AccessQuestion(
      UUID applicationId, String permission, String tokenId, String container) {

    private static final String CHOICES =
        Arrays.stream(Permission.values())
            .filter(Permission::concernsTokens)
            .map(Permission::type)
            .collect(Collectors.joining(", "));

    /**
     * Returns the permission in question, or adds a violation for everything invalid.
     *
     * @return empty if there is any violation
     */
    Optional<Permission> parse(Violations violations) {
      if (applicationId == null) {
        violations.add("application_id", "is required");
      }
      violations.checkRequired(
          "permission",
          permission,
          given -> known().isPresent(),
          unknown -> ShownName.noneOf(CHOICES, unknown));
      if (tokenId != null && TokenId.parse(tokenId).isEmpty()) {
        violations.add("token_id", TokenId.SHAPE);
      }
      if (container != null && !Container.isValid(container)) {
        violations.add("container", Container.SHAPE);
      }
      if ((tokenId == null) == (container == null)) {
        violations.add(
            Violations.WHOLE_REQUEST, "either token_id or container is required, and not both");
      }
      return known().filter(valid -> violations.isEmpty());
    }

    private Optional<Permission> known() {
      return Optional.ofNullable(permission)
          .flatMap(Permission::of)
          .filter(Permission::concernsTokens);
    }

    /** Returns the token of a valid question, or none. */
    Set<TokenId> tokens() {
      return TokenId.parse(tokenId).map(Set::of).orElseGet(Set::of);
    }

    /** Returns no content, because an invalid request can contain secrets by mistake. */
    @Override
    public String toString() {
      return "AccessQuestion[redacted]";
    }
  }

  /**
   * The current permissions of an application and their reasons, without any token data.
   *
   * @param outcome the weaker of the decisions on the application and on its creator
   * @param application the decision on the application alone
   * @param creator the decision on the application that limits this one, if any
   */
  public record AccessReport(Decision outcome, Part application, Optional<Part> creator) {
    /**
     * Returns one sentence that names the deciding rule or permission of the application or its
     * creator.
     */
    public String reason() {
      return creator
          .filter(part -> !part.exists() && outcome.isByCreator())
          .map(part -> "the creator is denied: " + part.reason())
          .orElseGet(outcome::conclusion);
    }

    /**
     * The permissions of one application alone.
     *
     * @param exists false for a deleted creator, which has no permissions
     */
    public record Part(ApplicationId id, boolean exists, Explanation explanation) {
      public String reason() {
        return exists ? explanation.conclusion() : "it no longer exists";
      }
    }
  }
}
