package io.tokenvault.server.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.VaultStores;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.memory.InMemoryStores;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.LookupCache.Found;
import io.tokenvault.ports.store.LookupRequest;
import io.tokenvault.ports.store.LookupResult;
import io.tokenvault.ports.store.ProxyStore.NewProxy;
import io.tokenvault.ports.store.RequestLookup;
import io.tokenvault.ports.store.TokenStore.NewToken;
import io.tokenvault.ports.store.model.ActingApplication;
import io.tokenvault.ports.store.model.NewApplication;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class CaffeineLookupCacheTest {

  private final VaultStores stores = new InMemoryStores(Clock.systemUTC()).stores();
  private final RequestLookup store = this::load;
  private final CaffeineLookupCache cache = new CaffeineLookupCache(store);
  private final TenantId tenant = Samples.tenantId();
  private final NewApplication application = Samples.application(tenant);
  private final NewProxy proxy = Samples.proxy(tenant);
  private final NewToken token = Samples.token(tenant);
  private int loads;

  private LookupResult load(LookupRequest lookup, MemoryReservation reservation) {
    loads++;
    return stores.lookup().load(lookup, reservation);
  }

  private Found lookUp(LookupRequest lookup) {
    return cache.lookUp(lookup, MemoryReservation.UNBOUNDED);
  }

  @BeforeEach
  void fill() {
    stores.tenants().create(Samples.tenant(tenant), List.of(Samples.entry(tenant)));
    stores.applications().create(application, Samples.entry(tenant));
    stores.proxies().create(proxy, Samples.entry(tenant));
    stores.tokens().create(List.of(token), Samples::expiry);
  }

  private LookupRequest request(TokenId... ids) {
    return new LookupRequest(List.of(application.keyHash()), List.of(proxy.keyHash()), Set.of(ids));
  }

  @Test
  void lookupIsCached() {
    Found first = lookUp(request(token.id()));
    Found second = lookUp(request(token.id()));

    assertThat(first.isCached()).isFalse();
    assertThat(second.isCached()).isTrue();
    assertThat(loads).isEqualTo(1);
    assertThat(second.loaded().caller()).isEqualTo(first.loaded().caller());
    assertThat(second.loaded().proxy()).isEqualTo(first.loaded().proxy());
    assertThat(second.loaded().tokens()).isEqualTo(first.loaded().tokens());
  }

  @Test
  void storeClockAdvancesDespiteCache() throws InterruptedException {
    Instant then = lookUp(request()).loaded().now();
    Thread.sleep(5);

    assertThat(lookUp(request()).loaded().now()).isAfter(then);
  }

  @Test
  void partsOfCachedLookupAreCached() {
    lookUp(request(token.id()));

    assertThat(lookUp(LookupRequest.caller(request().apiKey())).isCached()).isTrue();
    assertThat(lookUp(LookupRequest.tokens(request().apiKey(), Set.of(token.id()))).isCached())
        .isTrue();
    assertThat(loads).isEqualTo(1);
  }

  @Test
  void uncachedTokenRepeatsWholeLookup() {
    NewToken other = Samples.token(tenant);
    stores.tokens().create(List.of(other), Samples::expiry);
    lookUp(request(token.id()));

    Found both = lookUp(request(token.id(), other.id()));

    assertThat(both.isCached()).isFalse();
    assertThat(both.loaded().tokens()).containsOnlyKeys(token.id(), other.id());
  }

  @Test
  void absenceIsNotCached() {
    TokenId unknown = new TokenId("not-there");
    lookUp(request(unknown));
    lookUp(request(unknown));
    LookupRequest unknownCaller = LookupRequest.caller(List.of(Samples.hash()));
    lookUp(unknownCaller);
    lookUp(unknownCaller);

    assertThat(loads).isEqualTo(4);
  }

  @Test
  void tokenWithPartThatExpiresFirstIsNotCached() {
    NewToken card = Samples.token(tenant, Samples.withPart("part", Duration.ofHours(1)));
    stores.tokens().create(List.of(card), Samples::expiry);
    lookUp(request(card.id()));

    assertThat(lookUp(request(card.id())).isCached()).isFalse();
  }

  @Test
  void forgottenRequestIsLookedUpAgain() {
    lookUp(request(token.id()));

    cache.invalidate(request(token.id()));

    assertThat(lookUp(request()).isCached()).isFalse();
    assertThat(lookUp(request(token.id())).isCached()).isFalse();
    assertThat(loads).isEqualTo(3);
  }

  @Test
  void actingApplicationIsAlwaysLookedUp() {
    LookupRequest acting =
        LookupRequest.acting(new ActingApplication(tenant, application.id()), Set.of());

    lookUp(acting);

    assertThat(lookUp(acting).isCached()).isFalse();
    assertThat(loads).isEqualTo(2);
  }

  @Test
  void tokenOfOtherTenantWithIdenticalIdIsNotReturned() {
    TenantId other = Samples.tenantId();
    NewApplication foreign = Samples.application(other);
    stores.tenants().create(Samples.tenant(other), List.of(Samples.entry(other)));
    stores.applications().create(foreign, Samples.entry(other));
    lookUp(request(token.id()));
    LookupRequest lookup = LookupRequest.tokens(List.of(foreign.keyHash()), Set.of(token.id()));
    lookUp(lookup);

    Found again = lookUp(lookup);

    assertThat(again.isCached()).isFalse();
    assertThat(again.loaded().tokens()).isEmpty();
  }

  @Test
  void loadedResultReservesMemoryAndCachedResultDoesNot() {
    AtomicLong taken = new AtomicLong();
    LookupResult loaded = cache.lookUp(request(token.id()), taken::addAndGet).loaded();
    assertThat(taken.get()).isEqualTo(loaded.size()).isPositive();

    assertThat(cache.lookUp(request(token.id()), taken::addAndGet).isCached()).isTrue();
    assertThat(taken).hasValue(loaded.size());
  }
}
