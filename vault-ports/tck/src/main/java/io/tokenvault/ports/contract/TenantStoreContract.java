package io.tokenvault.ports.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.domain.proxy.ContainerBinding;
import io.tokenvault.domain.proxy.HostPattern;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.tenant.ResourceName;
import io.tokenvault.domain.tenant.Tenant;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.crypto.WrappedKey;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.ApplicationStore.ApplicationFilter;
import io.tokenvault.ports.store.LookupResult;
import io.tokenvault.ports.store.LookupResult.LoadedCaller;
import io.tokenvault.ports.store.ProxyStore.NewProxy;
import io.tokenvault.ports.store.TenantStore;
import io.tokenvault.ports.store.TenantStore.NewTenant;
import io.tokenvault.ports.store.TokenStore.NewToken;
import io.tokenvault.ports.store.model.NewApplication;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Contract tests for {@link TenantStore}. */
public abstract class TenantStoreContract extends StoreContract {

  private TenantStore tenants() {
    return stores.tenants();
  }

  private Tenant create(NewTenant newTenant) {
    return tenants().create(newTenant, List.of(Samples.entry(newTenant.id(), "created")));
  }

  private boolean createFirst(NewTenant newTenant) {
    return tenants()
        .createFirst(newTenant, List.of(Samples.entry(newTenant.id(), "created first")));
  }

  private void deleteAll() {
    tenants().list().forEach(each -> deleteTenant(each.id()));
  }

  @Test
  void createdTenantHasKeyAndManagementApplication() {
    NewTenant newTenant = Samples.tenant(Samples.tenantId());
    Instant before = now();

    Tenant created = create(newTenant);

    assertThat(created.id()).isEqualTo(newTenant.id());
    assertThat(created.name()).isEqualTo(newTenant.name());
    assertThat(created.createdAt()).isBetween(before, now());
    LoadedCaller management = caller(newTenant.management().keyHash()).orElseThrow();
    assertThat(management.keys()).isEqualTo(newTenant.keys());
    assertThat(management.application().id()).isEqualTo(newTenant.management().id());
    assertThat(messages(newTenant.id())).containsExactly("created");
  }

  @Test
  void tenantIsFoundById() {
    Tenant created = create(Samples.tenant(Samples.tenantId()));
    create(Samples.tenant(Samples.tenantId()));

    assertThat(tenants().find(created.id())).contains(created);
    assertThat(tenants().find(Samples.tenantId())).isEmpty();
    deleteTenant(created.id());
    assertThat(tenants().find(created.id())).isEmpty();
  }

  @Test
  void largestNameAndKeyRoundTrip() {
    NewTenant sample = Samples.tenant(Samples.tenantId());
    ResourceName name = new ResourceName("\uD83D\uDD10".repeat(ResourceName.MAX_LENGTH));
    WrappedKey key = new WrappedKey(KeyPurpose.DATA, Integer.MAX_VALUE, new byte[10_000]);

    create(
        new NewTenant(
            sample.id(), name, new TenantKeys(sample.id(), List.of(key)), sample.management()));

    assertThat(tenants().list()).extracting(Tenant::name).contains(name);
    assertThat(caller(sample.management().keyHash()).orElseThrow().keys().keys())
        .containsExactly(key);
  }

  @Test
  void listsAreOldestFirst() {
    Tenant third = create(Samples.tenant(Samples.tenantId()));
    Tenant fourth = create(Samples.tenant(Samples.tenantId()));

    assertThat(tenants().list())
        .extracting(Tenant::id)
        .containsExactly(tenant, otherTenant, third.id(), fourth.id());
    assertThat(tenants().list()).contains(third, fourth);
  }

  @Test
  void firstTenantIsNotCreatedIfTenantsExist() {
    NewTenant newTenant = Samples.tenant(Samples.tenantId());

    assertThat(createFirst(newTenant)).isFalse();

    assertThat(caller(newTenant.management().keyHash())).isEmpty();
    assertThat(tenants().list()).hasSize(2);
    assertThat(messages(newTenant.id())).isEmpty();
  }

  @Test
  void oneConcurrentFirstTenantCreationSucceeds() {
    deleteAll();

    List<Boolean> results = Race.run(i -> createFirst(Samples.tenant(Samples.tenantId())));

    assertThat(results).filteredOn(created -> created).hasSize(1);
    assertThat(tenants().list()).hasSize(1);
    assertThat(messages(tenants().list().get(0).id())).containsExactly("created first");
  }

  @Test
  void deletionRemovesEverythingButAuditLog() {
    NewApplication application = Samples.application(tenant);
    Application created = createApplication(application);
    Token token = createToken(Samples.token(tenant));
    NewProxy proxy = Samples.proxy(tenant, Samples.proxySettings("p", Optional.of(created.id())));
    createProxy(proxy);

    assertThat(deleteTenant(tenant)).isTrue();

    assertThat(tenants().list()).extracting(Tenant::id).containsExactly(otherTenant);
    LookupResult loaded =
        load(List.of(application.keyHash()), List.of(proxy.keyHash()), token.id());
    assertThat(loaded.caller()).isEmpty();
    assertThat(loaded.proxy()).isEmpty();
    assertThat(loaded.tokens()).isEmpty();
    assertThat(stores.applications().find(tenant, created.id())).isEmpty();
    assertThat(messages(tenant))
        .containsExactly(
            "deleted", "proxy created", "token created", "application created", "tenant created");
  }

  @Test
  void deletionRemovesAllEncryptedFields() {
    NewProxy own = Samples.proxyWithTransforms(tenant);
    NewProxy foreign = Samples.proxyWithTransforms(otherTenant);
    createProxy(own);
    createProxy(foreign);
    createToken(Samples.token(tenant));

    deleteTenant(tenant);

    assertThat(stores.proxies().find(tenant, own.id())).isEmpty();
    assertThat(stores.encryptedFields().countByVersion(tenant)).isEmpty();
    assertThat(stores.proxies().find(otherTenant, foreign.id()).orElseThrow().transforms())
        .isEqualTo(foreign.transforms());
  }

  @Test
  void deletionPreservesOtherTenants() {
    NewApplication application = Samples.application(otherTenant);
    createApplication(application);
    Token token = createToken(Samples.token(otherTenant));

    deleteTenant(tenant);

    LookupResult loaded = load(List.of(application.keyHash()), List.of(), token.id());
    assertThat(loaded.caller()).isPresent();
    assertThat(loaded.tokens()).containsOnlyKeys(token.id());
  }

  @Test
  void oneConcurrentDeletionSucceeds() {
    assertThat(Race.run(i -> deleteTenant(tenant))).filteredOn(deleted -> deleted).hasSize(1);
    assertThat(messages(tenant)).filteredOn("deleted"::equals).hasSize(1);
  }

  @Test
  void missingTenantIsNotDeleted() {
    TenantId missing = Samples.tenantId();

    assertThat(deleteTenant(missing)).isFalse();
    assertThat(messages(missing)).isEmpty();
  }

  @Test
  void deletedTenantRejectsNewResources() {
    NewToken token = Samples.token(tenant);
    deleteTenant(tenant);

    assertThat(isRejected(() -> createToken(token))).isTrue();
    assertThat(isRejected(() -> createApplication(Samples.application(tenant)))).isTrue();
    assertThat(messages(tenant)).containsExactly("deleted", "tenant created");
  }

  private static boolean isRejected(Runnable creation) {
    try {
      creation.run();
      return false;
    } catch (VaultException refused) {
      return true;
    }
  }

  @Test
  void tokensCreatedDuringDeletionDoNotRemain() {
    NewApplication application = Samples.application(tenant);
    createApplication(application);

    Race.run(
        i ->
            i == Race.RUNNERS / 2
                ? deleteTenant(tenant)
                : !isRejected(() -> createToken(Samples.token(tenant))));

    ApplicationFilter all = new ApplicationFilter(Set.of(), Set.of());
    assertThat(
            stores
                .applications()
                .list(tenant, all, FIRST_PAGE, MemoryReservation.UNBOUNDED)
                .items())
        .isEmpty();
    assertThat(deleteTenant(tenant)).isFalse();
  }

  private Optional<TenantEgress> changeEgress(TenantId id, UnaryOperator<TenantEgress> change) {
    return tenants().changeEgress(id, change, Samples.entry(id, "destinations changed"));
  }

  private TenantEgress egress(TenantId id) {
    return tenants().egress(id).orElseThrow();
  }

  private static TenantEgress policy(long version, ContainerBinding... bindings) {
    return new TenantEgress(version, true, true, List.of(bindings));
  }

  @Test
  void newTenantHasInitialEgressPolicy() {
    assertThat(egress(tenant)).isEqualTo(TenantEgress.initial());
  }

  @Test
  void egressPolicyChangeRecordsEntryAndIncrementsVersion() {
    ContainerBinding binding = Samples.binding("/pci/", "*.example.com");

    assertThat(changeEgress(tenant, egress -> egress.with(binding))).contains(policy(2, binding));
    assertThat(changeEgress(tenant, egress -> egress.withUrlHeader(false).withUnboundByUrl(false)))
        .contains(new TenantEgress(3, false, false, List.of(binding)));
    assertThat(egress(tenant)).isEqualTo(new TenantEgress(3, false, false, List.of(binding)));

    assertThat(messages(tenant))
        .containsExactly("destinations changed", "destinations changed", "tenant created");
  }

  @Test
  void eachEgressSwitchIsStoredIndependently() {
    changeEgress(tenant, egress -> egress.withUrlHeader(false));
    changeEgress(otherTenant, egress -> egress.withUnboundByUrl(false));

    assertThat(egress(tenant)).isEqualTo(new TenantEgress(2, false, true, List.of()));
    assertThat(egress(otherTenant)).isEqualTo(new TenantEgress(2, true, false, List.of()));
  }

  @Test
  void removedBindingsAreNoLongerStored() {
    ContainerBinding kept = Samples.binding("/pci/", "a.example.com");
    changeEgress(
        tenant,
        egress ->
            egress.with(kept).with(Samples.binding("/", "b")).with(Samples.binding("/pci/", "c")));

    changeEgress(tenant, egress -> egress.without(new Container("/"), Optional.empty()));
    changeEgress(
        tenant,
        egress -> egress.without(new Container("/pci/"), Optional.of(new HostPattern("c"))));

    assertThat(egress(tenant)).isEqualTo(policy(4, kept));
  }

  @Test
  void maximumNumberAndLengthOfBindingsRoundTrip() {
    String host = "*." + ("a".repeat(61) + ".").repeat(4) + "abcde";
    ContainerBinding[] bindings =
        IntStream.range(0, TenantEgress.MAX_BINDINGS)
            .mapToObj(i -> Samples.binding("/" + (100 + i) + "x".repeat(195) + "/", host))
            .toArray(ContainerBinding[]::new);

    changeEgress(tenant, egress -> policy(1, bindings));

    assertThat(egress(tenant)).isEqualTo(policy(2, bindings));
  }

  @Test
  void noOpChangeIsNotRecordedAndPreservesVersion() {
    ContainerBinding binding = Samples.binding("/pci/", "a.example.com");
    changeEgress(tenant, egress -> egress.with(binding));

    assertThat(changeEgress(tenant, egress -> egress)).contains(policy(2, binding));
    assertThat(changeEgress(tenant, egress -> egress.with(binding))).contains(policy(2, binding));

    assertThat(egress(tenant)).isEqualTo(policy(2, binding));
    assertThat(messages(tenant)).containsExactly("destinations changed", "tenant created");
  }

  @Test
  void versionNeverRepeatsRegardlessOfChange() {
    changeEgress(tenant, egress -> egress.withUrlHeader(false));
    changeEgress(tenant, egress -> egress.withUrlHeader(true));

    assertThat(changeEgress(tenant, egress -> TenantEgress.initial().withUrlHeader(false)))
        .contains(new TenantEgress(4, false, true, List.of()));
    assertThat(egress(tenant).version()).isEqualTo(4);
  }

  @Test
  void throwingChangeIsRolledBack() {
    ContainerBinding binding = Samples.binding("/pci/", "a.example.com");
    changeEgress(tenant, egress -> egress.with(binding));
    ValidationException failure = ValidationException.of("container", "too many");

    assertThatThrownBy(
            () ->
                changeEgress(
                    tenant,
                    egress -> {
                      throw failure;
                    }))
        .isSameAs(failure);

    assertThat(egress(tenant)).isEqualTo(policy(2, binding));
    assertThat(messages(tenant)).containsExactly("destinations changed", "tenant created");
    assertThat(changeEgress(tenant, egress -> egress.withUrlHeader(false))).isPresent();
  }

  @Test
  void missingTenantHasNoEgressPolicy() {
    TenantId missing = Samples.tenantId();

    assertThat(tenants().egress(missing)).isEmpty();
    assertThat(changeEgress(missing, egress -> egress.withUrlHeader(false))).isEmpty();
    assertThat(messages(missing)).isEmpty();
  }

  @Test
  void changePreservesEgressPolicyOfOtherTenants() {
    ContainerBinding own = Samples.binding("/pci/", "own.example.com");
    ContainerBinding foreign = Samples.binding("/pci/", "foreign.example.com");
    changeEgress(tenant, egress -> egress.with(own));
    changeEgress(otherTenant, egress -> egress.with(foreign));

    changeEgress(tenant, egress -> egress.without(own.container(), Optional.empty()));

    assertThat(egress(tenant)).isEqualTo(policy(3));
    assertThat(egress(otherTenant)).isEqualTo(policy(2, foreign));
    assertThat(messages(otherTenant)).containsExactly("destinations changed", "tenant created");
  }

  @Test
  void concurrentEgressPolicyChangesAreNotLost() {
    List<Optional<TenantEgress>> results =
        Race.run(
            i ->
                changeEgress(
                    tenant,
                    egress -> egress.with(Samples.binding("/c" + i + "/", "h" + i + ".x"))));

    assertThat(egress(tenant).bindings())
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, Race.RUNNERS)
                .mapToObj(i -> Samples.binding("/c" + i + "/", "h" + i + ".x"))
                .toList());
    assertThat(results)
        .extracting(result -> result.orElseThrow().version())
        .containsExactlyInAnyOrderElementsOf(
            LongStream.rangeClosed(2, 1 + Race.RUNNERS).boxed().toList());
    assertThat(messages(tenant)).filteredOn("destinations changed"::equals).hasSize(Race.RUNNERS);
  }

  @Test
  void deletionRemovesEgressPolicy() {
    ContainerBinding foreign = Samples.binding("/pci/", "foreign.example.com");
    changeEgress(tenant, egress -> egress.with(Samples.binding("/pci/", "own.example.com")));
    changeEgress(otherTenant, egress -> egress.with(foreign));

    assertThat(deleteTenant(tenant)).isTrue();

    assertThat(tenants().egress(tenant)).isEmpty();
    assertThat(changeEgress(tenant, egress -> egress.withUrlHeader(false))).isEmpty();
    assertThat(egress(otherTenant)).isEqualTo(policy(2, foreign));
  }

  @Test
  void failedAuditEntryRollsBackEgressPolicyChange() {
    ContainerBinding binding = Samples.binding("/pci/", "a.example.com");
    changeEgress(tenant, egress -> egress.with(binding));
    fixture.refuseEntries();

    assertUnavailable(
        () ->
            changeEgress(
                tenant,
                egress ->
                    egress.withUrlHeader(false).without(binding.container(), Optional.empty())));

    assertThat(egress(tenant)).isEqualTo(policy(2, binding));
  }

  @Test
  void failedAuditEntryRollsBackChange() {
    NewTenant newTenant = Samples.tenant(Samples.tenantId());
    fixture.refuseEntries();

    assertUnavailable(() -> create(newTenant));
    assertUnavailable(() -> deleteTenant(tenant));

    assertThat(tenants().list()).extracting(Tenant::id).containsExactly(tenant, otherTenant);
    assertThat(caller(newTenant.management().keyHash())).isEmpty();
  }

  @Test
  void failedAuditEntryPreventsFirstTenant() {
    deleteAll();
    fixture.refuseEntries();

    assertUnavailable(() -> createFirst(Samples.tenant(Samples.tenantId())));

    assertThat(tenants().list()).isEmpty();
  }

  @Test
  void brokenConnectionReportsUnavailableWithoutArguments() {
    NewTenant sample = Samples.tenant(Samples.tenantId());
    NewTenant newTenant =
        new NewTenant(sample.id(), new ResourceName(MARKER), sample.keys(), sample.management());
    fixture.breakConnection();

    assertUnavailable(() -> create(newTenant));
    assertUnavailable(() -> createFirst(newTenant));
    assertUnavailable(() -> tenants().list());
    assertUnavailable(() -> tenants().egress(tenant));
    assertUnavailable(
        () ->
            changeEgress(
                tenant, egress -> egress.with(Samples.binding("/a/", MARKER + ".example"))));
    assertUnavailable(() -> deleteTenant(tenant));
  }
}
