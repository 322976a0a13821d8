package io.tokenvault.ports.usecase.authorization;

import io.tokenvault.domain.access.AccessPolicy;
import io.tokenvault.domain.access.Authority;
import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.access.TokenTraits;
import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.LookupRequest;
import io.tokenvault.ports.store.LookupResult;
import io.tokenvault.ports.store.LookupResult.LoadedCaller;
import io.tokenvault.ports.store.RequestLookup;
import io.tokenvault.ports.store.model.ActingApplication;
import io.tokenvault.ports.usecase.authorization.AccessReport.Part;
import io.tokenvault.ports.usecase.authorization.OptimisticExecutor.AttemptReservation;
import java.util.Optional;

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
   * @param shape violations already found while parsing the question; reported together with all
   *     others
   * @param reservation the memory reservation for the token in question
   * @throws RefusedException if the application or token does not exist in the caller's tenant
   */
  public AccessReport explain(
      Caller caller, AccessQuestion question, Violations shape, MemoryReservation reservation) {
    trail.require(caller, EXPLAIN);
    Permission permission = shape.require(question.parse(shape));
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
}
