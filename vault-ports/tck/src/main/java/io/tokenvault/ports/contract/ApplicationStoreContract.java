package io.tokenvault.ports.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.AccessPolicy;
import io.tokenvault.domain.access.AccessRule;
import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.ApplicationType;
import io.tokenvault.domain.access.Condition;
import io.tokenvault.domain.access.Condition.Attribute;
import io.tokenvault.domain.access.Condition.Operator;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.access.TokenSelector;
import io.tokenvault.domain.access.TokenSelector.MeetsAll;
import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.application.ApplicationSettings;
import io.tokenvault.domain.application.KeyGrace;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.tenant.ResourceName;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.ApplicationStore;
import io.tokenvault.ports.store.ApplicationStore.ApplicationFilter;
import io.tokenvault.ports.store.ApplicationStore.Deletion;
import io.tokenvault.ports.store.Page;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.store.ProxyStore.Change;
import io.tokenvault.ports.store.ProxyStore.NewProxy;
import io.tokenvault.ports.store.model.NewApplication;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Contract tests for {@link ApplicationStore}. */
public abstract class ApplicationStoreContract extends StoreContract {

  private static final ApplicationFilter ALL = new ApplicationFilter(Set.of(), Set.of());

  private ApplicationStore applications() {
    return stores.applications();
  }

  private Optional<Application> find(Application application) {
    return applications().find(application.tenantId(), application.id());
  }

  private boolean isValidKey(KeyHash hash) {
    return caller(hash).isPresent();
  }

  @Test
  void createdResourceIsFoundUnchanged() {
    NewApplication newApplication = Samples.application(tenant);

    Application created = createApplication(newApplication);

    assertThat(find(created)).contains(created);
    assertThat(created.id()).isEqualTo(newApplication.id());
    assertThat(created.tenantId()).isEqualTo(tenant);
    assertThat(created.type()).isEqualTo(newApplication.draft().type());
    assertThat(created.settings()).isEqualTo(newApplication.draft().settings());
    assertThat(created.version()).isEqualTo(1);
    assertThat(created.provenance().createdBy()).isEqualTo(newApplication.createdBy());
    assertThat(created.provenance().modifiedBy()).isEmpty();
    assertThat(created.provenance().modifiedAt()).isEmpty();
  }

  @Test
  void creationTimeUsesStoreClockInMicroseconds() {
    Instant before = now();

    Instant createdAt = createApplication(Samples.application(tenant)).provenance().createdAt();

    assertThat(createdAt).isBetween(before, now());
    assertThat(createdAt.getNano() % 1000).isZero();
  }

  @Test
  void smallestAndLargestSettingsRoundTrip() {
    ApplicationSettings smallest =
        new ApplicationSettings(new ResourceName("x"), AccessPolicy.none(), Optional.empty());
    ApplicationSettings largest =
        new ApplicationSettings(
            new ResourceName("\uD83D\uDD10".repeat(ResourceName.MAX_LENGTH)),
            new AccessPolicy(Permission.heldBy(ApplicationType.PRIVATE), manyRules()),
            Optional.of(true));
    ApplicationSettings management =
        new ApplicationSettings(
            new ResourceName("x"),
            new AccessPolicy(Permission.heldBy(ApplicationType.MANAGEMENT), List.of()),
            Optional.of(false));

    for (ApplicationSettings settings : List.of(smallest, largest, management)) {
      Application created =
          createApplication(
              Samples.application(tenant, ApplicationType.PRIVATE, settings, Optional.empty()));
      assertThat(find(created).orElseThrow().settings()).isEqualTo(settings);
    }
  }

  private static List<AccessRule> manyRules() {
    return IntStream.rangeClosed(1, 50)
        .mapToObj(
            priority ->
                new AccessRule(
                    "\uD83D\uDE00 \"quoted\" \\ and % _ '" + priority,
                    priority,
                    new MeetsAll(
                        Collections.nCopies(
                            20, new Condition(Attribute.ID, Operator.STARTS_WITH, "\uD83D\uDE00"))),
                    AccessTransform.REDACT,
                    List.of(Permission.TOKEN_READ)))
        .toList();
  }

  @Test
  void expiryAndDelegatorRoundTrip() {
    Instant expiresAt = now().plusSeconds(3600).plusNanos(1000);
    ApplicationId delegator = createApplication(Samples.application(tenant)).id();
    NewApplication newApplication = Samples.delegated(tenant, delegator, expiresAt);

    Application created = createApplication(newApplication);

    assertThat(created.expiresAt()).contains(expiresAt);
    assertThat(created.delegatedBy()).contains(delegator);
    assertThat(created.provenance().createdBy()).isEmpty();
    assertThat(find(created)).contains(created);
  }

  @Test
  void missingApplicationIsNeitherFoundNorChanged() {
    ApplicationId missing = new ApplicationId(UUID.randomUUID());

    assertThat(applications().find(tenant, missing)).isEmpty();
    assertThat(updateApplication(tenant, missing)).isEmpty();
    assertThat(replaceKey(tenant, missing, Samples.hash())).isEmpty();
    assertThat(deleteApplication(tenant, missing)).isEqualTo(new Deletion.Absent());
    assertThat(messages(tenant)).containsExactly("tenant created");
  }

  @Test
  void applicationOfAnotherTenantIsNeitherFoundNorChanged() {
    NewApplication newApplication = Samples.application(tenant);
    Application created = createApplication(newApplication);

    assertThat(applications().find(otherTenant, created.id())).isEmpty();
    assertThat(list(otherTenant, new ApplicationFilter(Set.of(created.id()), Set.of())).items())
        .isEmpty();
    assertThat(list(otherTenant, ALL).totalItems()).isEqualTo(1);
    assertThat(updateApplication(otherTenant, created.id())).isEmpty();
    assertThat(replaceKey(otherTenant, created.id(), Samples.hash())).isEmpty();
    assertThat(deleteApplication(otherTenant, created.id())).isEqualTo(new Deletion.Absent());
    assertThat(find(created)).contains(created);
    assertThat(isValidKey(newApplication.keyHash())).isTrue();
  }

  private Page<Application> list(TenantId tenantId, ApplicationFilter filter) {
    return applications().list(tenantId, filter, FIRST_PAGE, MemoryReservation.UNBOUNDED);
  }

  @Test
  void updateReplacesSettingsAndPreservesRest() {
    NewApplication newApplication = Samples.application(tenant);
    Application created = createApplication(newApplication);

    Application updated = updateApplication(tenant, created.id()).orElseThrow();

    assertThat(find(created)).contains(updated);
    assertThat(updated.settings()).isEqualTo(Samples.settings("new"));
    assertThat(updated.version()).isGreaterThan(created.version());
    assertThat(updated.type()).isEqualTo(created.type());
    assertThat(updated.provenance().createdAt()).isEqualTo(created.provenance().createdAt());
    assertThat(updated.provenance().modifiedBy()).contains(CHANGER);
    assertThat(updated.provenance().modifiedAt().orElseThrow())
        .isAfterOrEqualTo(created.provenance().createdAt());
    assertThat(isValidKey(newApplication.keyHash())).isTrue();
    assertThat(messages(tenant))
        .containsExactly("updated", "application created", "tenant created");
  }

  @Test
  void concurrentUpdatesAssignDistinctVersions() {
    ApplicationId id = createApplication(Samples.application(tenant)).id();

    List<Long> versions = Race.run(i -> updateApplication(tenant, id).orElseThrow().version());

    assertThat(versions).doesNotHaveDuplicates();
  }

  /** Returns each kind of change as a function of its expected version. */
  private List<Function<ExpectedVersion, Object>> changesOf(ApplicationId id) {
    AuditEntry entry = Samples.entry(tenant, "changed");
    return List.of(
        expected ->
            applications()
                .update(tenant, id, expected, Samples.settings("new"), Optional.of(CHANGER), entry),
        expected ->
            applications()
                .replaceKey(
                    tenant,
                    id,
                    expected,
                    Samples.hash(),
                    KeyGrace.NONE,
                    Optional.of(CHANGER),
                    entry),
        expected -> applications().delete(tenant, id, expected, entry));
  }

  private static boolean isMade(
      Function<ExpectedVersion, Object> change, ExpectedVersion expected) {
    return isMade(
        () -> {
          Object unused = change.apply(expected);
        });
  }

  @Test
  void versionMismatchPreventsChange() {
    NewApplication newApplication = Samples.application(tenant);
    ApplicationId id = createApplication(newApplication).id();
    Application existing = updateApplication(tenant, id).orElseThrow();

    for (Function<ExpectedVersion, Object> change : changesOf(id)) {
      for (Set<Long> versions : List.of(Set.<Long>of(), Set.of(existing.version() - 1, 99L))) {
        assertThat(isMade(change, ExpectedVersion.oneOf(versions))).isFalse();
      }
    }

    assertThat(find(existing)).contains(existing);
    assertThat(isValidKey(newApplication.keyHash())).isTrue();
    assertThat(messages(tenant)).doesNotContain("changed");
  }

  @Test
  void expectedVersionAllowsChange() {
    for (int i = 0; i < 3; i++) {
      Application existing = createApplication(Samples.application(tenant));

      assertThat(
              isMade(
                  changesOf(existing.id()).get(i),
                  ExpectedVersion.oneOf(Set.of(existing.version(), existing.version() + 7))))
          .isTrue();

      assertThat(find(existing)).isNotEqualTo(Optional.of(existing));
    }
  }

  @Test
  void expectedVersionOfMissingApplicationReportsAbsence() {
    ExpectedVersion expected = ExpectedVersion.oneOf(Set.of(1L));
    List<Function<ExpectedVersion, Object>> changes =
        changesOf(new ApplicationId(UUID.randomUUID()));

    assertThat(changes.get(0).apply(expected)).isEqualTo(Optional.empty());
    assertThat(changes.get(1).apply(expected)).isEqualTo(Optional.empty());
    assertThat(changes.get(2).apply(expected)).isEqualTo(new Deletion.Absent());
  }

  @Test
  void oneConcurrentChangePerVersionSucceeds() {
    Application existing = createApplication(Samples.application(tenant));
    List<Function<ExpectedVersion, Object>> changes = changesOf(existing.id());
    ExpectedVersion expected = ExpectedVersion.oneOf(Set.of(existing.version()));

    List<Boolean> succeeded = Race.run(i -> isMade(changes.get(i % 2), expected));

    assertThat(succeeded.stream().filter(each -> each)).hasSize(1);
    assertThat(find(existing).orElseThrow().version()).isEqualTo(existing.version() + 1);
  }

  @Test
  void replacedKeyStopsWorkingImmediately() {
    NewApplication newApplication = Samples.application(tenant);
    Application created = createApplication(newApplication);
    KeyHash newHash = Samples.hash(2);

    Application replaced = replaceKey(tenant, created.id(), newHash).orElseThrow();

    assertThat(isValidKey(newApplication.keyHash())).isFalse();
    assertThat(isValidKey(newHash)).isTrue();
    assertThat(replaced.version()).isGreaterThan(created.version());
    assertThat(replaced.settings()).isEqualTo(created.settings());
    assertThat(replaced.provenance().modifiedBy()).contains(CHANGER);
  }

  @Test
  void oneKeyRemainsAfterConcurrentReplacements() {
    ApplicationId id = createApplication(Samples.application(tenant)).id();
    List<KeyHash> hashes = Race.run(i -> Samples.hash());

    Race.run(i -> replaceKey(tenant, id, hashes.get(i)));

    assertThat(hashes.stream().filter(this::isValidKey)).hasSize(1);
  }

  @Test
  void deletionRemovesApplicationAndItsKey() {
    NewApplication newApplication = Samples.application(tenant);
    Application created = createApplication(newApplication);

    assertThat(deleteApplication(tenant, created.id())).isEqualTo(new Deletion.Deleted());

    assertThat(find(created)).isEmpty();
    assertThat(isValidKey(newApplication.keyHash())).isFalse();
    assertThat(deleteApplication(tenant, created.id())).isEqualTo(new Deletion.Absent());
    assertThat(messages(tenant))
        .containsExactly("deleted", "application created", "tenant created");
  }

  @Test
  void oneConcurrentDeletionSucceeds() {
    ApplicationId id = createApplication(Samples.application(tenant)).id();

    List<Deletion> deletions = Race.run(i -> deleteApplication(tenant, id));

    assertThat(deletions).filteredOn(new Deletion.Deleted()::equals).hasSize(1);
    assertThat(messages(tenant)).filteredOn("deleted"::equals).hasSize(1);
  }

  @Test
  void applicationReferencedByProxyIsNotDeleted() {
    Application created = createApplication(Samples.application(tenant));
    NewProxy proxy = proxyReferencing(created);
    stores.proxies().create(proxy, Samples.entry(tenant));

    assertThat(deleteApplication(tenant, created.id()))
        .isEqualTo(new Deletion.NamedByProxies(List.of(proxy.id())));

    assertThat(find(created)).contains(created);
    assertThat(messages(tenant)).doesNotContain("deleted");
    stores.proxies().delete(tenant, proxy.id(), ExpectedVersion.ANY, Samples.entry(tenant));
    assertThat(deleteApplication(tenant, created.id())).isEqualTo(new Deletion.Deleted());
  }

  private NewProxy proxyReferencing(Application application) {
    return Samples.proxy(tenant, Samples.proxySettings("p", Optional.of(application.id())));
  }

  @Test
  void eitherDeletionOrConcurrentProxyReferenceSucceeds() {
    for (int i = 0; i < 20; i++) {
      Application application = createApplication(Samples.application(tenant));
      NewProxy proxy = proxyReferencing(application);

      List<Object> outcomes =
          Race.run(
              List.of(
                  () -> deleteApplication(tenant, application.id()),
                  () -> stores.proxies().create(proxy, Samples.entry(tenant))));

      boolean deleted = outcomes.get(0) instanceof Deletion.Deleted;
      boolean referenced = outcomes.get(1) instanceof Change.Stored;
      assertThat(deleted).isNotEqualTo(referenced);
      assertThat(stores.proxies().find(tenant, proxy.id()).isPresent()).isEqualTo(referenced);
      assertThat(find(application).isPresent()).isEqualTo(referenced);
    }
  }

  @Test
  void pageReservesMemoryByAccessRuleLength() {
    for (int rules : List.of(1, 50, 50, 50)) {
      createApplication(
          Samples.application(
              tenant, ApplicationType.EXPIRING, withRules(rules), Optional.of(farFuture())));
    }
    for (PageRequest request :
        List.of(FIRST_PAGE, new PageRequest(4, 1), new PageRequest(1, 1), new PageRequest(9, 9))) {
      AtomicLong reserved = new AtomicLong();

      Page<Application> page = applications().list(tenant, ALL, request, reserved::addAndGet);

      long size = page.items().stream().mapToLong(each -> each.settings().policy().length()).sum();
      assertThat(reserved.get()).isBetween(size, 2 * size + 2000L * page.items().size());
      assertThat(page)
          .isEqualTo(applications().list(tenant, ALL, request, MemoryReservation.UNBOUNDED));
    }
    assertReservesMemory(reservation -> applications().list(tenant, ALL, FIRST_PAGE, reservation));
  }

  /** Returns settings with access rules of maximum length. */
  private static ApplicationSettings withRules(int count) {
    Condition condition =
        new Condition(Condition.Attribute.ID, Condition.Operator.EQUALS, "x".repeat(200));
    TokenSelector selector = new TokenSelector.MeetsAll(Collections.nCopies(20, condition));
    return Samples.settings(
        "many rules",
        new AccessPolicy(
            List.of(),
            IntStream.rangeClosed(1, count)
                .mapToObj(
                    priority ->
                        new AccessRule(
                            "y".repeat(200),
                            priority,
                            selector,
                            AccessTransform.REVEAL,
                            List.of(Permission.TOKEN_READ)))
                .toList()));
  }

  @Test
  void listsAreNewestFirstAndPagesDoNotOverlap() {
    List<Application> created = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      created.add(0, createApplication(Samples.application(tenant, ApplicationType.PUBLIC)));
    }
    ApplicationFilter filter = new ApplicationFilter(Set.of(), Set.of(ApplicationType.PUBLIC));

    for (int page = 1; page <= 4; page++) {
      Page<Application> found =
          applications()
              .list(tenant, filter, new PageRequest(page, 3), MemoryReservation.UNBOUNDED);
      assertThat(found.items())
          .isEqualTo(created.subList(Math.min(7, 3 * (page - 1)), Math.min(7, 3 * page)));
      assertThat(found.totalItems()).isEqualTo(7);
      assertThat(found.totalPages()).isEqualTo(3);
    }
    PageRequest huge = new PageRequest(Integer.MAX_VALUE, Integer.MAX_VALUE);
    assertThat(applications().list(tenant, filter, huge, MemoryReservation.UNBOUNDED).items())
        .isEmpty();
  }

  @Test
  void filtersByIdAndTypeRestrictTogether() {
    Application one = createApplication(Samples.application(tenant, ApplicationType.PUBLIC));
    Application two = createApplication(Samples.application(tenant, ApplicationType.PRIVATE));
    Set<ApplicationId> both = Set.of(one.id(), two.id(), new ApplicationId(UUID.randomUUID()));

    assertThat(list(tenant, new ApplicationFilter(both, Set.of())).items())
        .containsExactly(two, one);
    assertThat(list(tenant, new ApplicationFilter(both, Set.of(ApplicationType.PUBLIC))).items())
        .containsExactly(one);
    assertThat(list(tenant, ALL).totalItems()).isEqualTo(3);
  }

  @Test
  void expiredApplicationIsNeitherFoundNorChanged() {
    Instant expiresAt = soon();
    Application application = createApplication(Samples.expiring(tenant, expiresAt));
    ApplicationFilter filter = new ApplicationFilter(Set.of(application.id()), Set.of());
    Application unexpired = createApplication(Samples.expiring(tenant, farFuture()));

    waitUntil(expiresAt);

    assertThat(find(unexpired)).isPresent();
    assertThat(find(application)).isEmpty();
    assertThat(list(tenant, filter).items()).isEmpty();
    assertThat(list(tenant, filter).totalItems()).isZero();
    assertThat(updateApplication(tenant, application.id())).isEmpty();
    assertThat(replaceKey(tenant, application.id(), Samples.hash())).isEmpty();
    assertThat(deleteApplication(tenant, application.id())).isEqualTo(new Deletion.Absent());
  }

  @Test
  void sweepDeletesExpiredApplicationsAndRecordsEntryForEach() {
    NewApplication expired = Samples.expiring(tenant, now());
    NewApplication foreign = Samples.expiring(otherTenant, now());
    Application unexpired = createApplication(Samples.expiring(tenant, now().plusSeconds(60)));
    createApplication(expired);
    createApplication(foreign);

    assertThat(sweep(100)).isEqualTo(2);

    assertThat(sweep(100)).isZero();
    assertThat(isValidKey(expired.keyHash())).isFalse();
    assertThat(find(unexpired)).isPresent();
    assertThat(messages(tenant)).contains("swept " + expired.id());
    assertThat(messages(otherTenant)).contains("swept " + foreign.id());
  }

  protected final int sweep(int limit) {
    return applications()
        .deleteExpired(
            limit,
            application -> Samples.entry(application.tenantId(), "swept " + application.id()));
  }

  @Test
  void sweepRespectsItsLimit() {
    for (int i = 0; i < 3; i++) {
      createApplication(Samples.expiring(tenant, now()));
    }

    assertThat(sweep(2)).isEqualTo(2);
    assertThat(sweep(2)).isEqualTo(1);
  }

  @Test
  void concurrentSweepsDeleteEachApplicationOnce() {
    for (int i = 0; i < 40; i++) {
      createApplication(Samples.expiring(tenant, now()));
    }

    int deleted = Race.run(i -> sweep(5)).stream().mapToInt(each -> each).sum() + sweep(100);

    assertThat(deleted).isEqualTo(40);
    assertThat(messages(tenant))
        .filteredOn(message -> message.startsWith("swept"))
        .hasSize(40)
        .doesNotHaveDuplicates();
  }

  @Test
  void failedAuditEntryRollsBackChange() {
    NewApplication newApplication = Samples.application(tenant);
    Application existing = createApplication(newApplication);
    Application expired = createApplication(Samples.expiring(tenant, now()));
    NewApplication rejected = Samples.application(tenant);
    KeyHash newHash = Samples.hash();
    fixture.refuseEntries();

    assertUnavailable(() -> createApplication(rejected));
    assertUnavailable(() -> updateApplication(tenant, existing.id()));
    assertUnavailable(() -> replaceKey(tenant, existing.id(), newHash));
    assertUnavailable(() -> deleteApplication(tenant, existing.id()));
    assertThatNothingIsSwept();

    assertThat(applications().find(tenant, rejected.id())).isEmpty();
    assertThat(isValidKey(rejected.keyHash())).isFalse();
    assertThat(find(existing)).contains(existing);
    assertThat(isValidKey(newApplication.keyHash())).isTrue();
    assertThat(isValidKey(newHash)).isFalse();
    assertThat(expired.expiresAt()).isPresent();
  }

  /** Asserts that a sweep fails. A store of several parts may override it. */
  protected void assertThatNothingIsSwept() {
    assertUnavailable(() -> sweep(10));
  }

  @Test
  void brokenConnectionReportsUnavailableWithoutArguments() {
    ApplicationId id = new ApplicationId(UUID.randomUUID());
    ApplicationSettings marked = Samples.settings(MARKER);
    fixture.breakConnection();

    assertUnavailable(
        () ->
            createApplication(
                Samples.application(tenant, ApplicationType.PRIVATE, marked, Optional.empty())));
    assertUnavailable(() -> applications().find(tenant, id));
    assertUnavailable(() -> list(tenant, ALL));
    assertUnavailable(
        () ->
            applications()
                .update(
                    tenant,
                    id,
                    ExpectedVersion.ANY,
                    marked,
                    Optional.of(CHANGER),
                    Samples.entry(tenant, MARKER)));
    assertUnavailable(() -> replaceKey(tenant, id, Samples.hash()));
    assertUnavailable(() -> deleteApplication(tenant, id));
    assertUnavailable(() -> sweep(1));
  }

  @Test
  void rejectedDeletionReportsAllReferencingProxies() {
    Application application = createApplication(Samples.application(tenant));
    Set<ProxyId> ids =
        Set.copyOf(
            Race.run(
                i -> {
                  NewProxy proxy = proxyReferencing(application);
                  stores.proxies().create(proxy, Samples.entry(tenant));
                  return proxy.id();
                }));

    Deletion deletion = deleteApplication(tenant, application.id());

    assertThat(((Deletion.NamedByProxies) deletion).proxies()).hasSameElementsAs(ids);
  }
}
