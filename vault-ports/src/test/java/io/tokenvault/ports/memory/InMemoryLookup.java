package io.tokenvault.ports.memory;

import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.memory.Memory.InTenant;
import io.tokenvault.ports.spi.KeyHash;
import io.tokenvault.ports.spi.Loaded;
import io.tokenvault.ports.spi.Loaded.LoadedCaller;
import io.tokenvault.ports.spi.Loaded.LoadedProxy;
import io.tokenvault.ports.spi.Lookup;
import io.tokenvault.ports.spi.RequestLookup;
import io.tokenvault.ports.spi.StoredProxy;
import io.tokenvault.ports.spi.StoredToken;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

final class InMemoryLookup implements RequestLookup {

  private final Memory memory;

  InMemoryLookup(Memory memory) {
    this.memory = memory;
  }

  @Override
  public Loaded load(Lookup lookup) {
    return memory.read(
        () -> {
          Optional<Application> caller =
              owner(memory.apiKeys, lookup.apiKey()).map(memory.applications::get);
          Optional<StoredProxy> proxy =
              owner(memory.proxyKeys, lookup.proxyKey()).map(memory.proxies::get);
          return new Loaded(
              memory.now(),
              caller.map(this::loaded),
              proxy.map(this::loaded),
              caller.map(found -> tokens(found.tenantId(), lookup.tokens())).orElse(Map.of()));
        });
  }

  private static <K> Optional<InTenant<K>> owner(
      Map<KeyHash, InTenant<K>> keys, List<KeyHash> hashes) {
    return hashes.stream().map(keys::get).filter(Objects::nonNull).findFirst();
  }

  private LoadedCaller loaded(Application application) {
    return new LoadedCaller(
        application,
        memory.isOver(application.expiresAt()),
        application.delegatedBy().flatMap(id -> memory.application(application.tenantId(), id)),
        memory.keys.get(application.tenantId()));
  }

  private LoadedProxy loaded(StoredProxy stored) {
    return new LoadedProxy(stored, memory.keys.get(stored.proxy().tenantId()));
  }

  private Map<TokenId, StoredToken> tokens(TenantId tenantId, Set<TokenId> ids) {
    Map<TokenId, StoredToken> found = new HashMap<>();
    ids.forEach(id -> memory.token(tenantId, id).ifPresent(token -> found.put(id, token)));
    return found;
  }
}
