package io.tokenvault.ports.usecase.proxy;

import io.tokenvault.domain.access.ApplicationType;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.proxy.EgressPolicy;
import io.tokenvault.domain.proxy.ProxyDraft;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.proxy.ProxySettings;
import io.tokenvault.domain.proxy.ProxyUpdate;
import io.tokenvault.domain.proxy.TransformCode;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.request.UnchangedFields;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.runtime.TransformRuntime;
import io.tokenvault.ports.runtime.TransformRuntime.Compilation;
import io.tokenvault.ports.runtime.TransformRuntime.Compilation.Compiled;
import io.tokenvault.ports.runtime.TransformRuntime.Compilation.Flaw;
import io.tokenvault.ports.runtime.TransformRuntime.Compilation.Refused;
import io.tokenvault.ports.store.ApplicationStore;
import io.tokenvault.ports.store.Page;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.store.ProxyStore;
import io.tokenvault.ports.store.ProxyStore.Change;
import io.tokenvault.ports.store.ProxyStore.NewProxy;
import io.tokenvault.ports.store.ProxyStore.ProxyFilter;
import io.tokenvault.ports.store.model.StoredProxy;
import io.tokenvault.ports.usecase.authorization.AuditTrail;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.OptimisticExecutor;
import io.tokenvault.ports.usecase.authorization.OptimisticExecutor.AttemptReservation;
import io.tokenvault.ports.usecase.authorization.Requirement;
import io.tokenvault.ports.usecase.proxy.ProxyCipher.EncryptedKey;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BiFunction;

/**
 * Manages pre-configured proxies (interface, section 4, Proxies).
 *
 * <p>Every method checks the caller's permission first and records each operation and each missing
 * permission in the audit log.
 */
public final class ManageProxies {

  public static final Requirement CREATE = Requirement.anyOf(Permission.PROXY_CREATE);
  public static final Requirement READ = Requirement.anyOf(Permission.PROXY_READ);
  public static final Requirement UPDATE = Requirement.anyOf(Permission.PROXY_UPDATE);
  public static final Requirement DELETE = Requirement.anyOf(Permission.PROXY_DELETE);

  private static final String APPLICATION_PATH = "application.id";
  private static final String APPLICATION_MESSAGE =
      "must be the id of a public or private application of this tenant";

  private final ProxyStore proxies;
  private final ApplicationStore applications;
  private final ProxyCipher proxyCipher;
  private final EgressPolicy egress;
  private final TransformRuntime runtime;
  private final AuditTrail trail;

  public ManageProxies(
      ProxyStore proxies,
      ApplicationStore applications,
      ProxyCipher proxyCipher,
      EgressPolicy egress,
      TransformRuntime runtime,
      AuditRecorder recorder) {
    this.proxies = proxies;
    this.applications = applications;
    this.proxyCipher = proxyCipher;
    this.egress = egress;
    this.runtime = runtime;
    this.trail = new AuditTrail(recorder);
  }

  /**
   * Creates a proxy with a new proxy key.
   *
   * @param violations those found while parsing the draft; reported together with all others
   * @throws RefusedException if the caller lacks the permission
   */
  public ProxyView create(Caller caller, ProxyDraft draft, Violations violations) {
    trail.require(caller, CREATE);
    CheckedProxy checked = check(caller, draft, violations);
    ProxyId id = new ProxyId(UUID.randomUUID());
    EncryptedKey key = proxyCipher.newKey(caller.keys(), id);
    NewProxy proxy =
        new NewProxy(
            id,
            caller.tenantId(),
            checked.settings(),
            key.encrypted(),
            key.hash(),
            encryptConfiguration(caller, id, draft),
            proxyCipher.encryptTransforms(caller.keys(), id, checked.transforms()),
            caller.id());
    AuditEntry entry = entry(caller, id, Operation.CREATE, "Proxy created");
    return view(caller, stored(proxies.create(proxy, entry)));
  }

  /**
   * Returns a page of proxies.
   *
   * @param reservation the memory reservation for the page, since transforms can be long
   * @throws RefusedException if the caller lacks the permission or the memory is exhausted
   */
  public Page<ProxyView> list(
      Caller caller, ProxyFilter filter, PageRequest request, MemoryReservation reservation) {
    trail.require(caller, READ);
    Page<StoredProxy> page =
        proxies.list(
            caller.tenantId(), filter, request, AttemptReservation.toShow(reservation).toLoad());
    trail.record(entry(caller, AuditEntry.ALL_ENTITIES, Operation.SEARCH, "Proxies listed"));
    return page.map(stored -> view(caller, stored));
  }

  /**
   * Returns a proxy of the caller's tenant.
   *
   * @throws RefusedException if it does not exist or the caller lacks the permission
   */
  public ProxyView read(Caller caller, ProxyId id) {
    trail.require(caller, READ);
    StoredProxy stored = known(caller, id);
    trail.record(entry(caller, id, Operation.READ, "Proxy retrieved"));
    return view(caller, stored);
  }

  /**
   * Replaces a proxy's settings, configuration and transforms; its key does not change.
   *
   * @param expected the version that the proxy must have
   * @param violations those found while parsing the update; reported together with all others
   * @throws RefusedException if the proxy does not exist or has another version
   */
  public ProxyView update(
      Caller caller,
      ProxyId id,
      ProxyUpdate update,
      ExpectedVersion expected,
      Violations violations) {
    trail.require(caller, UPDATE);
    return replace(caller, known(caller, id), update, expected, violations);
  }

  /**
   * Changes a proxy. Of two concurrent changes, none is lost.
   *
   * <p>A proxy with a configuration or transforms is changed only for callers with {@code
   * proxy:read}: the response shows what the change keeps, and the change could send it elsewhere.
   *
   * @param change returns what replaces the proxy, and adds a violation for everything invalid
   * @param expected the version that the proxy must have
   * @throws RefusedException if the proxy does not exist or has another version, or the caller
   *     lacks a permission
   */
  public ProxyView change(
      Caller caller,
      ProxyId id,
      BiFunction<ProxyView, Violations, ProxyUpdate> change,
      ExpectedVersion expected) {
    trail.require(caller, UPDATE);
    return OptimisticExecutor.readAndChange(
        () -> known(caller, id),
        known -> known.proxy().version(),
        expected,
        (known, version) -> {
          ProxyView shown = view(caller, known);
          if (shown.hasContents()) {
            trail.require(caller, READ);
          }
          Violations violations = new Violations();
          return replace(caller, known, change.apply(shown, violations), version, violations);
        });
  }

  private StoredProxy known(Caller caller, ProxyId id) {
    return proxies.find(caller.tenantId(), id).orElseThrow(RefusedException::notFound);
  }

  private ProxyView replace(
      Caller caller,
      StoredProxy known,
      ProxyUpdate update,
      ExpectedVersion expected,
      Violations violations) {
    ProxyId id = known.proxy().id();
    update.checkUnchanged(known.proxy(), proxyCipher.decryptKey(caller.keys(), known), violations);
    ProxyDraft draft = update.draft();
    CheckedProxy checked = check(caller, draft, violations);
    AuditEntry entry = entry(caller, id, Operation.UPDATE, "Proxy updated");
    Change change =
        proxies.update(
            caller.tenantId(),
            id,
            expected,
            checked.settings(),
            encryptConfiguration(caller, id, draft),
            proxyCipher.encryptTransforms(caller.keys(), id, checked.transforms()),
            caller.id(),
            entry);
    return view(caller, stored(change));
  }

  /** Replaces a proxy regardless of its version. */
  public ProxyView update(Caller caller, ProxyId id, ProxyDraft draft, Violations violations) {
    return update(
        caller, id, new ProxyUpdate(draft, UnchangedFields.NONE), ExpectedVersion.ANY, violations);
  }

  /**
   * Deletes a proxy; its key ends immediately.
   *
   * @param expected the version that the proxy must have
   * @throws RefusedException if the proxy does not exist or has another version
   */
  public void delete(Caller caller, ProxyId id, ExpectedVersion expected) {
    trail.require(caller, DELETE);
    AuditEntry entry = entry(caller, id, Operation.DELETE, "Proxy deleted");
    if (!proxies.delete(caller.tenantId(), id, expected, entry)) {
      throw RefusedException.notFound();
    }
  }

  /** The settings and compiled transforms of a valid draft. */
  private record CheckedProxy(
      ProxySettings settings, Map<TransformKind, CheckedTransform> transforms) {}

  private CheckedProxy check(Caller caller, ProxyDraft draft, Violations violations) {
    Optional<ProxySettings> settings = draft.parse(caller.tenantId(), egress, violations);
    if (draft.applicationId() != null && !mayBeNamed(caller, draft.applicationId())) {
      violations.add(APPLICATION_PATH, APPLICATION_MESSAGE);
    }
    Map<TransformKind, CheckedTransform> compiled =
        compile(caller.tenantId(), readable(draft, violations), violations);
    return new CheckedProxy(violations.require(settings), compiled);
  }

  /** Returns the code without known violations; none if validation has stopped. */
  private static Map<TransformKind, String> readable(ProxyDraft draft, Violations violations) {
    Map<TransformKind, String> readable = new TreeMap<>(draft.transforms());
    Set<String> wrong = violations.asMap().keySet();
    readable.keySet().removeIf(kind -> violations.isFull() || wrong.contains(kind.codePath()));
    return readable;
  }

  /** Compiles transforms and adds their flaws to the violations, with line and column. */
  private Map<TransformKind, CheckedTransform> compile(
      TenantId tenantId, Map<TransformKind, String> sources, Violations violations) {
    Map<TransformKind, CheckedTransform> compiled = new EnumMap<>(TransformKind.class);
    sources.forEach(
        (kind, source) -> {
          TransformCode code = new TransformCode(source);
          Compilation compilation = runtime.compile(tenantId, code);
          if (compilation instanceof Compiled done) {
            compiled.put(kind, new CheckedTransform(code, done.transform()));
          } else if (compilation instanceof Refused refused) {
            refused.flaws().forEach(flaw -> violations.add(kind.codePath(), text(flaw)));
          }
        });
    return compiled;
  }

  private static String text(Flaw flaw) {
    return "line %s, column %s: %s".formatted(flaw.line(), flaw.column(), flaw.message());
  }

  private boolean mayBeNamed(Caller caller, ApplicationId id) {
    Optional<ApplicationType> type =
        applications.find(caller.tenantId(), id).map(Application::type);
    return type.equals(Optional.of(ApplicationType.PUBLIC))
        || type.equals(Optional.of(ApplicationType.PRIVATE));
  }

  private EncryptedValue encryptConfiguration(Caller caller, ProxyId id, ProxyDraft draft) {
    Map<String, String> configuration =
        draft.configuration() == null ? Map.of() : draft.configuration();
    return proxyCipher.encryptConfiguration(caller.keys(), id, configuration);
  }

  private static StoredProxy stored(Change change) {
    if (change instanceof Change.Stored stored) {
      return stored.proxy();
    }
    if (change instanceof Change.ApplicationMissing) {
      throw ValidationException.of(APPLICATION_PATH, APPLICATION_MESSAGE);
    }
    throw RefusedException.notFound();
  }

  private ProxyView view(Caller caller, StoredProxy stored) {
    return proxyCipher.decrypt(caller.keys(), stored);
  }

  private static AuditEntry entry(Caller caller, Object id, Operation operation, String message) {
    return AuditTrail.entry(caller, EntityType.PROXY, id, operation, message);
  }
}
