package io.tokenvault.ports.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.proxy.ProxySettings;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.tenant.ResourceName;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.Page;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.store.ProxyStore;
import io.tokenvault.ports.store.ProxyStore.Change;
import io.tokenvault.ports.store.ProxyStore.NewProxy;
import io.tokenvault.ports.store.ProxyStore.ProxyFilter;
import io.tokenvault.ports.store.model.EncryptedTransform;
import io.tokenvault.ports.store.model.StoredProxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Contract tests for {@link ProxyStore}. */
public abstract class ProxyStoreContract extends StoreContract {

  private static final ProxyFilter ALL = new ProxyFilter(Set.of(), Optional.empty());
  private static final EncryptedTransform RECOMPILED =
      new EncryptedTransform(marked(), "compiler/9");

  private ProxyStore proxies() {
    return stores.proxies();
  }

  private StoredProxy createNamed(String name) {
    return createProxy(Samples.proxy(tenant, settings(name)));
  }

  private Optional<StoredProxy> find(StoredProxy stored) {
    return proxies().find(stored.proxy().tenantId(), stored.proxy().id());
  }

  private Change update(
      TenantId tenantId, ProxyId id, ProxySettings settings, EncryptedValue encrypted) {
    return update(tenantId, id, settings, encrypted, Map.of());
  }

  private Change update(
      TenantId tenantId,
      ProxyId id,
      ProxySettings settings,
      EncryptedValue encrypted,
      Map<TransformKind, EncryptedTransform> transforms) {
    AuditEntry entry = Samples.entry(tenantId, "updated");
    return proxies()
        .update(tenantId, id, ExpectedVersion.ANY, settings, encrypted, transforms, CHANGER, entry);
  }

  private StoredProxy updated(
      StoredProxy existing,
      ProxySettings settings,
      EncryptedValue encrypted,
      Map<TransformKind, EncryptedTransform> transforms) {
    Change change = update(tenant, existing.proxy().id(), settings, encrypted, transforms);
    return ((Change.Stored) change).proxy();
  }

  private boolean delete(TenantId tenantId, ProxyId id) {
    return proxies().delete(tenantId, id, ExpectedVersion.ANY, Samples.entry(tenantId, "deleted"));
  }

  private Page<StoredProxy> list(TenantId tenantId, ProxyFilter filter) {
    return proxies().list(tenantId, filter, FIRST_PAGE, MemoryReservation.UNBOUNDED);
  }

  private boolean isValidKey(KeyHash hash) {
    return invoked(hash).isPresent();
  }

  @Test
  void shreddedTenantCannotCreateOrChangeProxies() {
    StoredProxy stored = createNamed("old");
    destroyKeys(tenant);

    assertShredded(() -> createNamed("new"));
    assertShredded(
        () ->
            update(tenant, stored.proxy().id(), stored.proxy().settings(), stored.configuration()));

    assertThat(list(tenant, ALL).items()).containsExactly(stored);
    assertThat(messages(tenant)).containsExactly("destroyed", "proxy created", "tenant created");
  }

  private static void assertShredded(ThrowingCallable write) {
    assertThatExceptionOfType(RefusedException.class)
        .isThrownBy(write)
        .extracting(RefusedException::failure)
        .isEqualTo(FailureCause.TENANT_SHREDDED);
  }

  @Test
  void createdResourceIsFoundUnchanged() {
    Application application = createApplication(Samples.application(tenant));
    NewProxy newProxy =
        Samples.proxy(tenant, Samples.proxySettings("p", Optional.of(application.id())));
    Instant before = now();

    StoredProxy created = createProxy(newProxy);

    assertThat(find(created)).contains(created);
    assertThat(created.proxy().id()).isEqualTo(newProxy.id());
    assertThat(created.proxy().tenantId()).isEqualTo(tenant);
    assertThat(created.proxy().settings()).isEqualTo(newProxy.settings());
    assertThat(created.key()).isEqualTo(newProxy.key());
    assertThat(created.configuration()).isEqualTo(newProxy.configuration());
    assertThat(created.proxy().version()).isEqualTo(1);
    assertThat(created.proxy().provenance().createdBy()).contains(newProxy.createdBy());
    assertThat(created.proxy().provenance().createdAt()).isBetween(before, now());
    assertThat(created.proxy().provenance().modifiedAt()).isEmpty();
  }

  @Test
  void smallestAndLargestValuesRoundTrip() {
    String url = "https://a/" + "x".repeat(2038);
    ProxySettings largest =
        new ProxySettings(
            new ResourceName("\uD83D\uDD10".repeat(ResourceName.MAX_LENGTH)),
            url,
            false,
            Optional.empty(),
            Optional.of(Duration.ofMillis(Integer.MAX_VALUE)),
            Optional.of("\uD83D\uDD10".repeat(200)));
    NewProxy sample = Samples.proxy(tenant, largest);
    for (int size : new int[] {0, 1 << 20}) {
      NewProxy newProxy =
          new NewProxy(
              new ProxyId(UUID.randomUUID()),
              tenant,
              largest,
              new EncryptedValue(Integer.MAX_VALUE, new byte[0]),
              Samples.hash(),
              randomBytes(size),
              Map.of(
                  TransformKind.REQUEST, new EncryptedTransform(randomBytes(size), ""),
                  TransformKind.RESPONSE,
                      new EncryptedTransform(
                          new EncryptedValue(Integer.MAX_VALUE, new byte[size]), "c".repeat(200))),
              sample.createdBy());

      StoredProxy found = find(createProxy(newProxy)).orElseThrow();

      assertThat(found.proxy().settings()).isEqualTo(largest);
      assertThat(found.key()).isEqualTo(newProxy.key());
      assertThat(found.configuration()).isEqualTo(newProxy.configuration());
      assertThat(found.transforms()).isEqualTo(newProxy.transforms());
    }
  }

  @Test
  void missingProxyIsNeitherFoundNorChanged() {
    ProxyId missing = new ProxyId(UUID.randomUUID());

    assertThat(proxies().find(tenant, missing)).isEmpty();
    assertThat(update(tenant, missing, settings("x"), marked())).isEqualTo(new Change.Absent());
    assertThat(delete(tenant, missing)).isFalse();
    assertThat(list(tenant, ALL).items()).isEmpty();
    assertThat(messages(tenant)).containsExactly("tenant created");
  }

  private static ProxySettings settings(String name) {
    return Samples.proxySettings(name, Optional.empty());
  }

  @Test
  void proxyOfAnotherTenantIsNeitherFoundNorChanged() {
    NewProxy newProxy = Samples.proxy(tenant);
    StoredProxy created = createProxy(newProxy);
    ProxyId id = newProxy.id();

    assertThat(proxies().find(otherTenant, id)).isEmpty();
    assertThat(list(otherTenant, new ProxyFilter(Set.of(id), Optional.empty())).items()).isEmpty();
    assertThat(list(otherTenant, ALL).totalItems()).isZero();
    assertThat(update(otherTenant, id, settings("x"), marked())).isEqualTo(new Change.Absent());
    assertThat(delete(otherTenant, id)).isFalse();
    assertThat(find(created)).contains(created);
    assertThat(isValidKey(newProxy.keyHash())).isTrue();
  }

  @Test
  void applicationOfAnotherTenantCannotBeReferenced() {
    ApplicationId foreign = createApplication(Samples.application(otherTenant)).id();

    assertApplicationMissing(foreign);
  }

  @Test
  void missingApplicationCannotBeReferenced() {
    assertApplicationMissing(new ApplicationId(UUID.randomUUID()));
  }

  @Test
  void expiredApplicationCannotBeReferenced() {
    assertApplicationMissing(createApplication(Samples.expiring(tenant, now())).id());
  }

  private void assertApplicationMissing(ApplicationId application) {
    ProxySettings settings = Samples.proxySettings("p", Optional.of(application));
    NewProxy newProxy = Samples.proxy(tenant, settings);
    StoredProxy existing = createProxy(Samples.proxy(tenant));

    assertThat(proxies().create(newProxy, Samples.entry(tenant, "rejected")))
        .isEqualTo(new Change.ApplicationMissing());
    assertThat(update(tenant, existing.proxy().id(), settings, marked()))
        .isEqualTo(new Change.ApplicationMissing());

    assertThat(proxies().find(tenant, newProxy.id())).isEmpty();
    assertThat(isValidKey(newProxy.keyHash())).isFalse();
    assertThat(find(existing)).contains(existing);
    assertThat(messages(tenant)).doesNotContain("rejected", "updated");
  }

  @Test
  void updateReplacesSettingsAndConfigurationButNotKey() {
    NewProxy newProxy = Samples.proxy(tenant);
    StoredProxy created = createProxy(newProxy);
    ApplicationId application = createApplication(Samples.application(tenant)).id();
    ProxySettings settings =
        new ProxySettings(
            new ResourceName("new"),
            "https://b",
            false,
            Optional.of(application),
            Optional.of(Duration.ofMillis(1)),
            Optional.of("a-certificate"));

    StoredProxy updated = updated(created, settings, Samples.encrypted("other"), Map.of());

    assertThat(find(created)).contains(updated);
    assertThat(updated.proxy().settings()).isEqualTo(settings);
    assertThat(updated.configuration()).isEqualTo(Samples.encrypted("other"));
    assertThat(updated.key()).isEqualTo(created.key());
    assertThat(updated.proxy().version()).isGreaterThan(created.proxy().version());
    assertThat(updated.proxy().provenance().createdAt())
        .isEqualTo(created.proxy().provenance().createdAt());
    assertThat(updated.proxy().provenance().modifiedBy()).contains(CHANGER);
    assertThat(updated.proxy().provenance().modifiedAt()).isPresent();
    assertThat(isValidKey(newProxy.keyHash())).isTrue();
  }

  private boolean isUpdated(ProxyId id, ExpectedVersion expected) {
    AuditEntry entry = Samples.entry(tenant, "changed");
    return isMade(
        () ->
            proxies()
                .update(tenant, id, expected, settings("new"), marked(), Map.of(), CHANGER, entry));
  }

  private boolean isDeleted(ProxyId id, ExpectedVersion expected) {
    return isMade(() -> proxies().delete(tenant, id, expected, Samples.entry(tenant, "changed")));
  }

  @Test
  void versionMismatchPreventsChange() {
    NewProxy newProxy = Samples.proxy(tenant);
    StoredProxy existing = updated(createProxy(newProxy), settings("x"), marked(), Map.of());

    for (Set<Long> versions :
        List.of(Set.<Long>of(), Set.of(existing.proxy().version() - 1, 99L))) {
      assertThat(isUpdated(newProxy.id(), ExpectedVersion.oneOf(versions))).isFalse();
      assertThat(isDeleted(newProxy.id(), ExpectedVersion.oneOf(versions))).isFalse();
    }

    assertThat(find(existing)).contains(existing);
    assertThat(isValidKey(newProxy.keyHash())).isTrue();
    assertThat(messages(tenant)).doesNotContain("changed");
  }

  @Test
  void expectedVersionAllowsChange() {
    StoredProxy existing = createProxy(Samples.proxy(tenant));
    ProxyId id = existing.proxy().id();

    assertThat(isUpdated(id, ExpectedVersion.oneOf(Set.of(1L, 9L)))).isTrue();
    assertThat(find(existing).orElseThrow().proxy().version()).isEqualTo(2);
    assertThat(isDeleted(id, ExpectedVersion.oneOf(Set.of(2L)))).isTrue();
    assertThat(find(existing)).isEmpty();
  }

  @Test
  void oneConcurrentChangePerVersionSucceeds() {
    StoredProxy existing = createProxy(Samples.proxy(tenant));
    ExpectedVersion expected = ExpectedVersion.oneOf(Set.of(1L));

    List<Boolean> succeeded = Race.run(i -> isUpdated(existing.proxy().id(), expected));

    assertThat(succeeded.stream().filter(each -> each)).hasSize(1);
    assertThat(find(existing).orElseThrow().proxy().version()).isEqualTo(2);
  }

  @Test
  void timeoutAndCertificateAreReturnedUntilRemoved() {
    ProxySettings settings =
        new ProxySettings(
            new ResourceName("p"),
            "https://b.example.com",
            true,
            Optional.empty(),
            Optional.of(Duration.ofMillis(1500)),
            Optional.of("a-certificate"));
    NewProxy newProxy = Samples.proxy(tenant, settings);
    createProxy(newProxy);

    assertThat(settingsOf(newProxy)).isEqualTo(settings);
    assertThat(list(tenant, ALL).items())
        .extracting(stored -> stored.proxy().settings())
        .containsExactly(settings);

    update(tenant, newProxy.id(), settings("p"), marked());

    assertThat(settingsOf(newProxy).timeout()).isEmpty();
    assertThat(settingsOf(newProxy).clientCertificate()).isEmpty();
  }

  private ProxySettings settingsOf(NewProxy newProxy) {
    return invoked(newProxy.keyHash()).orElseThrow().proxy().proxy().settings();
  }

  @Test
  void transformsAreReturnedHoweverProxyIsFound() {
    NewProxy newProxy = Samples.proxyWithTransforms(tenant);

    StoredProxy created = createProxy(newProxy);

    assertThat(created.transforms()).isEqualTo(newProxy.transforms());
    assertThat(find(created)).contains(created);
    assertThat(list(tenant, ALL).items()).containsExactly(created);
  }

  @Test
  void listedProxiesHaveTheirTransforms() {
    StoredProxy plain = createProxy(Samples.proxy(tenant));
    List<StoredProxy> created = new ArrayList<>(List.of(plain));
    for (TransformKind kind : TransformKind.values()) {
      Map<TransformKind, EncryptedTransform> one =
          Map.of(kind, Samples.transform("the one", "compiler/1"));
      created.add(0, createProxy(Samples.proxy(tenant, settings("p"), one)));
    }

    assertThat(list(tenant, ALL).items()).isEqualTo(created);
    assertThat(created)
        .extracting(each -> each.transforms().keySet())
        .containsExactly(Set.of(TransformKind.RESPONSE), Set.of(TransformKind.REQUEST), Set.of());
  }

  @Test
  void updateReplacesAllTransforms() {
    StoredProxy created = createProxy(Samples.proxyWithTransforms(tenant));
    Map<TransformKind, EncryptedTransform> other =
        Map.of(TransformKind.RESPONSE, Samples.transform("other", "compiler/3"));

    for (Map<TransformKind, EncryptedTransform> next :
        List.of(other, Map.<TransformKind, EncryptedTransform>of(), created.transforms())) {
      StoredProxy updated = updated(created, settings("p"), marked(), next);

      assertThat(updated.transforms()).isEqualTo(next);
      assertThat(find(created)).contains(updated);
    }
  }

  @Test
  void rejectedUpdatePreservesTransforms() {
    StoredProxy created = createProxy(Samples.proxyWithTransforms(tenant));
    ProxySettings withMissingApplication =
        Samples.proxySettings("p", Optional.of(new ApplicationId(UUID.randomUUID())));

    update(tenant, created.proxy().id(), withMissingApplication, marked());

    assertThat(find(created)).contains(created);
  }

  private boolean recompile(StoredProxy proxy, TransformKind kind, EncryptedTransform transform) {
    return recompile(tenant, proxy, kind, transform);
  }

  private boolean recompile(
      TenantId tenantId, StoredProxy proxy, TransformKind kind, EncryptedTransform transform) {
    return proxies()
        .replaceCompiled(tenantId, proxy.proxy().id(), proxy.proxy().version(), kind, transform);
  }

  @Test
  void recompilationChangesNothingElse() {
    StoredProxy created = createProxy(Samples.proxyWithTransforms(tenant));
    StoredProxy untouched = createProxy(Samples.proxyWithTransforms(tenant));
    Map<TransformKind, EncryptedTransform> expected = new HashMap<>(created.transforms());

    for (TransformKind kind : TransformKind.values()) {
      expected.put(
          kind, new EncryptedTransform(new EncryptedValue(2, new byte[] {9}), "compiler/9"));
      assertThat(recompile(created, kind, expected.get(kind))).isTrue();

      assertThat(find(created))
          .contains(
              new StoredProxy(created.proxy(), created.key(), created.configuration(), expected));
    }
    assertThat(find(untouched)).contains(untouched);
    assertThat(messages(tenant))
        .containsExactly("proxy created", "proxy created", "tenant created");
  }

  @Test
  void recompilationForAnotherVersionIsNotStored() {
    StoredProxy created = createProxy(Samples.proxyWithTransforms(tenant));
    StoredProxy updated = updated(created, settings("p"), marked(), created.transforms());

    assertThat(recompile(created, TransformKind.REQUEST, RECOMPILED)).isFalse();

    assertThat(find(created)).contains(updated);
  }

  @Test
  void onlyExistingTransformIsRecompiled() {
    StoredProxy plain = createProxy(Samples.proxy(tenant));
    StoredProxy deleted = createProxy(Samples.proxyWithTransforms(tenant));
    delete(tenant, deleted.proxy().id());

    for (TransformKind kind : TransformKind.values()) {
      assertThat(recompile(plain, kind, RECOMPILED)).isFalse();
      assertThat(recompile(deleted, kind, RECOMPILED)).isFalse();
    }

    assertThat(find(plain)).contains(plain);
    assertThat(find(deleted)).isEmpty();
  }

  @Test
  void transformOfAnotherTenantIsNotRecompiled() {
    StoredProxy created = createProxy(Samples.proxyWithTransforms(tenant));

    assertThat(recompile(otherTenant, created, TransformKind.REQUEST, RECOMPILED)).isFalse();

    assertThat(find(created)).contains(created);
  }

  @Test
  void recompilationNeverOverwritesUpdate() {
    StoredProxy created = createProxy(Samples.proxyWithTransforms(tenant));
    Map<TransformKind, EncryptedTransform> updated =
        Map.of(TransformKind.REQUEST, Samples.transform("of the update", "compiler/1"));

    Race.run(
        i ->
            i == Race.RUNNERS / 2
                ? update(tenant, created.proxy().id(), settings("p"), marked(), updated)
                : recompile(created, TransformKind.REQUEST, RECOMPILED));

    assertThat(find(created).orElseThrow().transforms()).isEqualTo(updated);
  }

  @Test
  void updateCanRemoveApplicationReference() {
    ApplicationId application = createApplication(Samples.application(tenant)).id();
    NewProxy newProxy = Samples.proxy(tenant, Samples.proxySettings("p", Optional.of(application)));
    createProxy(newProxy);

    update(tenant, newProxy.id(), settings("p"), marked());

    assertThat(deleteApplication(tenant, application)).hasToString("Deleted[]");
  }

  @Test
  void deletionRemovesProxyAndItsKey() {
    NewProxy newProxy = Samples.proxy(tenant);
    StoredProxy created = createProxy(newProxy);

    assertThat(delete(tenant, newProxy.id())).isTrue();

    assertThat(find(created)).isEmpty();
    assertThat(isValidKey(newProxy.keyHash())).isFalse();
    assertThat(delete(tenant, newProxy.id())).isFalse();
    assertThat(messages(tenant)).containsExactly("deleted", "proxy created", "tenant created");
  }

  @Test
  void oneConcurrentDeletionSucceeds() {
    ProxyId id = createProxy(Samples.proxy(tenant)).proxy().id();

    assertThat(Race.run(i -> delete(tenant, id))).filteredOn(deleted -> deleted).hasSize(1);
  }

  @Test
  void listsAreNewestFirstAndPagesDoNotOverlap() {
    List<StoredProxy> created = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      created.add(0, createProxy(Samples.proxy(tenant)));
    }

    for (int page = 1; page <= 4; page++) {
      Page<StoredProxy> found =
          proxies().list(tenant, ALL, new PageRequest(page, 2), MemoryReservation.UNBOUNDED);
      assertThat(found.items())
          .isEqualTo(created.subList(Math.min(5, 2 * (page - 1)), Math.min(5, 2 * page)));
      assertThat(found.totalItems()).isEqualTo(5);
    }
  }

  @Test
  void pageReservesEncryptedSizeOfItsProxies() {
    createProxy(Samples.proxy(tenant));
    for (int length : List.of(1000, 200_000, 100_000)) {
      createProxy(
          Samples.proxy(
              tenant,
              settings("a proxy"),
              Map.of(TransformKind.RESPONSE, Samples.transform("x".repeat(length), "compiler/1"))));
    }
    for (PageRequest request :
        List.of(FIRST_PAGE, new PageRequest(1, 1), new PageRequest(2, 3), new PageRequest(9, 9))) {
      AtomicLong reserved = new AtomicLong();

      Page<StoredProxy> page = proxies().list(tenant, ALL, request, reserved::addAndGet);

      assertThat(reserved).hasValue(page.items().stream().mapToLong(StoredProxy::size).sum());
      assertThat(page).isEqualTo(proxies().list(tenant, ALL, request, MemoryReservation.UNBOUNDED));
      assertThat(page.totalItems()).isEqualTo(4);
    }
    assertThat(list(tenant, ALL).items().stream().mapToLong(StoredProxy::size))
        .anyMatch(size -> size > 200_000);
  }

  @Test
  void failedReservationReturnsNoPage() {
    createProxy(Samples.proxy(tenant));

    assertReservesMemory(reservation -> proxies().list(tenant, ALL, FIRST_PAGE, reservation));

    assertThat(list(tenant, ALL).items()).hasSize(1);
  }

  @Test
  void nameFilterWithoutWildcardMatchesAnywhere() {
    createNamed("Payments EU");
    createNamed("payments us");
    createNamed("Orders");

    assertThat(namesFoundBy("AYMENTS")).containsExactly("payments us", "Payments EU");
    assertThat(namesFoundBy("payments eu")).containsExactly("Payments EU");
    assertThat(namesFoundBy("")).hasSize(3);
    assertThat(namesFoundBy("nothing")).isEmpty();
  }

  @Test
  void wildcardMatchesAnyRunOfCharacters() {
    createNamed("Payments EU");
    createNamed("Payments");
    createNamed("New Payments\nEU");

    assertThat(namesFoundBy("payments*")).containsExactly("Payments", "Payments EU");
    assertThat(namesFoundBy("*eu")).containsExactly("New Payments\nEU", "Payments EU");
    assertThat(namesFoundBy("*pay*eu")).containsExactly("New Payments\nEU", "Payments EU");
    assertThat(namesFoundBy("p*y*s")).containsExactly("Payments");
    assertThat(namesFoundBy("*")).hasSize(3);
  }

  @Test
  void otherCharactersInNameFilterAreLiteral() {
    createNamed("100%_a\\b?[x]'");
    createNamed("100 per cent");

    for (String literal : List.of("%", "_", "\\", "?", "[x]", "'", "0%_a\\b", "100%*", "*_a*")) {
      assertThat(namesFoundBy(literal)).as(literal).containsExactly("100%_a\\b?[x]'");
    }
    assertThat(namesFoundBy("1__")).isEmpty();
    assertThat(namesFoundBy("a\0b")).isEmpty();
  }

  @Test
  void nameFilterIgnoresCaseInAllScripts() {
    createNamed("\u00c4RGER \u041c\u0418\u0420 \u03a3\u039f\u03a6\u039f\u03a3");

    assertThat(namesFoundBy("\u00e4rger")).hasSize(1);
    assertThat(namesFoundBy("\u043c\u0438\u0440")).hasSize(1);
    assertThat(namesFoundBy("\u03c3\u03bf\u03c6\u03bf\u03c3")).hasSize(1);
  }

  private List<String> namesFoundBy(String pattern) {
    return list(tenant, new ProxyFilter(Set.of(), Optional.of(pattern))).items().stream()
        .map(stored -> stored.proxy().settings().name().value())
        .toList();
  }

  @Test
  void filtersByIdAndNameRestrictTogether() {
    StoredProxy one = createNamed("one");
    StoredProxy two = createNamed("two");
    Set<ProxyId> ids = Set.of(one.proxy().id(), two.proxy().id(), new ProxyId(UUID.randomUUID()));
    createNamed("one more");

    assertThat(list(tenant, new ProxyFilter(ids, Optional.empty())).items())
        .containsExactly(two, one);
    Page<StoredProxy> both = list(tenant, new ProxyFilter(ids, Optional.of("one")));
    assertThat(both.items()).containsExactly(one);
    assertThat(both.totalItems()).isEqualTo(1);
  }

  @Test
  void searchUsesUpdatedName() {
    ProxyId id = createNamed("before").proxy().id();

    update(tenant, id, settings("After"), marked());

    assertThat(namesFoundBy("before")).isEmpty();
    assertThat(namesFoundBy("after")).containsExactly("After");
  }

  @Test
  void failedAuditEntryRollsBackChange() {
    NewProxy newProxy = Samples.proxy(tenant);
    StoredProxy existing = createProxy(newProxy);
    NewProxy rejected = Samples.proxy(tenant);
    fixture.refuseEntries();

    assertUnavailable(() -> createProxy(rejected));
    assertUnavailable(() -> update(tenant, newProxy.id(), settings("x"), marked()));
    assertUnavailable(() -> delete(tenant, newProxy.id()));

    assertThat(proxies().find(tenant, rejected.id())).isEmpty();
    assertThat(isValidKey(rejected.keyHash())).isFalse();
    assertThat(find(existing)).contains(existing);
    assertThat(isValidKey(newProxy.keyHash())).isTrue();
  }

  @Test
  void brokenConnectionReportsUnavailableWithoutArguments() {
    ProxyId id = new ProxyId(UUID.randomUUID());
    NewProxy proxy = Samples.proxy(tenant, settings(MARKER));
    fixture.breakConnection();

    assertUnavailable(() -> createProxy(proxy));
    assertUnavailable(() -> proxies().find(tenant, id));
    assertUnavailable(() -> list(tenant, new ProxyFilter(Set.of(), Optional.of(MARKER))));
    assertUnavailable(() -> update(tenant, id, settings(MARKER), marked()));
    assertUnavailable(
        () -> proxies().replaceCompiled(tenant, id, 1, TransformKind.REQUEST, RECOMPILED));
    assertUnavailable(() -> delete(tenant, id));
  }
}
