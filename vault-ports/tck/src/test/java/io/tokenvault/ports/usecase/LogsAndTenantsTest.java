package io.tokenvault.ports.usecase;

import static io.tokenvault.ports.usecase.VaultFixture.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.audit.Actor;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.audit.RecordedEntry;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.tenant.ResourceName;
import io.tokenvault.domain.tenant.Tenant;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.AuditLog;
import io.tokenvault.ports.audit.LogFilter;
import io.tokenvault.ports.audit.LogPosition;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.Page;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.usecase.audit.ReadLogs;
import io.tokenvault.ports.usecase.audit.ReadLogs.LogSlice;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.tenant.ManageTenants;
import io.tokenvault.ports.usecase.tenant.ManageTenants.IssuedTenant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Tests {@link ReadLogs} and {@link ManageTenants}. */
final class LogsAndTenantsTest {

  private static final PageRequest FIRST_PAGE = new PageRequest(1, 100);

  private final VaultFixture vault = new VaultFixture();

  private Page<RecordedEntry> list(Caller caller) {
    return vault.logs.list(caller, LogFilter.all(), FIRST_PAGE, MemoryReservation.UNBOUNDED);
  }

  @Test
  void walkContinuesUntilEndOfLog() {
    List<String> expected = vault.messages();
    Caller manager = vault.manager();

    assertThat(walk(manager, LogFilter.all())).isEqualTo(expected);
  }

  private List<String> walk(Caller caller, LogFilter filter) {
    List<String> seen = new ArrayList<>();
    Optional<LogPosition> place = Optional.empty();
    do {
      LogSlice slice = vault.logs.walk(caller, filter, place, 1, MemoryReservation.UNBOUNDED);
      slice.entries().forEach(each -> seen.add(each.entry().message()));
      place = slice.next();
    } while (place.isPresent());
    return seen;
  }

  @Test
  void walkByActorAndOperationReturnsExactlyMatchingEntries() {
    Caller manager = vault.manager();
    list(manager);
    list(manager);
    Optional<UUID> actor = Optional.of(manager.application().id().value());

    assertThat(walk(manager, filter(actor, Operation.SEARCH)))
        .containsExactly("Log entries listed", "Log entries listed");
    assertThat(walk(manager, filter(Optional.of(UUID.randomUUID()), Operation.SEARCH))).isEmpty();
  }

  private static LogFilter filter(Optional<UUID> actorId, Operation operation) {
    return new LogFilter(
        Optional.empty(),
        Optional.empty(),
        actorId,
        Optional.of(operation),
        Optional.empty(),
        Optional.empty());
  }

  /** Walks a practically endless log in which no entry matches. */
  @Test
  void walkForRareEntriesScansBoundedNumberOfEntries() {
    Caller manager = vault.manager();
    AtomicInteger scanned = new AtomicInteger();
    AuditLog endless =
        new AuditLog() {
          @Override
          public Page<RecordedEntry> list(
              TenantId tenantId, LogFilter filter, PageRequest request) {
            throw new AssertionError("unexpected count");
          }

          @Override
          public List<RecordedEntry> walk(
              TenantId tenantId, LogFilter filter, Optional<LogPosition> after, int size) {
            assertThat(filter).isEqualTo(LogFilter.all());
            scanned.addAndGet(size);
            long newest = after.map(LogPosition::sequence).orElse(Long.MAX_VALUE);
            return LongStream.rangeClosed(1, size)
                .mapToObj(
                    i -> new RecordedEntry(Samples.entry(tenantId), VaultFixture.START, newest - i))
                .toList();
          }
        };

    LogSlice slice =
        new ReadLogs(endless, vault.recorder)
            .walk(
                manager,
                filter(Optional.empty(), Operation.DELETE),
                Optional.empty(),
                20,
                MemoryReservation.UNBOUNDED);

    assertThat(slice.entries()).isEmpty();
    assertThat(scanned.get()).isBetween(20_000, 25_000);
    assertThat(slice.next().orElseThrow().sequence())
        .isBetween(Long.MAX_VALUE - 25_000, Long.MAX_VALUE - 20_000);
  }

  @Test
  void logIsForbiddenWithoutPermission() {
    Caller caller = vault.caller(Permission.TOKEN_READ);

    assertRefused(FailureCause.PERMISSION_DENIED, () -> list(caller));
    assertRefused(
        FailureCause.PERMISSION_DENIED,
        () ->
            vault.logs.walk(
                caller, LogFilter.all(), Optional.empty(), 1, MemoryReservation.UNBOUNDED));
    assertRefused(FailureCause.PERMISSION_DENIED, () -> vault.logs.entityTypes(caller));
  }

  @Test
  void unrecordableReadReturnsNothing() {
    Caller manager = vault.manager();
    vault.recorder.fail();

    assertRefused(FailureCause.STORE_UNAVAILABLE, () -> list(manager));
  }

  @Test
  void firstTenantIsCreatedOnlyIfNoneExists() {
    assertThat(vault.tenants.createFirst(new ResourceName("late"))).isEmpty();

    vault.tenants.delete(vault.tenantId());

    assertThat(vault.tenants.createFirst(new ResourceName("first"))).isPresent();
    assertThat(vault.tenants.list())
        .extracting(Tenant::name)
        .containsExactly(new ResourceName("first"));
  }

  @Test
  void tenantListIsRecordedForEachTenant() {
    vault.tenants.create(new ResourceName("other"));

    assertThat(vault.tenants.list()).hasSize(2);

    assertThat(vault.messages().get(0)).isEqualTo("Tenant listed");
    assertThat(vault.entries().get(0).actor()).isEqualTo(Actor.system());
  }

  @Test
  void readOfEgressPolicyIsRecorded() {
    assertThat(vault.tenants.egress(vault.tenantId())).contains(TenantEgress.initial());
    assertThat(vault.messages().get(0)).isEqualTo("Destinations of the tenant listed");

    vault.recorder.fail();
    assertRefused(FailureCause.STORE_UNAVAILABLE, () -> vault.tenants.egress(vault.tenantId()));
  }

  @Test
  void keyOfApplicationInAnotherTenantIsNotReplaced() {
    IssuedTenant other = vault.otherTenant();

    assertThat(vault.tenants.resetKey(vault.tenantId(), other.applicationId())).isEmpty();
    assertThat(vault.caller(other.key())).isNotNull();
  }
}
