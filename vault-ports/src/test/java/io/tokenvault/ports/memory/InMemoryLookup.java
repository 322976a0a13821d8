package io.tokenvault.ports.memory;

import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.memory.Memory.InTenant;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.LookupRequest;
import io.tokenvault.ports.store.LookupResult;
import io.tokenvault.ports.store.LookupResult.LoadedCaller;
import io.tokenvault.ports.store.LookupResult.LoadedProxy;
import io.tokenvault.ports.store.RequestLookup;
import io.tokenvault.ports.store.model.ActingApplication;
import io.tokenvault.ports.store.model.StoredProxy;
import io.tokenvault.ports.store.model.StoredToken;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

final class InMemoryLookup implements RequestLookup {

  private final Memory memory;

  InMemoryLookup(Memory memory) {
    this.memory = memory;
  }

  @Override
  public LookupResult load(LookupRequest lookup, MemoryReservation reservation) {
    LookupResult found = memory.read(() -> find(lookup));
    reservation.take(found.size());
    return found;
  }

  private LookupResult find(LookupRequest lookup) {
    Optional<LoadedCaller> caller =
        matched(memory.apiKeys, lookup.apiKey())
            .map(this::loadedCaller)
            .or(() -> lookup.acting().flatMap(this::acting));
    return new LookupResult(
        memory.now(),
        caller,
        matched(memory.proxyKeys, lookup.proxyKey()).map(this::loadedProxy),
        caller.map(found -> tokens(found.keys().tenantId(), lookup.tokens())).orElse(Map.of()));
  }

  private static Optional<KeyHash> matched(Map<KeyHash, ?> keys, List<KeyHash> hashes) {
    return hashes.stream().filter(keys::containsKey).findFirst();
  }

  private Optional<LoadedCaller> acting(ActingApplication acting) {
    return Optional.ofNullable(
            memory.applications.get(new InTenant<>(acting.tenantId(), acting.id())))
        .map(application -> loadedCaller(application, Optional.empty()));
  }

  private LoadedCaller loadedCaller(KeyHash matched) {
    return loadedCaller(memory.applications.get(memory.apiKeys.get(matched)), Optional.of(matched));
  }

  private LoadedCaller loadedCaller(Application application, Optional<KeyHash> matched) {
    Optional<Instant> keyEnds = matched.map(memory.apiKeyEnds::get);
    return new LoadedCaller(
        application,
        memory.isOver(application.expiresAt()) || memory.isOver(keyEnds),
        application.delegatedBy().flatMap(id -> memory.application(application.tenantId(), id)),
        memory.keys.get(application.tenantId()),
        memory.egress.get(application.tenantId()),
        matched,
        keyEnds);
  }

  private LoadedProxy loadedProxy(KeyHash matched) {
    StoredProxy stored = memory.proxies.get(memory.proxyKeys.get(matched));
    return new LoadedProxy(stored, memory.keys.get(stored.proxy().tenantId()), matched);
  }

  private Map<TokenId, StoredToken> tokens(TenantId tenantId, Set<TokenId> ids) {
    Map<TokenId, StoredToken> found = new HashMap<>();
    ids.forEach(id -> memory.token(tenantId, id).ifPresent(token -> found.put(id, token)));
    return found;
  }
}
