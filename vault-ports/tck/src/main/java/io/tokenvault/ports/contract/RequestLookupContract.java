package io.tokenvault.ports.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.proxy.ContainerBinding;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenSettings;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.crypto.WrappedKey;
import io.tokenvault.ports.store.LookupRequest;
import io.tokenvault.ports.store.LookupResult;
import io.tokenvault.ports.store.LookupResult.LoadedCaller;
import io.tokenvault.ports.store.ProxyStore.NewProxy;
import io.tokenvault.ports.store.RequestLookup;
import io.tokenvault.ports.store.TokenStore.NewToken;
import io.tokenvault.ports.store.model.ActingApplication;
import io.tokenvault.ports.store.model.NewApplication;
import io.tokenvault.ports.store.model.StoredProxy;
import io.tokenvault.ports.store.model.StoredToken;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Contract tests for {@link RequestLookup}. */
public abstract class RequestLookupContract extends StoreContract {

  /** Creates an application and returns the hash of its key. */
  private KeyHash apiKey() {
    NewApplication newApplication = Samples.application(tenant);
    createApplication(newApplication);
    return newApplication.keyHash();
  }

  private LookupResult load(KeyHash apiKey, TokenId... tokens) {
    return load(List.of(apiKey), List.of(), tokens);
  }

  private TenantKeys keys() {
    return Samples.keys(tenant);
  }

  @Test
  void keyFindsApplicationAndTenantKeys() {
    NewApplication newApplication = Samples.application(tenant);
    Application application = createApplication(newApplication);

    LoadedCaller caller = caller(newApplication.keyHash()).orElseThrow();

    assertThat(caller)
        .isEqualTo(
            new LoadedCaller(
                application,
                false,
                Optional.empty(),
                keys(),
                TenantEgress.initial(),
                Optional.of(newApplication.keyHash()),
                Optional.empty()));
  }

  @Test
  void callerIncludesCurrentEgressPolicy() {
    KeyHash key = apiKey();
    ContainerBinding one = Samples.binding("/pci/", "*.example.com");
    ContainerBinding two = Samples.binding("/", "a.example.com");

    changeEgress(tenant, egress -> egress.with(one).with(two).withUrlHeader(false));
    assertThat(caller(key).orElseThrow().egress())
        .isEqualTo(new TenantEgress(2, false, true, List.of(one, two)))
        .isEqualTo(stores.tenants().egress(tenant).orElseThrow());

    changeEgress(tenant, egress -> egress.without(one.container(), Optional.empty()));
    changeEgress(tenant, egress -> egress.withUrlHeader(true).withUnboundByUrl(false));
    assertThat(caller(key).orElseThrow().egress())
        .isEqualTo(new TenantEgress(4, true, false, List.of(two)));
  }

  private void changeEgress(TenantId tenantId, UnaryOperator<TenantEgress> change) {
    stores.tenants().changeEgress(tenantId, change, Samples.entry(tenantId));
  }

  @Test
  void egressPolicyOfAnotherTenantIsNeverReturned() {
    KeyHash key = apiKey();
    NewProxy foreign = Samples.proxy(otherTenant);
    createProxy(foreign);
    ContainerBinding binding = Samples.binding("/pci/", "own.example.com");
    changeEgress(tenant, egress -> egress.with(binding));
    changeEgress(
        otherTenant, egress -> egress.with(Samples.binding("/pci/", "foreign.example.com")));
    changeEgress(otherTenant, egress -> egress.withUrlHeader(false).withUnboundByUrl(false));

    LookupResult loaded = load(List.of(key), List.of(foreign.keyHash()));

    assertThat(loaded.proxy()).isPresent();
    assertThat(loaded.caller().orElseThrow().egress())
        .isEqualTo(new TenantEgress(2, true, true, List.of(binding)));
  }

  @Test
  void oneMatchingHashSuffices() {
    KeyHash key = apiKey();

    LoadedCaller caller = caller(Samples.hash(2), key, Samples.hash(3)).orElseThrow();
    assertThat(caller.matched()).contains(key);
    assertThat(caller(Samples.hash(2), Samples.hash(3))).isEmpty();
    assertThat(caller()).isEmpty();
  }

  @Test
  void hashUnderAnotherVersionDoesNotMatch() {
    KeyHash key = apiKey();

    assertThat(caller(new KeyHash(2, key.bytes()))).isEmpty();
  }

  @Test
  void proxyKeysAndApiKeysAreNotInterchangeable() {
    KeyHash key = apiKey();
    NewProxy proxy = Samples.proxy(tenant);
    createProxy(proxy);

    LookupResult loaded = load(List.of(proxy.keyHash()), List.of(key));

    assertThat(loaded.caller()).isEmpty();
    assertThat(loaded.proxy()).isEmpty();
  }

  @Test
  void lookupUsesStoreClock() {
    Instant first = load(List.of(), List.of()).now();
    Instant created = createApplication(Samples.application(tenant)).provenance().createdAt();
    Instant last = load(List.of(), List.of()).now();

    assertThat(created).isBetween(first, last);
  }

  @Test
  void expiredApplicationIsFoundAndMarkedExpired() {
    Instant expiresAt = soon();
    NewApplication expiring = Samples.expiring(tenant, expiresAt);
    NewApplication unexpired = Samples.expiring(tenant, farFuture());
    createApplication(expiring);
    createApplication(unexpired);

    waitUntil(expiresAt);

    assertThat(caller(expiring.keyHash()).orElseThrow().expired()).isTrue();
    assertThat(caller(unexpired.keyHash()).orElseThrow().expired()).isFalse();
  }

  @Test
  void delegatedApplicationIncludesCurrentDelegator() {
    Application delegator = createApplication(Samples.application(tenant));
    NewApplication child = delegated(delegator.id());
    createApplication(child);
    Application changed = updateApplication(tenant, delegator.id()).orElseThrow();

    assertThat(caller(child.keyHash()).orElseThrow().delegator()).contains(changed);
  }

  private NewApplication delegated(ApplicationId delegator) {
    return Samples.delegated(tenant, delegator, now().plusSeconds(60));
  }

  @Test
  void deletedDelegatorIsAbsent() {
    Application delegator = createApplication(Samples.application(tenant));
    NewApplication child = delegated(delegator.id());
    createApplication(child);

    deleteApplication(tenant, delegator.id());

    LoadedCaller caller = caller(child.keyHash()).orElseThrow();
    assertThat(caller.delegator()).isEmpty();
    assertThat(caller.application().delegatedBy()).contains(delegator.id());
  }

  @Test
  void applicationOfAnotherTenantIsNotDelegator() {
    Application foreign = createApplication(Samples.application(otherTenant));
    NewApplication child = delegated(foreign.id());
    createApplication(child);

    assertThat(caller(child.keyHash()).orElseThrow().delegator()).isEmpty();
  }

  @Test
  void proxyKeyFindsItsProxyForAnyCaller() {
    NewProxy newProxy = Samples.proxy(tenant);
    StoredProxy proxy = createProxy(newProxy);
    NewApplication foreign = Samples.application(otherTenant);
    createApplication(foreign);

    LookupResult anonymous = load(List.of(), List.of(Samples.hash(), newProxy.keyHash()));
    LookupResult withForeignCaller = load(List.of(foreign.keyHash()), List.of(newProxy.keyHash()));

    assertThat(anonymous.proxy().orElseThrow().proxy()).isEqualTo(proxy);
    assertThat(anonymous.proxy().orElseThrow().keys()).isEqualTo(keys());
    assertThat(anonymous.proxy().orElseThrow().matched()).isEqualTo(newProxy.keyHash());
    assertThat(anonymous.caller()).isEmpty();
    assertThat(withForeignCaller.proxy()).isEqualTo(anonymous.proxy());
    assertThat(withForeignCaller.caller().orElseThrow().keys().tenantId()).isEqualTo(otherTenant);
  }

  @Test
  void invokedProxyIncludesItsTransforms() {
    NewProxy newProxy = Samples.proxyWithTransforms(tenant);
    NewProxy other =
        Samples.proxy(
            tenant,
            newProxy.settings(),
            Map.of(TransformKind.RESPONSE, Samples.transform("the only one", "compiler/3")));
    createProxy(other);
    StoredProxy proxy = createProxy(newProxy);

    assertThat(invoked(newProxy.keyHash()).orElseThrow().proxy()).isEqualTo(proxy);
    assertThat(invoked(other.keyHash()).orElseThrow().proxy().transforms())
        .isEqualTo(other.transforms());
  }

  private LookupResult loadActing(ApplicationId id, TokenId... tokens) {
    return loadActing(tenant, id, tokens);
  }

  private LookupResult loadActing(TenantId tenantId, ApplicationId id, TokenId... tokens) {
    return load(LookupRequest.acting(new ActingApplication(tenantId, id), Set.of(tokens)));
  }

  @Test
  void actingApplicationIsFoundWithoutKey() {
    Application application = createApplication(Samples.application(tenant));
    createApplication(Samples.application(tenant));
    ContainerBinding binding = Samples.binding("/pci/", "*.example.com");
    changeEgress(tenant, egress -> egress.with(binding));

    LookupResult loaded = loadActing(application.id());

    assertThat(loaded.caller())
        .contains(
            new LoadedCaller(
                application,
                false,
                Optional.empty(),
                keys(),
                new TenantEgress(2, true, true, List.of(binding)),
                Optional.empty(),
                Optional.empty()));
    assertThat(loaded.proxy()).isEmpty();
    assertThat(loaded.tokens()).isEmpty();
  }

  @Test
  void onlyExistingApplicationOfTenantCanAct() {
    ApplicationId foreign = createApplication(Samples.application(otherTenant)).id();
    ApplicationId deleted = createApplication(Samples.application(tenant)).id();
    deleteApplication(tenant, deleted);
    StoredProxy proxy = createProxy(Samples.proxy(tenant));
    TokenId token = createToken(Samples.token(tenant)).id();

    for (ApplicationId id :
        List.of(
            foreign,
            deleted,
            new ApplicationId(proxy.proxy().id().value()),
            new ApplicationId(UUID.randomUUID()))) {
      assertThat(loadActing(id, token).caller()).isEmpty();
      assertThat(loadActing(id, token).tokens()).isEmpty();
    }
    assertThat(loadActing(otherTenant, foreign).caller()).isPresent();
  }

  @Test
  void actingApplicationIsReturnedInCurrentState() {
    Application before = createApplication(Samples.application(tenant));
    Application after = updateApplication(tenant, before.id()).orElseThrow();

    assertThat(loadActing(before.id()).caller().orElseThrow().application()).isEqualTo(after);
  }

  @Test
  void expiredActingApplicationIsFoundAndMarkedExpired() {
    Instant expiresAt = soon();
    Application expiring = createApplication(Samples.expiring(tenant, expiresAt));
    Application unexpired = createApplication(Samples.expiring(tenant, farFuture()));

    waitUntil(expiresAt);

    assertThat(loadActing(unexpired.id()).caller().orElseThrow().expired()).isFalse();

    LoadedCaller expired = loadActing(expiring.id()).caller().orElseThrow();
    assertThat(expired.expired()).isTrue();
    assertThat(expired.application()).isEqualTo(expiring);
  }

  @Test
  void delegatedActingApplicationIncludesDelegator() {
    Application delegator = createApplication(Samples.application(tenant));
    Application child = createApplication(delegated(delegator.id()));
    assertThat(loadActing(child.id()).caller().orElseThrow().delegator()).contains(delegator);

    deleteApplication(tenant, delegator.id());

    assertThat(loadActing(child.id()).caller().orElseThrow().delegator()).isEmpty();
  }

  @Test
  void actingApplicationReceivesTokensOfItsTenantOnly() {
    ApplicationId application = createApplication(Samples.application(tenant)).id();
    StoredToken own = storeToken(Samples.token(tenant, Samples.indexed("data")));
    TokenId foreign = createToken(Samples.token(otherTenant)).id();
    createToken(Samples.token(otherTenant, own.token().id().value(), Samples.tokenSettings("/f/")));

    LookupResult loaded =
        loadActing(application, own.token().id(), foreign, new TokenId("unknown"));

    assertThat(loaded.tokens()).isEqualTo(Map.of(own.token().id(), own));
  }

  @Test
  void actingApplicationAndProxyLoadTogether() {
    ApplicationId application = createApplication(Samples.application(tenant)).id();
    NewProxy proxy = Samples.proxyWithTransforms(otherTenant);
    createProxy(proxy);

    LookupResult loaded =
        load(
            new LookupRequest(
                List.of(),
                Optional.of(new ActingApplication(tenant, application)),
                List.of(proxy.keyHash()),
                Set.of()));

    assertThat(loaded.caller().orElseThrow().keys()).isEqualTo(keys());
    assertThat(loaded.proxy().orElseThrow().matched()).isEqualTo(proxy.keyHash());
    assertThat(loaded.proxy().orElseThrow().keys().tenantId()).isEqualTo(otherTenant);
  }

  @Test
  void actingApplicationOfShreddedTenantHasNoKeys() {
    ApplicationId application = createApplication(Samples.application(tenant)).id();
    destroyKeys(tenant);

    assertThat(loadActing(application).caller().orElseThrow().keys())
        .isEqualTo(new TenantKeys(tenant, List.of()));
  }

  @Test
  void callerProxyAndTokensLoadTogether() {
    KeyHash key = apiKey();
    NewProxy proxy = Samples.proxy(tenant);
    createProxy(proxy);
    NewToken newToken = Samples.token(tenant);
    StoredToken token = storeToken(newToken);

    LookupResult loaded = load(List.of(key), List.of(proxy.keyHash()), newToken.id());

    assertThat(loaded.caller()).isPresent();
    assertThat(loaded.proxy()).isPresent();
    assertThat(loaded.tokens()).containsOnlyKeys(newToken.id()).containsValue(token);
  }

  @Test
  void onlyTokensOfCallersTenantAreReturned() {
    KeyHash key = apiKey();
    TokenId foreign = createToken(Samples.token(otherTenant)).id();
    TokenId own = createToken(Samples.token(tenant)).id();
    createToken(Samples.token(tenant, "same-id", Samples.tokenSettings("/own/")));
    createToken(Samples.token(otherTenant, "same-id", Samples.tokenSettings("/foreign/")));

    LookupResult loaded = load(key, own, foreign, new TokenId("same-id"), new TokenId("unknown"));

    assertThat(loaded.tokens()).containsOnlyKeys(own, new TokenId("same-id"));
    assertThat(loaded.tokens().values())
        .allMatch(stored -> stored.token().tenantId().equals(tenant));
  }

  @Test
  void tokensRequireCaller() {
    NewProxy proxy = Samples.proxy(tenant);
    createProxy(proxy);
    TokenId token = createToken(Samples.token(tenant)).id();

    assertThat(load(List.of(), List.of(proxy.keyHash()), token).tokens()).isEmpty();
    assertThat(load(List.of(Samples.hash()), List.of(), token).tokens()).isEmpty();
  }

  @Test
  void expiredTokenIsAbsent() {
    KeyHash key = apiKey();
    Instant expiresAt = soon();
    TokenId expiring = createToken(Samples.expiringToken(tenant, "temporary", expiresAt)).id();
    TokenId unexpired = createToken(Samples.expiringToken(tenant, "unexpired", farFuture())).id();

    waitUntil(expiresAt);

    assertThat(load(key, expiring, unexpired).tokens()).containsOnlyKeys(unexpired);
  }

  @Test
  void addedKeysAreReturnedWithOthers() {
    KeyHash key = apiKey();
    WrappedKey added = Samples.key(KeyPurpose.SEARCH_INDEX, 2);
    addKeys(added);

    TenantKeys found = caller(key).orElseThrow().keys();

    assertThat(found.keys()).hasSize(4).contains(added);
    assertThat(found.current(KeyPurpose.SEARCH_INDEX)).isEqualTo(added);
  }

  @Test
  void shreddedTenantHasNoKeys() {
    KeyHash key = apiKey();
    NewProxy proxy = Samples.proxy(tenant);
    createProxy(proxy);
    TokenId token = createToken(Samples.token(tenant)).id();
    destroyKeys(tenant);

    LookupResult loaded = load(List.of(key), List.of(proxy.keyHash()), token);

    TenantKeys none = new TenantKeys(tenant, List.of());
    assertThat(loaded.caller().orElseThrow().keys()).isEqualTo(none);
    assertThat(loaded.proxy().orElseThrow().keys()).isEqualTo(none);
  }

  @Test
  void tokensIncludeAllTheirParts() {
    KeyHash key = apiKey();
    StoredToken indexed =
        storeToken(Samples.token(tenant, Samples.indexed("data", Samples.tokenHash("x"))));
    StoredToken withPart =
        storeToken(Samples.token(tenant, Samples.withPart("a part", Duration.ofHours(1))));

    LookupResult loaded = load(key, indexed.token().id(), withPart.token().id());

    assertThat(loaded.tokens().values()).containsExactlyInAnyOrder(indexed, withPart);
    assertThat(indexed.expressions()).contains(Samples.encrypted("expressions of data"));
    assertThat(withPart.shortLived()).contains(Samples.encrypted("a part"));
  }

  @Test
  void expiredPartIsAbsent() {
    KeyHash key = apiKey();
    StoredToken stored =
        storeToken(Samples.token(tenant, Samples.withPart("a part", Duration.ofMillis(100))));
    TokenId id = stored.token().id();

    poll(() -> load(key, id).tokens().get(id).shortLived().isEmpty());

    StoredToken found = load(key, id).tokens().get(id);
    assertThat(found.token()).isEqualTo(stored.token());
    assertThat(found.data()).isEqualTo(stored.data());
  }

  @Test
  void manyTokensLoadTogether() {
    KeyHash key = apiKey();
    Set<TokenId> ids =
        IntStream.range(0, 100)
            .mapToObj(i -> createToken(Samples.token(tenant)).id())
            .collect(Collectors.toSet());

    LookupResult loaded = load(LookupRequest.tokens(List.of(key), ids));

    assertThat(loaded.tokens().keySet()).isEqualTo(ids);
  }

  @Test
  void lookupReservesSizeOfItsTokens() {
    KeyHash key = apiKey();
    List<StoredToken> stored = new ArrayList<>();
    for (int length : List.of(10, 1000, 1 << 20, 100_000, 300_000)) {
      stored.add(storeToken(sized(tenant, length)));
    }
    stored.add(storeToken(Samples.token(tenant, Samples.withPart("a part", Duration.ofHours(1)))));
    stored.add(storeToken(withMetadata(40_000)));
    TokenId foreign = createToken(sized(otherTenant, 50_000)).id();

    for (List<StoredToken> expected : List.of(stored, stored.subList(0, 2), stored.subList(2, 3))) {
      Set<TokenId> ids =
          expected.stream()
              .map(each -> each.token().id())
              .collect(Collectors.toCollection(HashSet::new));
      ids.addAll(List.of(foreign, new TokenId("missing")));
      AtomicLong reserved = new AtomicLong();

      LookupResult loaded =
          stores.lookup().load(LookupRequest.tokens(List.of(key), ids), reserved::addAndGet);

      assertThat(loaded.tokens().values()).containsExactlyInAnyOrderElementsOf(expected);
      assertThat(loaded.size()).isEqualTo(expected.stream().mapToLong(StoredToken::size).sum());
      assertReservationFits(reserved.get(), loaded.size(), expected.size());
    }
  }

  private static NewToken sized(TenantId tenantId, int length) {
    return Samples.token(
        tenantId, Samples.content(new EncryptedValue(1, new byte[length]), Samples.fingerprint()));
  }

  private NewToken withMetadata(int length) {
    TokenSettings settings =
        new TokenSettings(
            List.of(new Container("/pci/")), Map.of("key", "x".repeat(length)), Optional.empty());
    return Samples.token(tenant, UUID.randomUUID().toString(), settings);
  }

  @Test
  void failedReservationReturnsNoTokens() {
    KeyHash key = apiKey();
    for (int length : List.of(10, 1 << 20)) {
      TokenId id = createToken(sized(tenant, length)).id();
      LookupRequest lookup = LookupRequest.tokens(List.of(key), Set.of(id));

      assertReservesMemory(reservation -> stores.lookup().load(lookup, reservation));

      assertThat(load(lookup).tokens()).hasSize(1);
    }
  }

  @Test
  void brokenConnectionReportsUnavailableWithoutArguments() {
    KeyHash marked = new KeyHash(1, MARKER.getBytes(StandardCharsets.UTF_8));
    fixture.breakConnection();

    assertUnavailable(() -> load(List.of(marked), List.of(marked), new TokenId(MARKER)));
    assertUnavailable(() -> loadActing(new ApplicationId(UUID.randomUUID()), new TokenId(MARKER)));
  }
}
