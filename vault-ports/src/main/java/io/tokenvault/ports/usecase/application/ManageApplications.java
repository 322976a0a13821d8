package io.tokenvault.ports.usecase.application;

import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationDraft;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.application.ApplicationSettings;
import io.tokenvault.domain.application.ApplicationUpdate;
import io.tokenvault.domain.application.KeyGrace;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.crypto.KeyHasher;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.ApplicationStore;
import io.tokenvault.ports.store.ApplicationStore.ApplicationFilter;
import io.tokenvault.ports.store.ApplicationStore.Deletion;
import io.tokenvault.ports.store.Page;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.store.model.NewApplication;
import io.tokenvault.ports.usecase.authorization.AuditTrail;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.OptimisticExecutor;
import io.tokenvault.ports.usecase.authorization.OptimisticExecutor.AttemptReservation;
import io.tokenvault.ports.usecase.authorization.Requirement;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.random.RandomGenerator;

/**
 * Manages applications and their API keys (interface, section 4, Applications).
 *
 * <p>Every method checks the caller's permission first and records each operation and each missing
 * permission in the audit log.
 */
public final class ManageApplications {

  /**
   * The permission {@code application:create}, or a private application that may create expiring
   * ones.
   */
  public static final Requirement CREATE =
      Requirement.anyOf(Permission.APPLICATION_CREATE)
          .or("can_create_expiring_applications", caller -> caller.application().mayDelegate());

  public static final Requirement READ = Requirement.anyOf(Permission.APPLICATION_READ);
  public static final Requirement UPDATE = Requirement.anyOf(Permission.APPLICATION_UPDATE);
  public static final Requirement DELETE = Requirement.anyOf(Permission.APPLICATION_DELETE);

  private final ApplicationStore applications;
  private final KeyHasher hasher;
  private final AuditTrail trail;
  private final RandomGenerator randomness;

  /**
   * Creates the use case.
   *
   * @param randomness a cryptographically strong source, for keys
   */
  public ManageApplications(
      ApplicationStore applications,
      KeyHasher hasher,
      AuditRecorder recorder,
      RandomGenerator randomness) {
    this.applications = applications;
    this.hasher = hasher;
    this.trail = new AuditTrail(recorder);
    this.randomness = randomness;
  }

  /**
   * Creates an application with a new API key.
   *
   * <p>A caller without {@code application:create} can create only expiring applications with
   * permissions that it holds itself.
   *
   * @param violations those found while parsing the draft; reported together with all others
   * @throws RefusedException if the caller lacks the permission
   * @throws io.tokenvault.domain.failure.ValidationException if the draft is invalid
   */
  public IssuedApplication create(Caller caller, ApplicationDraft draft, Violations violations) {
    trail.require(caller, CREATE);
    Optional<ApplicationDraft.Valid> parsed =
        caller.may(Permission.APPLICATION_CREATE)
            ? draft.parse(caller.now(), violations)
            : draft.parseDelegated(
                caller.now(), caller.application().id(), caller.authority(), violations);
    ApplicationDraft.Valid valid = violations.require(parsed);
    ApiKey key = ApiKey.generate(randomness);
    NewApplication application =
        new NewApplication(
            new ApplicationId(UUID.randomUUID()),
            caller.tenantId(),
            valid,
            caller.optionalId(),
            hasher.hash(key));
    AuditEntry entry = entry(caller, application.id(), Operation.CREATE, "Application created");
    return new IssuedApplication(applications.create(application, entry), key);
  }

  /**
   * Returns a page of applications with their last use.
   *
   * @param reservation the memory reservation for the page, since there can be many access rules
   * @throws RefusedException if the caller lacks the permission or the memory is exhausted
   */
  public Page<ApplicationView> list(
      Caller caller, ApplicationFilter filter, PageRequest request, MemoryReservation reservation) {
    trail.require(caller, READ);
    Page<Application> page =
        applications.list(
            caller.tenantId(), filter, request, AttemptReservation.toShow(reservation).toLoad());
    trail.record(entry(caller, AuditEntry.ALL_ENTITIES, Operation.SEARCH, "Applications listed"));
    List<ApplicationId> ids = page.items().stream().map(Application::id).toList();
    Map<ApplicationId, Instant> uses = applications.lastUses(caller.tenantId(), ids);
    return page.map(each -> new ApplicationView(each, Optional.ofNullable(uses.get(each.id()))));
  }

  /**
   * Returns an application of the caller's tenant.
   *
   * @throws RefusedException if it does not exist or the caller lacks the permission
   */
  public ApplicationView read(Caller caller, ApplicationId id) {
    trail.require(caller, READ);
    Application application = known(caller, id);
    recordRead(caller, application);
    return view(application);
  }

  /** Returns the application whose API key the caller used. */
  public ApplicationView readByKey(Caller caller) {
    trail.require(caller, READ);
    recordRead(caller, caller.application());
    return view(caller.application());
  }

  private ApplicationView view(Application application) {
    Map<ApplicationId, Instant> uses =
        applications.lastUses(application.tenantId(), List.of(application.id()));
    return new ApplicationView(application, Optional.ofNullable(uses.get(application.id())));
  }

  private void recordRead(Caller caller, Application application) {
    trail.record(entry(caller, application.id(), Operation.READ, "Application retrieved"));
  }

  /**
   * Replaces an application's settings.
   *
   * @param expected the version that the application must have
   * @param violations those found while parsing the update; reported together with all others
   * @throws RefusedException if the application does not exist or has another version
   */
  public Application update(
      Caller caller,
      ApplicationId id,
      ApplicationUpdate update,
      ExpectedVersion expected,
      Violations violations) {
    trail.require(caller, UPDATE);
    return replace(caller, known(caller, id), update, expected, violations);
  }

  /**
   * Changes an application's settings. Of two concurrent changes, none is lost.
   *
   * @param change returns the settings that replace those of the application, and adds a violation
   *     for everything invalid
   * @param expected the version that the application must have
   * @throws RefusedException if the application does not exist or has another version
   */
  public Application change(
      Caller caller,
      ApplicationId id,
      BiFunction<Application, Violations, ApplicationUpdate> change,
      ExpectedVersion expected) {
    trail.require(caller, UPDATE);
    return OptimisticExecutor.readAndChange(
        () -> known(caller, id),
        Application::version,
        expected,
        (known, version) -> {
          Violations violations = new Violations();
          return replace(caller, known, change.apply(known, violations), version, violations);
        });
  }

  private Application known(Caller caller, ApplicationId id) {
    return applications.find(caller.tenantId(), id).orElseThrow(RefusedException::notFound);
  }

  private Application replace(
      Caller caller,
      Application known,
      ApplicationUpdate update,
      ExpectedVersion expected,
      Violations violations) {
    ApplicationSettings settings = violations.require(update.parse(known, violations));
    AuditEntry entry = entry(caller, known.id(), Operation.UPDATE, "Application updated");
    return applications
        .update(caller.tenantId(), known.id(), expected, settings, caller.optionalId(), entry)
        .orElseThrow(RefusedException::notFound);
  }

  /**
   * Replaces an application's API key. Earlier keys expire when the grace period ends, if not
   * sooner.
   *
   * @param expected the version that the application must have
   * @return the application with its new key, which is shown only once
   * @throws RefusedException if too many earlier keys would still be valid
   */
  public IssuedApplication regenerate(
      Caller caller, ApplicationId id, KeyGrace grace, ExpectedVersion expected) {
    trail.require(caller, UPDATE);
    ApiKey key = ApiKey.generate(randomness);
    AuditEntry entry = entry(caller, id, Operation.REGENERATE, regenerated(grace));
    Application application =
        applications
            .replaceKey(
                caller.tenantId(),
                id,
                expected,
                hasher.hash(key),
                grace,
                caller.optionalId(),
                entry)
            .orElseThrow(RefusedException::notFound);
    return new IssuedApplication(application, key);
  }

  private static String regenerated(KeyGrace grace) {
    String what = "Application API key regenerated";
    return grace.isNone()
        ? what
        : what + "; earlier ones end within " + grace.duration().toSeconds() + " seconds";
  }

  /**
   * Deletes an application; its keys expire immediately.
   *
   * @param expected the version that the application must have
   * @throws RefusedException if it does not exist, or proxies refer to it
   */
  public void delete(Caller caller, ApplicationId id, ExpectedVersion expected) {
    trail.require(caller, DELETE);
    AuditEntry entry = entry(caller, id, Operation.DELETE, "Application deleted");
    Deletion deletion = applications.delete(caller.tenantId(), id, expected, entry);
    if (deletion instanceof Deletion.Absent) {
      throw RefusedException.notFound();
    }
    if (deletion instanceof Deletion.NamedByProxies named) {
      throw new RefusedException(
          FailureCause.APPLICATION_IN_USE,
          "Proxies use this application; change or delete them first: " + named.proxies());
    }
  }

  private static AuditEntry entry(Caller caller, Object id, Operation operation, String message) {
    return AuditTrail.entry(caller, EntityType.APPLICATION, id, operation, message);
  }

  /**
   * An application as it is shown to a caller.
   *
   * @param lastUsedAt the minute of its last recorded use; empty if none was recorded
   */
  public record ApplicationView(Application application, Optional<Instant> lastUsedAt) {}

  /** An application with its newly generated API key, which is shown only once. */
  public record IssuedApplication(Application application, ApiKey key) {}
}
