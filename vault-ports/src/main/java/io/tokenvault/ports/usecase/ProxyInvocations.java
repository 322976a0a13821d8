package io.tokenvault.ports.usecase;

import io.tokenvault.domain.audit.Actor;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.domain.permission.Permission;
import io.tokenvault.domain.proxy.Delivery;
import io.tokenvault.domain.proxy.Destination;
import io.tokenvault.domain.proxy.Proxy;
import io.tokenvault.domain.secret.ProxyKey;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.ports.spi.ActingApplication;
import io.tokenvault.ports.spi.AuditRecorder;
import io.tokenvault.ports.spi.CompiledTransform;
import io.tokenvault.ports.spi.KeyHash;
import io.tokenvault.ports.spi.KeyHasher;
import io.tokenvault.ports.spi.Loaded;
import io.tokenvault.ports.spi.Loaded.LoadedProxy;
import io.tokenvault.ports.spi.Lookup;
import io.tokenvault.ports.spi.ProxyStore;
import io.tokenvault.ports.spi.RecentLookup.Recalled;
import io.tokenvault.ports.spi.RequestLookup;
import io.tokenvault.ports.spi.Versions;
import io.tokenvault.ports.usecase.Caller.Bounds;
import io.tokenvault.ports.usecase.Disclosure.Towards;
import io.tokenvault.ports.usecase.OpenTokens.Use;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a proxy engine needs of the vault, in the order in which it is needed: who may come in, the
 * data of the tokens that a request names, and the record of how it ended.
 */
public final class ProxyInvocations {

  /** How many different tokens one invocation may use (interface, section 8). */
  public static final int MAX_TOKENS = 100;

  private static final int MAX_SHOWN_HOST = 200;

  private final RequestLookup lookup;
  private final KeyHasher hasher;
  private final Gate gate;
  private final OpenTokens door;
  private final AuditTrail trail;
  private final TokenDecisions decisions;
  private final TokenDecisions onCondition;
  private final Attempts attempts;
  private final ProxyStore proxies;
  private final ProxySeals seals;

  public ProxyInvocations(
      RequestLookup lookup,
      KeyHasher hasher,
      Gate gate,
      OpenTokens door,
      ProxyStore proxies,
      ProxySeals seals,
      AuditRecorder recorder) {
    this.lookup = lookup;
    this.hasher = hasher;
    this.gate = gate;
    this.door = door;
    this.trail = new AuditTrail(recorder);
    this.decisions = new TokenDecisions(trail);
    this.onCondition = new TokenDecisions(trail.onConditionOnly());
    this.attempts = new Attempts(lookup, gate, trail);
    this.proxies = proxies;
    this.seals = seals;
  }

  /**
   * Decides who may come in, on the headers alone, from memory where it can.
   *
   * @param apiKey as it was sent; empty if none was
   * @param proxyKey as it was sent; empty where the caller names the destination itself
   * @return possibly {@linkplain Admission#isProvisional() provisional}
   * @throws RefusedException in this order: for a bad key; for an unknown proxy or one of another
   *     tenant; for no key where one is needed; without {@code token:use}, which is recorded
   */
  public Admission admit(Optional<String> apiKey, Optional<String> proxyKey) {
    Lookup wanted = wanted(apiKey, proxyKey);
    Recalled recalled = gate.recall(wanted);
    if (!recalled.isRemembered()) {
      return admit(recalled.loaded(), wanted, apiKey, proxyKey);
    }
    try {
      Loaded loaded = recalled.loaded();
      Optional<Caller> caller = apiKey.map(unused -> gate.remembered(loaded, wanted.apiKey()));
      Optional<LoadedProxy> proxy = proxyKey.map(unused -> proxy(loaded, caller));
      requireEntry(caller, proxy, trail.onConditionOnly());
      return new Admission(caller, proxy, seals, wanted, Standing.provisional());
    } catch (VaultException onlyFromMemory) {
      return admitAnew(apiKey, proxyKey);
    }
  }

  /** The same, on what the store has now; what was remembered of it is forgotten. */
  public Admission admitAnew(Optional<String> apiKey, Optional<String> proxyKey) {
    Lookup wanted = wanted(apiKey, proxyKey);
    gate.forget(wanted);
    return admit(lookup.load(wanted), wanted, apiKey, proxyKey);
  }

  private Lookup wanted(Optional<String> apiKey, Optional<String> proxyKey) {
    return new Lookup(
        apiKey.map(gate::hashes).orElse(List.of()),
        proxyKey.flatMap(ProxyKey::parse).map(hasher::hashes).orElse(List.of()),
        Set.of());
  }

  private Admission admit(
      Loaded loaded, Lookup wanted, Optional<String> apiKey, Optional<String> proxyKey) {
    Optional<Caller> caller = apiKey.map(unused -> gate.caller(loaded, wanted.apiKey()));
    Optional<LoadedProxy> proxy = proxyKey.map(unused -> proxy(loaded, caller));
    requireEntry(caller, proxy, trail);
    proxy.ifPresent(found -> renew(found, wanted.proxyKey()));
    return new Admission(caller, proxy, seals, wanted, Standing.settled());
  }

  private static void requireEntry(
      Optional<Caller> caller, Optional<LoadedProxy> proxy, AuditTrail refusals) {
    if (caller.isEmpty() && proxy.map(ProxyInvocations::requiresKey).orElse(true)) {
      throw Gate.unauthenticated();
    }
    caller.ifPresent(present -> requireUse(present, proxy, refusals));
  }

  private static LoadedProxy proxy(Loaded loaded, Optional<Caller> caller) {
    return loaded
        .proxy()
        .filter(found -> caller.map(each -> owns(each, found)).orElse(true))
        .orElseThrow(
            () ->
                new RefusedException(
                    FailureCause.UNKNOWN_PROXY, "No proxy of this tenant has this proxy key."));
  }

  private void renew(LoadedProxy found, List<KeyHash> hashes) {
    gate.renew(found.proxy().proxy().tenantId(), found.matched(), hashes);
  }

  private static boolean owns(Caller caller, LoadedProxy proxy) {
    return caller.tenantId().equals(proxy.proxy().proxy().tenantId());
  }

  private static boolean requiresKey(LoadedProxy proxy) {
    return proxy.proxy().proxy().settings().requireAuth();
  }

  private static void requireUse(Caller caller, Optional<LoadedProxy> proxy, AuditTrail refusals) {
    if (caller.may(Permission.TOKEN_USE)) {
      return;
    }
    throw refusals.refusal(
        caller,
        proxy.isPresent() ? EntityType.PROXY : EntityType.APPLICATION,
        proxy.map(found -> found.proxy().proxy().id().value()).orElse(caller.id()),
        Operation.INVOKE,
        "Proxy invocation",
        "This needs token:use, which the API key does not have.");
  }

  /**
   * Lets a caller name the destination with the request, before it is looked at.
   *
   * @throws RefusedException if the operator has switched that off, which is recorded
   */
  public void requireUrlHeader(Admission admission) {
    Caller caller = admission.caller().orElseThrow();
    TokenDecisions deciding = admission.isProvisional() ? onCondition : decisions;
    deciding.requireUrlHeader(
        caller,
        AuditTrail.entry(
            caller, EntityType.APPLICATION, caller.id(), Operation.INVOKE, "Proxy invoked"));
  }

  /**
   * Records the invocation and the use of tokens, and gives their data: all or none. Nothing may be
   * sent before this returns, and the admission is not provisional any more then.
   *
   * @param ids the tokens named in the request, as they were written
   * @return JSON in UTF-8 for each id
   */
  public Map<String, SensitiveValue> begin(
      Admission admission, Destination destination, Set<String> ids) {
    requireFew(ids);
    AuditEntry invocation = entry(admission, destination, "Proxy invoked");
    if (ids.isEmpty()) {
      recordWithoutTokens(admission, invocation);
      return Map.of();
    }
    Map<String, SensitiveValue> opened = new LinkedHashMap<>();
    door.use(
            admission.caller().orElseThrow(),
            new Use(
                ids,
                delivery(admission, destination),
                admission.proxyVersions(),
                invocation,
                admission.disclosure()),
            admission.standing())
        .forEach((id, data) -> opened.put(id.value(), data));
    return opened;
  }

  private static Delivery delivery(Admission admission, Destination destination) {
    return new Delivery(destination.host(), admission.proxy().isEmpty());
  }

  /** Of the tokens that one request names. */
  static void requireFew(Set<String> ids) {
    if (ids.size() > MAX_TOKENS) {
      throw new RefusedException(
          FailureCause.TOO_MANY_TOKENS,
          "A request may name at most " + MAX_TOKENS + " different tokens.");
    }
  }

  private void recordWithoutTokens(Admission admission, AuditEntry invocation) {
    record(
        admission,
        invocation,
        admission
            .caller()
            .map(Caller::versionsOfUse)
            .map(versions -> versions.and(admission.proxyVersions()))
            .orElseGet(admission::proxyVersions));
  }

  private void record(Admission admission, AuditEntry entry, Versions decidedOn) {
    if (!attempts.confirm(admission.standing(), List.of(entry), decidedOn)) {
      throw new RefusedException(
          FailureCause.OVERLOADED, "The key or the proxy was changed meanwhile; try again.");
    }
  }

  /**
   * The application that the proxy's transforms act as, as of now.
   *
   * @return empty if the proxy names none
   * @throws RefusedException if it is gone or its time is over
   */
  public Optional<Caller> acting(Admission admission, Destination destination) {
    Towards towards = new Towards(admission.disclosure(), delivery(admission, destination));
    return admission
        .proxy()
        .flatMap(proxy -> proxy.settings().applicationId())
        .map(id -> new ActingApplication(admission.tenantId(), id))
        .map(
            application ->
                gate.acting(application, new Bounds(Optional.of(towards), Optional.empty())));
  }

  /**
   * Records that a transform of the proxy is about to send something. Nothing may be sent before
   * this returns.
   *
   * @param target where it goes
   * @throws RefusedException if the invocation has seen a token that may not go there, which is
   *     recorded
   */
  public void beginFetch(Admission admission, Destination destination, Destination target) {
    Optional<Caller> sender =
        acting(admission, destination).or(() -> admission.caller().map(gate::again));
    String host = shortened(target.host());
    sender.ifPresent(
        caller ->
            decisions.requireFetchable(
                caller,
                admission.disclosure(),
                new Delivery(target.host(), false),
                entry(admission, caller.actor(), "Transform fetch from " + host + " denied")));
    record(
        admission,
        entry(
            admission,
            sender.map(Caller::actor).orElseGet(admission::actor),
            "Transform fetches from " + host),
        sender
            .map(Caller::versionsOfUse)
            .map(versions -> versions.and(admission.proxyVersions()))
            .orElseGet(admission::proxyVersions));
  }

  private static AuditEntry entry(Admission admission, Actor actor, String message) {
    return new AuditEntry(
        admission.tenantId(),
        actor,
        EntityType.PROXY,
        admission.proxy().orElseThrow().id().toString(),
        Operation.INVOKE,
        message);
  }

  /** Fits into a message. */
  private static String shortened(String host) {
    return host.length() <= MAX_SHOWN_HOST ? host : host.substring(0, MAX_SHOWN_HOST) + "...";
  }

  /** Keeps what was compiled anew from a transform's code, unless the proxy changed meanwhile. */
  public void keepCompiled(
      Admission admission, ProxyTransform transform, CompiledTransform compiled) {
    Proxy proxy = admission.proxy().orElseThrow();
    proxies.replaceCompiled(
        proxy.tenantId(),
        proxy.id(),
        proxy.version(),
        transform.kind(),
        seals.seal(
            admission.keys(),
            proxy.id(),
            transform.kind(),
            new CheckedTransform(transform.code(), compiled)));
    // The proxy stays at its version.
    gate.forget(admission.identity());
  }

  /**
   * Records how an invocation ended, soon and best effort: the invocation has happened, and its
   * first entry is durable.
   *
   * @param outcome a fixed text, such as {@code answered 200}
   * @return false if too many entries wait already
   */
  public boolean end(Admission admission, Destination destination, String outcome) {
    return trail.recordSoon(entry(admission, destination, "Proxy invocation ended: " + outcome));
  }

  private static AuditEntry entry(Admission admission, Destination destination, String message) {
    return new AuditEntry(
        admission.tenantId(),
        admission.actor(),
        EntityType.PROXY,
        admission.proxy().map(proxy -> proxy.id().toString()).orElseGet(destination::host),
        Operation.INVOKE,
        message);
  }
}
