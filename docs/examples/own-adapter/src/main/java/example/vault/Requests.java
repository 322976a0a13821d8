package example.vault;

import example.vault.Credentials.Credential;
import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationId;
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
import io.tokenvault.ports.store.model.ActingApplication;
import io.tokenvault.ports.store.model.StoredToken;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Loads all that a request needs from one consistent snapshot. */
final class Requests implements RequestLookup {

  private final Contents contents;

  Requests(Contents contents) {
    this.contents = contents;
  }

  @Override
  public LookupResult load(LookupRequest lookup, MemoryReservation room) {
    return contents.database.read(
        () -> {
          Optional<LoadedCaller> caller =
              contents
                  .credentials
                  .find(Credentials.APPLICATION, lookup.apiKey())
                  .map(this::caller)
                  .or(() -> lookup.acting().flatMap(this::acting));
          return new LookupResult(
              contents.database.now(),
              caller,
              contents.credentials.find(Credentials.PROXY, lookup.proxyKey()).map(this::proxy),
              caller
                  .map(found -> tokens(found.keys().tenantId(), lookup.tokens(), room))
                  .orElse(Map.of()));
        });
  }

  private LoadedCaller caller(Credential credential) {
    return caller(
        contents.applications.find(credential.tenantId(), credential.owner()).orElseThrow(),
        Optional.of(credential));
  }

  private Optional<LoadedCaller> acting(ActingApplication acting) {
    return contents
        .applications
        .find(acting.tenantId(), acting.id().toString())
        .map(application -> caller(application, Optional.empty()));
  }

  private LoadedCaller caller(Application application, Optional<Credential> credential) {
    TenantId tenantId = application.tenantId();
    Optional<Application> delegator =
        application.delegatedBy().flatMap((ApplicationId id) -> contents.application(tenantId, id));
    boolean expired =
        contents.database.isOver(application.expiresAt())
            || contents.database.isOver(credential.flatMap(Credential::ends));
    return new LoadedCaller(
        application,
        expired,
        delegator,
        keys(tenantId),
        contents.egress.find(tenantId, Contents.ONLY).orElseThrow(),
        credential.map(Credential::hash),
        credential.flatMap(Credential::ends));
  }

  private TenantKeys keys(TenantId tenantId) {
    return contents.keys.find(tenantId, Contents.ONLY).orElseThrow();
  }

  private LoadedProxy proxy(Credential credential) {
    ProxyId id = new ProxyId(UUID.fromString(credential.owner()));
    return new LoadedProxy(
        contents.proxy(credential.tenantId(), id).orElseThrow(),
        keys(credential.tenantId()),
        credential.hash());
  }

  private Map<TokenId, StoredToken> tokens(
      TenantId tenantId, Set<TokenId> ids, MemoryReservation room) {
    room.take(ids.stream().mapToLong(id -> contents.tokens.length(tenantId, id.value())).sum());
    Map<TokenId, StoredToken> found = new HashMap<>();
    ids.forEach(
        id ->
            contents.token(tenantId, id).ifPresent(kept -> found.put(id, contents.present(kept))));
    return found;
  }
}
