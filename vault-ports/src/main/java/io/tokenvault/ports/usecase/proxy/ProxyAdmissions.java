package io.tokenvault.ports.usecase.proxy;

import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.domain.secret.ProxyKey;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.crypto.KeyHasher;
import io.tokenvault.ports.store.LookupCache.Recalled;
import io.tokenvault.ports.store.LookupRequest;
import io.tokenvault.ports.store.LookupResult;
import io.tokenvault.ports.store.LookupResult.LoadedProxy;
import io.tokenvault.ports.store.RequestLookup;
import io.tokenvault.ports.usecase.authorization.AuditTrail;
import io.tokenvault.ports.usecase.authorization.Authenticator;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.Caller.Bounds;
import io.tokenvault.ports.usecase.authorization.CallerLookups;
import io.tokenvault.ports.usecase.authorization.DecisionState;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Decides whether a caller may invoke a proxy, and finds the proxy. */
final class ProxyAdmissions {

  private final RequestLookup lookup;
  private final KeyHasher hasher;
  private final Authenticator gate;
  private final ProxyCipher seals;
  private final AuditTrail trail;

  ProxyAdmissions(
      RequestLookup lookup,
      KeyHasher hasher,
      Authenticator gate,
      ProxyCipher seals,
      AuditTrail trail) {
    this.lookup = lookup;
    this.hasher = hasher;
    this.gate = gate;
    this.seals = seals;
    this.trail = trail;
  }

  /** Implements {@link ProxyInvocations#admit}. */
  Admission admit(Optional<String> apiKey, Optional<String> proxyKey) {
    LookupRequest wanted = wanted(apiKey, proxyKey);
    gate.rates().turnAwayKnown(apiKey.isPresent() ? wanted.apiKey() : wanted.proxyKey());
    Recalled recalled = gate.callers().recall(wanted);
    LookupResult loaded = recalled.loaded();
    if (!recalled.isRemembered()) {
      Optional<Caller> caller = caller(loaded, wanted, apiKey);
      count(loaded, wanted, caller);
      return admit(loaded, wanted, caller, proxyKey);
    }
    Optional<Caller> caller =
        apiKey.map(unused -> gate.callers().remembered(loaded, identity(wanted), Bounds.NONE));
    count(loaded, wanted, caller);
    try {
      Optional<LoadedProxy> proxy = proxyKey.map(unused -> proxy(loaded, caller));
      requireEntry(caller, proxy);
      DecisionState standing = caller.map(Caller::standing).orElseGet(DecisionState::provisional);
      return new Admission(caller, proxy, seals, wanted, standing);
    } catch (VaultException onlyFromMemory) {
      return admitAnew(apiKey, proxyKey);
    }
  }

  /** Implements {@link ProxyInvocations#admitAnew}. */
  Admission admitAnew(Optional<String> apiKey, Optional<String> proxyKey) {
    LookupRequest wanted = wanted(apiKey, proxyKey);
    gate.callers().forget(wanted);
    LookupResult loaded = lookup.load(wanted);
    return admit(loaded, wanted, caller(loaded, wanted, apiKey), proxyKey);
  }

  /**
   * Counts an invocation against its rate limit: once, even if the decision is repeated, and before
   * a refusal.
   */
  private void count(LookupResult loaded, LookupRequest wanted, Optional<Caller> caller) {
    caller.ifPresent(gate.rates()::count);
    if (caller.isEmpty()) {
      loaded
          .proxy()
          .filter(found -> !requiresKey(found))
          .ifPresent(found -> gate.rates().count(found.proxy().proxy(), wanted.proxyKey()));
    }
  }

  private LookupRequest wanted(Optional<String> apiKey, Optional<String> proxyKey) {
    return new LookupRequest(
        apiKey.map(gate.callers()::hashes).orElse(List.of()),
        proxyKey.flatMap(ProxyKey::parse).map(hasher::hashes).orElse(List.of()),
        Set.of());
  }

  private Optional<Caller> caller(
      LookupResult loaded, LookupRequest wanted, Optional<String> apiKey) {
    return apiKey.map(unused -> gate.callers().caller(loaded, identity(wanted)));
  }

  private static LookupRequest identity(LookupRequest wanted) {
    return LookupRequest.caller(wanted.apiKey());
  }

  private Admission admit(
      LookupResult loaded,
      LookupRequest wanted,
      Optional<Caller> caller,
      Optional<String> proxyKey) {
    Optional<LoadedProxy> proxy = proxyKey.map(unused -> proxy(loaded, caller));
    requireEntry(caller, proxy);
    proxy.ifPresent(found -> renew(found, wanted.proxyKey()));
    return new Admission(caller, proxy, seals, wanted, DecisionState.settled());
  }

  private void requireEntry(Optional<Caller> caller, Optional<LoadedProxy> proxy) {
    if (caller.isEmpty() && proxy.map(ProxyAdmissions::requiresKey).orElse(true)) {
      throw CallerLookups.unauthenticated();
    }
    caller.ifPresent(present -> requireUse(present, proxy));
  }

  private static LoadedProxy proxy(LookupResult loaded, Optional<Caller> caller) {
    return loaded
        .proxy()
        .filter(found -> caller.map(each -> owns(each, found)).orElse(true))
        .orElseThrow(
            () ->
                new RefusedException(
                    FailureCause.UNKNOWN_PROXY, "No proxy of this tenant has this proxy key."));
  }

  private void renew(LoadedProxy found, List<KeyHash> hashes) {
    gate.callers().renew(found.proxy().proxy().tenantId(), found.matched(), hashes);
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
}
