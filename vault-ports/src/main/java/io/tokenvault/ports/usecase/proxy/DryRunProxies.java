package io.tokenvault.ports.usecase.proxy;

import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.proxy.Delivery;
import io.tokenvault.domain.proxy.Destination;
import io.tokenvault.domain.proxy.Proxy;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.ApplicationStore;
import io.tokenvault.ports.store.ProxyStore;
import io.tokenvault.ports.store.model.ActingApplication;
import io.tokenvault.ports.store.model.StoredProxy;
import io.tokenvault.ports.usecase.authorization.AuditTrail;
import io.tokenvault.ports.usecase.authorization.Authenticator;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.Caller.Bounds;
import io.tokenvault.ports.usecase.authorization.OptimisticExecutor.AttemptReservation;
import io.tokenvault.ports.usecase.authorization.Requirement;
import io.tokenvault.ports.usecase.token.TokenDecryptor;
import io.tokenvault.ports.usecase.token.TokenDecryptor.TokenPreview;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Performs dry runs of proxies: nothing is sent, and at most masks of token data are shown. */
public final class DryRunProxies {

  public static final Requirement DRY_RUN = Requirement.anyOf(Permission.PROXY_UPDATE);

  private final ProxyStore proxies;
  private final ApplicationStore applications;
  private final ProxyCipher proxyCipher;
  private final TokenDecryptor tokenDecryptor;
  private final Authenticator authenticator;
  private final AuditTrail trail;

  public DryRunProxies(
      ProxyStore proxies,
      ApplicationStore applications,
      ProxyCipher proxyCipher,
      TokenDecryptor tokenDecryptor,
      Authenticator authenticator,
      AuditRecorder recorder) {
    this.proxies = proxies;
    this.applications = applications;
    this.proxyCipher = proxyCipher;
    this.tokenDecryptor = tokenDecryptor;
    this.authenticator = authenticator;
    this.trail = new AuditTrail(recorder);
  }

  /**
   * Begins a dry run and records it.
   *
   * @param invoker the application that is to invoke the proxy; empty for an anonymous caller
   * @throws RefusedException if the caller lacks {@code proxy:update}, which is recorded, or there
   *     is no such proxy
   * @throws ValidationException if there is no such application
   */
  public AdmittedDryRun begin(Caller caller, ProxyId id, Optional<ApplicationId> invoker) {
    trail.require(caller, DRY_RUN);
    StoredProxy stored =
        proxies.find(caller.tenantId(), id).orElseThrow(RefusedException::notFound);
    invoker.ifPresent(application -> requireKnown(caller, application));
    trail.record(AuditTrail.entry(caller, EntityType.PROXY, id, Operation.INVOKE, "Proxy dry run"));
    return new AdmittedDryRun(caller, stored, invoker);
  }

  private void requireKnown(Caller caller, ApplicationId application) {
    if (applications.find(caller.tenantId(), application).isEmpty()) {
      throw ValidationException.of(
          "application.id", "must be the id of an application of this tenant");
    }
  }

  /**
   * Returns the preview of the tokens that a request names for the invoker; tokens that do not
   * exist are absent. Each mask that is shown is recorded as a read by the caller.
   *
   * @param ids as they were written
   * @param reservation the memory reservation for the tokens and their masks
   * @throws RefusedException if there are more tokens than an invocation may use
   */
  public Map<String, TokenPreview> preview(
      AdmittedDryRun dryRun,
      Destination destination,
      Set<String> ids,
      MemoryReservation reservation) {
    ProxyInvocations.requireFew(ids);
    Delivery delivery = new Delivery(destination.host(), false);
    AttemptReservation memory = AttemptReservation.toShow(reservation);
    return dryRun
        .invoker
        .map(id -> acting(dryRun, id))
        .map(invoker -> tokenDecryptor.preview(dryRun.caller, invoker, ids, delivery, memory))
        .orElse(Map.of());
  }

  /**
   * Returns the application that the proxy's transforms act as, which sees at most masks.
   *
   * @return empty if the proxy names none
   */
  public Optional<Caller> acting(AdmittedDryRun dryRun) {
    return dryRun.proxy().orElseThrow().settings().applicationId().map(id -> acting(dryRun, id));
  }

  private Caller acting(AdmittedDryRun dryRun, ApplicationId id) {
    return authenticator.acting(new ActingApplication(dryRun.caller.tenantId(), id), Bounds.MASKED);
  }

  /** A dry run that may proceed. Only {@link DryRunProxies} creates instances. */
  public final class AdmittedDryRun implements InvokedProxy {

    private final Caller caller;
    private final StoredProxy stored;
    private final Optional<ApplicationId> invoker;

    private AdmittedDryRun(Caller caller, StoredProxy stored, Optional<ApplicationId> invoker) {
      this.caller = caller;
      this.stored = stored;
      this.invoker = invoker;
    }

    @Override
    public Optional<Proxy> proxy() {
      return Optional.of(stored.proxy());
    }

    /** Returns whether the dry run has an invoker, for whom expressions would be replaced. */
    @Override
    public boolean mayUseTokens() {
      return invoker.isPresent();
    }

    @Override
    public Optional<ProxyTransform> transform(TransformKind kind) {
      return stored.transforms().containsKey(kind)
          ? Optional.of(new ProxyTransform(stored, kind, caller::keys, proxyCipher))
          : Optional.empty();
    }

    @Override
    public SensitiveValue configuration() {
      return proxyCipher.decryptConfiguration(caller.keys(), stored);
    }
  }
}
