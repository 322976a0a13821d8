package io.tokenvault.ports.usecase;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.permission.Permission;
import io.tokenvault.domain.proxy.Delivery;
import io.tokenvault.domain.proxy.Destination;
import io.tokenvault.domain.secret.ProxyKey;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.ports.spi.AuditRecorder;
import io.tokenvault.ports.spi.KeyHash;
import io.tokenvault.ports.spi.KeyHasher;
import io.tokenvault.ports.spi.Loaded;
import io.tokenvault.ports.spi.Loaded.LoadedProxy;
import io.tokenvault.ports.spi.Lookup;
import io.tokenvault.ports.spi.RequestLookup;
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

  private final RequestLookup lookup;
  private final KeyHasher hasher;
  private final Gate gate;
  private final OpenTokens door;
  private final AuditTrail trail;
  private final TokenDecisions decisions;

  public ProxyInvocations(
      RequestLookup lookup, KeyHasher hasher, Gate gate, OpenTokens door, AuditRecorder recorder) {
    this.lookup = lookup;
    this.hasher = hasher;
    this.gate = gate;
    this.door = door;
    this.trail = new AuditTrail(recorder);
    this.decisions = new TokenDecisions(trail);
  }

  /**
   * Decides who may come in, on the headers alone.
   *
   * @param apiKey as it was sent; empty if none was
   * @param proxyKey as it was sent; empty where the caller names the destination itself
   * @throws RefusedException in this order: for a bad key; for an unknown proxy or one of another
   *     tenant; for no key where one is needed; without {@code token:use}, which is recorded
   */
  public Admission admit(Optional<String> apiKey, Optional<String> proxyKey) {
    List<KeyHash> apiHashes = apiKey.map(gate::hashes).orElse(List.of());
    List<KeyHash> proxyHashes =
        proxyKey.flatMap(ProxyKey::parse).map(hasher::hashes).orElse(List.of());
    Loaded loaded = lookup.load(new Lookup(apiHashes, proxyHashes, Set.of()));
    Optional<Caller> caller =
        apiKey.isPresent() ? Optional.of(gate.caller(loaded, apiHashes)) : Optional.empty();
    Optional<LoadedProxy> proxy = proxyKey.map(unused -> proxy(loaded, caller));
    if (caller.isEmpty() && proxy.map(ProxyInvocations::requiresKey).orElse(true)) {
      throw Gate.unauthenticated();
    }
    caller.ifPresent(present -> requireUse(present, proxy));
    proxy.ifPresent(found -> renew(found, proxyHashes));
    return new Admission(caller, proxy);
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

  private void requireUse(Caller caller, Optional<LoadedProxy> proxy) {
    if (caller.may(Permission.TOKEN_USE)) {
      return;
    }
    throw trail.refusal(
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
    decisions.requireUrlHeader(
        caller,
        AuditTrail.entry(
            caller, EntityType.APPLICATION, caller.id(), Operation.INVOKE, "Proxy invoked"));
  }

  /**
   * Records the invocation and the use of tokens, and gives their data: all or none. Nothing may be
   * sent before this returns.
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
            ids,
            new Delivery(destination.host(), admission.proxy().isEmpty()),
            admission.proxyVersions(),
            invocation)
        .forEach((id, data) -> opened.put(id.value(), data));
    return opened;
  }

  private static void requireFew(Set<String> ids) {
    if (ids.size() > MAX_TOKENS) {
      throw new RefusedException(
          FailureCause.TOO_MANY_TOKENS,
          "A request may name at most " + MAX_TOKENS + " different tokens.");
    }
  }

  private void recordWithoutTokens(Admission admission, AuditEntry invocation) {
    boolean recorded =
        trail.record(
            List.of(invocation),
            admission
                .caller()
                .map(Caller::versionsOfUse)
                .map(versions -> versions.and(admission.proxyVersions()))
                .orElseGet(admission::proxyVersions));
    if (!recorded) {
      throw new RefusedException(
          FailureCause.OVERLOADED, "The key or the proxy was changed meanwhile; try again.");
    }
  }

  /**
   * Records how an invocation ended. A failure to do so need not be told to anybody: the invocation
   * has happened, and its first entry is durable.
   *
   * @param outcome a fixed text, such as {@code answered 200}
   */
  public void end(Admission admission, Destination destination, String outcome) {
    trail.record(List.of(entry(admission, destination, "Proxy invocation ended: " + outcome)));
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
