package io.tokenvault.ports.store.document;

import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.LookupRequest;
import io.tokenvault.ports.store.LookupResult;
import io.tokenvault.ports.store.LookupResult.LoadedCaller;
import io.tokenvault.ports.store.LookupResult.LoadedProxy;
import io.tokenvault.ports.store.RequestLookup;
import io.tokenvault.ports.store.document.Credential.Owner;
import io.tokenvault.ports.store.model.ActingApplication;
import io.tokenvault.ports.store.model.StoredToken;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

record DocumentLookup(Transactions transactions) implements RequestLookup {

  /** The size up to which a document is loaded before its exact size is reserved. */
  private static final long SMALL = 10_000;

  @Override
  public LookupResult load(LookupRequest lookup, MemoryReservation reservation) {
    return transactions.read(
        records -> {
          Optional<LoadedCaller> caller =
              records
                  .credential(Owner.APPLICATION, lookup.apiKey())
                  .map(credential -> caller(records, credential))
                  .or(() -> lookup.acting().flatMap(acting -> caller(records, acting)));
          return new LookupResult(
              records.now(),
              caller,
              records
                  .credential(Owner.PROXY, lookup.proxyKey())
                  .map(credential -> proxy(records, credential)),
              caller
                  .map(found -> found.keys().tenantId())
                  .map(tenantId -> tokens(records, tenantId, lookup.tokens(), reservation))
                  .orElse(Map.of()));
        });
  }

  private static LoadedCaller caller(Records records, Credential credential) {
    return caller(
        records,
        records.find(Kind.APPLICATION, credential.tenantId(), credential.owner()).orElseThrow(),
        Optional.of(credential));
  }

  private static Optional<LoadedCaller> caller(Records records, ActingApplication acting) {
    return records
        .find(Kind.APPLICATION, acting.tenantId(), acting.id().toString())
        .map(application -> caller(records, application, Optional.empty()));
  }

  private static LoadedCaller caller(
      Records records, Application application, Optional<Credential> credential) {
    TenantId tenantId = application.tenantId();
    return new LoadedCaller(
        application,
        application.isExpired(records.now())
            || records.isOver(credential.flatMap(Credential::ends)),
        application.delegatedBy().flatMap(id -> records.application(tenantId, id)),
        keys(records, tenantId),
        records.find(Kind.EGRESS, tenantId).orElseThrow(),
        credential.map(Credential::hash),
        credential.flatMap(Credential::ends));
  }

  private static TenantKeys keys(Records records, TenantId tenantId) {
    return records.find(Kind.KEYS, tenantId).orElseThrow();
  }

  private static LoadedProxy proxy(Records records, Credential credential) {
    ProxyId id = new ProxyId(UUID.fromString(credential.owner()));
    return new LoadedProxy(
        records.proxy(credential.tenantId(), id).orElseThrow(),
        keys(records, credential.tenantId()),
        credential.hash());
  }

  private static Map<TokenId, StoredToken> tokens(
      Records records, TenantId tenantId, Set<TokenId> ids, MemoryReservation reservation) {
    Map<TokenId, StoredToken> found = new HashMap<>();
    for (TokenId id : ids) {
      long size = records.size(tenantId, id);
      boolean isSmall = size <= SMALL;
      reservation.take(isSmall ? 0 : size);
      Optional<StoredToken> token = records.token(tenantId, id).map(records::present);
      token.ifPresent(each -> reservation.take(isSmall ? each.size() : 0));
      token.ifPresent(each -> found.put(id, each));
    }
    return found;
  }
}
