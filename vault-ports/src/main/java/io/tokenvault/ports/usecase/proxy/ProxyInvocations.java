package io.tokenvault.ports.usecase.proxy;

import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.audit.Actor;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RateLimitedException;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.domain.proxy.Delivery;
import io.tokenvault.domain.proxy.Destination;
import io.tokenvault.domain.proxy.Proxy;
import io.tokenvault.domain.secret.ProxyKey;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.crypto.KeyHasher;
import io.tokenvault.ports.runtime.CompiledTransform;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.runtime.RateLimits.Subject;
import io.tokenvault.ports.store.LookupCache.Found;
import io.tokenvault.ports.store.LookupRequest;
import io.tokenvault.ports.store.LookupResult;
import io.tokenvault.ports.store.LookupResult.LoadedProxy;
import io.tokenvault.ports.store.ProxyStore;
import io.tokenvault.ports.store.RequestLookup;
import io.tokenvault.ports.store.model.ActingApplication;
import io.tokenvault.ports.usecase.authorization.AuditTrail;
import io.tokenvault.ports.usecase.authorization.Authenticator;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.Caller.Bounds;
import io.tokenvault.ports.usecase.authorization.InvocationDisclosure.Target;
import io.tokenvault.ports.usecase.authorization.OptimisticExecutor;
import io.tokenvault.ports.usecase.authorization.OptimisticExecutor.AttemptReservation;
import io.tokenvault.ports.usecase.authorization.TokenDecisions;
import io.tokenvault.ports.usecase.token.TokenDecryptor;
import io.tokenvault.ports.usecase.token.TokenDecryptor.Use;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Serves a proxy engine, in the order of its steps: admits callers, returns the data of the tokens
 * that a request names, and records how the invocation ended.
 *
 * <p>For example: {@code admit}, then {@code begin}, then the request to the destination, then
 * {@code end}.
 */
public final class ProxyInvocations {

  /** The maximum number of different tokens in one invocation (interface, section 8). */
  public static final int MAX_TOKENS = 100;

  private static final int MAX_SHOWN_HOST = 200;

  private final RequestLookup lookup;
  private final KeyHasher hasher;
  private final Authenticator authenticator;
  private final TokenDecryptor tokenDecryptor;
  private final AuditTrail trail;
  private final TokenDecisions decisions;
  private final OptimisticExecutor executor;
  private final ProxyStore proxies;
  private final ProxyCipher proxyCipher;

  public ProxyInvocations(
      RequestLookup lookup,
      KeyHasher hasher,
      Authenticator authenticator,
      TokenDecryptor tokenDecryptor,
      ProxyStore proxies,
      ProxyCipher proxyCipher,
      AuditRecorder recorder) {
    this.lookup = lookup;
    this.hasher = hasher;
    this.authenticator = authenticator;
    this.tokenDecryptor = tokenDecryptor;
    this.trail = new AuditTrail(recorder);
    this.decisions = new TokenDecisions(trail);
    this.executor = new OptimisticExecutor(lookup, authenticator, trail);
    this.proxies = proxies;
    this.proxyCipher = proxyCipher;
  }

  /**
   * Authorizes an invocation by its headers alone, on cached data where possible.
   *
   * @param apiKey as it was sent; empty if none was sent
   * @param proxyKey as it was sent; empty if the caller names the destination
   * @return an admission, possibly {@linkplain Admission#isProvisional() provisional}
   * @throws RefusedException in this order: for an invalid API key; for an unknown proxy or one of
   *     another tenant; for a missing API key where one is required; for a caller without {@code
   *     token:use}, which is recorded
   * @throws RateLimitedException if the API key is valid but the rate limit is exceeded, possibly
   *     on cached data
   */
  public Admission admit(Optional<String> apiKey, Optional<String> proxyKey) {
    LookupRequest wanted = wanted(apiKey, proxyKey);
    Found found = authenticator.lookUpCached(wanted, MemoryReservation.UNBOUNDED);
    Optional<Caller> caller = caller(found, wanted, apiKey);
    count(found.loaded(), caller);
    try {
      return admit(found, wanted, caller, proxyKey);
    } catch (VaultException refused) {
      if (found.isCached()) {
        return readmit(apiKey, proxyKey);
      }
      throw refused;
    }
  }

  /**
   * Authorizes an invocation on current data and removes the cached data. The invocation was
   * counted by {@link #admit} and is not counted again.
   */
  public Admission readmit(Optional<String> apiKey, Optional<String> proxyKey) {
    LookupRequest wanted = wanted(apiKey, proxyKey);
    authenticator.evict(wanted);
    Found current = new Found(lookup.load(wanted, MemoryReservation.UNBOUNDED), false);
    return admit(current, wanted, caller(current, wanted, apiKey), proxyKey);
  }

  /**
   * Counts an invocation against its rate limit: once, even if the decision is repeated, and before
   * a refusal.
   */
  private void count(LookupResult loaded, Optional<Caller> caller) {
    if (caller.isPresent()) {
      authenticator.count(caller.get().subject());
    } else {
      loaded
          .proxy()
          .filter(found -> !requiresKey(found))
          .map(found -> found.proxy().proxy())
          .map(proxy -> Subject.of(proxy.tenantId(), proxy.id()))
          .ifPresent(authenticator::count);
    }
  }

  private LookupRequest wanted(Optional<String> apiKey, Optional<String> proxyKey) {
    return new LookupRequest(
        apiKey.map(authenticator::hashes).orElse(List.of()),
        proxyKey.flatMap(ProxyKey::parse).map(hasher::hashes).orElse(List.of()),
        Set.of());
  }

  private Optional<Caller> caller(Found found, LookupRequest wanted, Optional<String> apiKey) {
    LookupRequest identity = LookupRequest.caller(wanted.apiKey());
    return apiKey.map(unused -> authenticator.caller(found, identity, Bounds.NONE));
  }

  private Admission admit(
      Found found, LookupRequest wanted, Optional<Caller> caller, Optional<String> proxyKey) {
    Optional<LoadedProxy> proxy = proxyKey.map(unused -> proxy(found.loaded(), caller));
    requireEntry(caller, proxy);
    if (!found.isCached()) {
      proxy.ifPresent(
          each ->
              authenticator.renew(
                  each.proxy().proxy().tenantId(), each.matched(), wanted.proxyKey()));
    }
    return new Admission(caller, proxy, proxyCipher, wanted, found.isCached());
  }

  private void requireEntry(Optional<Caller> caller, Optional<LoadedProxy> proxy) {
    if (caller.isEmpty() && proxy.map(ProxyInvocations::requiresKey).orElse(true)) {
      throw Authenticator.unauthenticated();
    }
    if (caller.isPresent() && !caller.get().may(Permission.TOKEN_USE)) {
      throw trail.recordRefusal(
          caller.get(),
          proxy.isPresent() ? EntityType.PROXY : EntityType.APPLICATION,
          proxy.map(found -> found.proxy().proxy().id().value()).orElse(caller.get().id()),
          Operation.INVOKE,
          "Proxy invocation",
          "The API key lacks the permission token:use.");
    }
  }

  private static LoadedProxy proxy(LookupResult loaded, Optional<Caller> caller) {
    Optional<TenantId> tenant = caller.map(Caller::tenantId);
    return loaded
        .proxy()
        .filter(found -> tenant.map(found.proxy().proxy().tenantId()::equals).orElse(true))
        .orElseThrow(
            () ->
                new RefusedException(
                    FailureCause.UNKNOWN_PROXY, "No proxy of this tenant has this proxy key."));
  }

  private static boolean requiresKey(LoadedProxy proxy) {
    return proxy.proxy().proxy().settings().requireAuth();
  }

  /**
   * Checks that the caller may name the destination in the request, before the destination is
   * parsed.
   *
   * @throws RefusedException if the operator has disabled that, which is recorded
   */
  public void requireUrlHeader(Admission admission) {
    Caller caller = admission.caller().orElseThrow();
    decisions.requireUrlHeader(
        caller,
        AuditTrail.entry(
            caller, EntityType.APPLICATION, caller.id(), Operation.INVOKE, "Proxy invoked"));
  }

  /**
   * Records the invocation and the use of tokens, and returns their data: all or none. Nothing may
   * be sent before this returns; the admission is no longer provisional then.
   *
   * @param ids the tokens named in the request, as they were written
   * @param reservation the memory reservation for the tokens and their data
   * @return JSON in UTF-8 for each id
   * @throws RefusedException if a token is unknown, or if one may not be used (recorded)
   */
  public Map<String, SensitiveValue> begin(
      Admission admission,
      Destination destination,
      Set<String> ids,
      MemoryReservation reservation) {
    requireFew(ids);
    AuditEntry invocation = entry(admission, destination, "Proxy invoked");
    if (ids.isEmpty()) {
      recordWithoutTokens(admission, invocation);
      return Map.of();
    }
    return tokenDecryptor.use(
        admission.caller().orElseThrow(),
        new Use(
            ids,
            delivery(admission, destination),
            admission.proxyVersions(),
            invocation,
            admission.disclosure()),
        AttemptReservation.toUse(reservation));
  }

  private static Delivery delivery(Admission admission, Destination destination) {
    return new Delivery(destination.host(), admission.proxy().isEmpty());
  }

  /** Checks the number of tokens that one request names. */
  static void requireFew(Set<String> ids) {
    if (ids.size() > MAX_TOKENS) {
      throw new RefusedException(
          FailureCause.TOO_MANY_TOKENS,
          "A request may name at most " + MAX_TOKENS + " different tokens.");
    }
  }

  private void recordWithoutTokens(Admission admission, AuditEntry invocation) {
    executor.confirmOrRefuse(
        admission::endProvisional,
        List.of(invocation),
        admission.versionsOfUse(admission.caller()));
  }

  /**
   * Returns the application that the proxy's transforms act as, on current data.
   *
   * @return empty if the proxy names none
   * @throws RefusedException if it does not exist or has expired
   */
  public Optional<Caller> acting(Admission admission, Destination destination) {
    Target target = new Target(admission.disclosure(), delivery(admission, destination));
    return admission
        .proxy()
        .flatMap(proxy -> proxy.settings().applicationId())
        .map(id -> new ActingApplication(admission.tenantId(), id))
        .map(
            application ->
                authenticator.acting(
                    application, new Bounds(Optional.of(target), Optional.empty())));
  }

  /**
   * Records that a transform of the proxy is about to send a request. Nothing may be sent before
   * this returns.
   *
   * @param target the destination of the request
   * @throws RefusedException if a token was revealed to the invocation that the egress policy does
   *     not allow there, which is recorded
   */
  public void beginFetch(Admission admission, Destination destination, Destination target) {
    Optional<Caller> sender =
        acting(admission, destination).or(() -> admission.caller().map(authenticator::reload));
    Actor actor = sender.map(Caller::actor).orElseGet(admission::actor);
    Function<String, AuditEntry> entry = message -> entry(admission, destination, actor, message);
    String host = target.host();
    sender.ifPresent(
        caller ->
            decisions.requireFetchable(
                caller,
                admission.disclosure(),
                new Delivery(host, false),
                () ->
                    entry.apply(
                        "Transform fetch denied after use of bound tokens, from "
                            + hashed(caller, host))));
    executor.confirmOrRefuse(
        admission::endProvisional,
        List.of(entry.apply("Transform fetches from " + shown(admission, sender, host))),
        admission.versionsOfUse(sender));
  }

  /**
   * Returns the host for the log. If bound tokens were revealed, a host that no binding names is
   * hashed, because the transform could have put token data into it.
   */
  private String shown(Admission admission, Optional<Caller> sender, String host) {
    return sender
        .filter(caller -> !admission.disclosure().bound(caller.egress()).isEmpty())
        .filter(caller -> !caller.egress().names(host))
        .map(caller -> hashed(caller, host))
        .orElseGet(
            () ->
                host.length() <= MAX_SHOWN_HOST ? host : host.substring(0, MAX_SHOWN_HOST) + "...");
  }

  /** Returns a hash whose prefix keeps it distinct from those of idempotent requests. */
  private String hashed(Caller caller, String host) {
    return "the host with the hash "
        + tokenDecryptor.contents().hashed(caller.keys(), "fetched host " + host);
  }

  /** Stores the new compiled form of a transform, unless the proxy has changed meanwhile. */
  public void keepCompiled(
      Admission admission, ProxyTransform transform, CompiledTransform compiled) {
    Proxy proxy = admission.proxy().orElseThrow();
    proxies.replaceCompiled(
        proxy.tenantId(),
        proxy.id(),
        proxy.version(),
        transform.kind(),
        proxyCipher.encrypt(
            admission.keys(),
            proxy.id(),
            transform.kind(),
            new CheckedTransform(transform.code(), compiled)));
    // The version of the proxy does not change, so that nothing else invalidates the cache.
    authenticator.evict(admission.identity());
  }

  /**
   * Records how an invocation ended, soon and on a best-effort basis: the invocation has happened,
   * and its first entry is durable.
   *
   * @param outcome a fixed string, such as {@code status 200}
   * @return false if too many entries are queued already
   */
  public boolean end(Admission admission, Destination destination, String outcome) {
    return trail.recordSoon(entry(admission, destination, "Proxy invocation ended: " + outcome));
  }

  /**
   * Records why a request of a transform failed, soon and on a best-effort basis.
   *
   * @param outcome a fixed string
   * @return false if too many entries are queued already
   */
  public boolean failFetch(Admission admission, Destination destination, String outcome) {
    return trail.recordSoon(entry(admission, destination, "Transform fetch failed: " + outcome));
  }

  private static AuditEntry entry(Admission admission, Destination destination, String message) {
    return entry(admission, destination, admission.actor(), message);
  }

  private static AuditEntry entry(
      Admission admission, Destination destination, Actor actor, String message) {
    return AuditTrail.entry(
        admission.tenantId(),
        actor,
        EntityType.PROXY,
        admission.proxy().map(proxy -> proxy.id().toString()).orElseGet(destination::host),
        Operation.INVOKE,
        message);
  }
}
