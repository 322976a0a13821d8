package io.tokenvault.ports.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.audit.Actor;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.audit.RecordedEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.AuditLog;
import io.tokenvault.ports.audit.LogFilter;
import io.tokenvault.ports.audit.LogPosition;
import io.tokenvault.ports.store.Page;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.store.Preconditions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Contract tests for {@link AuditLog}. */
public abstract class AuditLogContract extends StoreContract {

  /** More entries than any test writes; ends walks of a defective store. */
  private static final int PLENTY = 1000;

  private void record(AuditEntry... entries) {
    stores.recorder().record(List.of(entries), Preconditions.none(entries[0].tenantId()));
  }

  private void recordMany(int count) {
    for (int i = 0; i < count; i++) {
      record(Samples.entry(tenant, "entry " + i));
    }
  }

  private Page<RecordedEntry> list(LogFilter filter, int page, int size) {
    return stores.auditLog().list(tenant, filter, new PageRequest(page, size));
  }

  private List<RecordedEntry> walk(Optional<LogPosition> after, int size) {
    return stores.auditLog().walk(tenant, LogFilter.all(), after, size);
  }

  private static List<String> messagesOf(List<RecordedEntry> entries) {
    return entries.stream().map(recorded -> recorded.entry().message()).toList();
  }

  @Test
  void recordedEntriesAreReadUnchanged() {
    List<AuditEntry> entries = new ArrayList<>();
    for (Actor actor :
        List.of(
            Actor.system(),
            Actor.anonymous(),
            Actor.application(new ApplicationId(UUID.randomUUID())))) {
      for (EntityType type : EntityType.all()) {
        for (Operation operation : Operation.values()) {
          entries.add(
              new AuditEntry(
                  tenant, actor, type, "\uD83D\uDD10*", operation, "", Optional.empty()));
        }
      }
    }
    entries.add(Samples.entry(tenant, "\uD83D\uDD10".repeat(AuditEntry.MAX_MESSAGE_LENGTH / 2)));
    entries.add(entryWithTraceId("t"));
    entries.add(entryWithTraceId("~".repeat(AuditEntry.MAX_TRACE_ID_LENGTH)));

    record(entries.toArray(AuditEntry[]::new));
    Collections.reverse(entries);

    List<RecordedEntry> found = walk(Optional.empty(), entries.size());
    assertThat(found.stream().map(RecordedEntry::entry)).containsExactlyElementsOf(entries);
  }

  private AuditEntry entryWithTraceId(String traceId) {
    return new AuditEntry(
        tenant,
        Actor.anonymous(),
        EntityType.PROXY,
        "1",
        Operation.READ,
        "m",
        Optional.of(traceId));
  }

  @Test
  void entryCannotBeChangedInDatabase() {
    recordMany(2);
    List<RecordedEntry> before = walk(Optional.empty(), 10);

    fixture.tryToChangeAnEntry();

    assertThat(walk(Optional.empty(), 10)).isEqualTo(before);
  }

  @Test
  void committedChangeAndItsEntrySurviveCrash() {
    List<String> before = messages(tenant);
    Application created = createApplication(Samples.application(tenant));

    fixture.crash();
    stores = fixture.stores();

    assertThat(stores.applications().find(tenant, created.id())).contains(created);
    assertThat(messages(tenant)).hasSize(before.size() + 1);
  }

  @Test
  void rejectedEntryReportsUnavailableWithoutItsMessage() {
    fixture.refuseEntries();

    assertUnavailable(() -> record(Samples.entry(tenant, MARKER)));
  }

  @Test
  void entryTimeUsesStoreClockInMicroseconds() {
    Instant before = now();
    record(Samples.entry(tenant));

    Instant createdAt = walk(Optional.empty(), 1).get(0).createdAt();

    assertThat(createdAt).isBetween(before, now());
    assertThat(createdAt.getNano() % 1000).isZero();
  }

  @Test
  void tenantWithoutEntriesHasEmptyLog() {
    Page<RecordedEntry> page =
        stores.auditLog().list(Samples.tenantId(), LogFilter.all(), FIRST_PAGE);

    assertThat(page.items()).isEmpty();
    assertThat(page.totalItems()).isZero();
  }

  @Test
  void entriesOfAnotherTenantAreNeitherReadNorCounted() {
    record(Samples.entry(otherTenant, "entry of another tenant"));

    assertThat(messagesOf(list(LogFilter.all(), 1, 100).items())).containsExactly("tenant created");
    assertThat(list(LogFilter.all(), 1, 100).totalItems()).isEqualTo(1);
    assertThat(messagesOf(walk(Optional.empty(), 100))).containsExactly("tenant created");
  }

  @Test
  void pagesAreNewestFirstAndDoNotOverlap() {
    recordMany(6);

    assertThat(messagesOf(list(LogFilter.all(), 1, 3).items()))
        .containsExactly("entry 5", "entry 4", "entry 3");
    assertThat(messagesOf(list(LogFilter.all(), 2, 3).items()))
        .containsExactly("entry 2", "entry 1", "entry 0");
    assertThat(messagesOf(list(LogFilter.all(), 3, 3).items())).containsExactly("tenant created");
    assertThat(list(LogFilter.all(), 4, 3).items()).isEmpty();
    assertThat(list(LogFilter.all(), 4, 3).totalItems()).isEqualTo(7);
    assertThat(list(LogFilter.all(), Integer.MAX_VALUE, Integer.MAX_VALUE).items()).isEmpty();
  }

  @Test
  void sequenceNumbersAreUniqueWithinTenant() {
    Race.run(
        i -> {
          record(Samples.entry(tenant), Samples.entry(tenant));
          return i;
        });

    assertThat(walk(Optional.empty(), 1000))
        .hasSize(65)
        .extracting(RecordedEntry::sequence)
        .doesNotHaveDuplicates();
  }

  @Test
  void filtersRestrictTogether() {
    record(Samples.entry(tenant, EntityType.PROXY, "1", "proxy 1"));
    record(Samples.entry(tenant, EntityType.PROXY, "2", "proxy 2"));
    record(Samples.entry(tenant, EntityType.APPLICATION, "1", "application 1"));

    assertThat(findMessages("proxy", null)).containsExactly("proxy 2", "proxy 1");
    assertThat(findMessages(null, "1")).containsExactly("application 1", "proxy 1");
    assertThat(findMessages("proxy", "1")).containsExactly("proxy 1");
    assertThat(findMessages("proxy", "%")).isEmpty();
    assertThat(findMessages(null, "*")).isEmpty();
    record(Samples.entry(tenant, EntityType.PROXY, AuditEntry.ALL_ENTITIES, "all proxies"));
    assertThat(findMessages(null, "*")).containsExactly("all proxies");
    assertThat(findMessages("proxy", "*")).containsExactly("all proxies");
    assertThat(findMessages("application", "*")).isEmpty();
    assertThat(findMessages("PROXY", null)).isEmpty();
    assertThat(findMessages("a\0b", null)).isEmpty();
  }

  @Test
  void entriesAreFilteredByActorAndOperation() {
    Actor ann = Actor.application(new ApplicationId(UUID.randomUUID()));
    Actor ben = Actor.application(new ApplicationId(UUID.randomUUID()));
    record(entryOf(ann, Operation.READ, "ann reads"));
    record(entryOf(ben, Operation.READ, "ben reads"));
    record(entryOf(ann, Operation.DELETE, "ann deletes"));
    record(entryOf(Actor.anonymous(), Operation.READ, "anonymous reads"));

    assertThat(findMessagesBy(ann, null, null)).containsExactly("ann deletes", "ann reads");
    assertThat(findMessagesBy(null, Operation.READ, null))
        .containsExactly("anonymous reads", "ben reads", "ann reads");
    assertThat(findMessagesBy(ann, Operation.READ, null)).containsExactly("ann reads");
    assertThat(findMessagesBy(ann, Operation.READ, "1")).containsExactly("ann reads");
    assertThat(findMessagesBy(ann, Operation.READ, "2")).isEmpty();
    assertThat(findMessagesBy(ann, Operation.USE, null)).isEmpty();
  }

  private AuditEntry entryOf(Actor actor, Operation operation, String message) {
    return new AuditEntry(
        tenant, actor, EntityType.PROXY, "1", operation, message, Optional.empty());
  }

  private List<String> findMessagesBy(Actor actor, Operation operation, String id) {
    return findMessages(
        new LogFilter(
            Optional.empty(),
            Optional.ofNullable(id),
            Optional.ofNullable(actor).flatMap(Actor::id),
            Optional.ofNullable(operation),
            Optional.empty(),
            Optional.empty()));
  }

  private List<String> findMessages(String type, String id) {
    return findMessages(
        new LogFilter(
            Optional.ofNullable(type),
            Optional.ofNullable(id),
            Optional.empty(),
            Optional.empty()));
  }

  private List<String> findMessages(LogFilter filter) {
    Page<RecordedEntry> page = list(filter, 1, 100);
    assertThat(page.totalItems()).isEqualTo(page.items().size());
    assertThat(stores.auditLog().walk(tenant, filter, Optional.empty(), 100))
        .isEqualTo(page.items());
    return messagesOf(page.items());
  }

  @Test
  void entriesOfEntityIdAreOrderedAcrossTypes() {
    EntityType unknown = new EntityType("of another version", "of another version");
    List<EntityType> types = List.of(EntityType.TENANT, unknown, EntityType.PROXY);
    for (int i = 0; i < 30; i++) {
      record(Samples.entry(tenant, types.get(i % 3), i % 5 == 4 ? "2" : "1", "entry " + i));
    }
    LogFilter byEntity =
        new LogFilter(Optional.empty(), Optional.of("1"), Optional.empty(), Optional.empty());
    List<RecordedEntry> expected =
        walk(Optional.empty(), 1000).stream()
            .filter(each -> each.entry().entityId().equals("1"))
            .toList();

    assertThat(expected).hasSize(24);
    assertThat(readInSlices(byEntity, 7, () -> {})).isEqualTo(expected);
    assertThat(list(byEntity, 3, 5).items()).isEqualTo(expected.subList(10, 15));
    assertThat(list(byEntity, 3, 5).totalItems()).isEqualTo(24);
    assertThat(findMessages("of another version", "1")).hasSize(8);
    assertThat(findMessages(null, "1\0")).isEmpty();
  }

  /** Reads all entries in slices and runs an action after each slice. */
  private List<RecordedEntry> readInSlices(LogFilter filter, int size, Runnable betweenSlices) {
    List<RecordedEntry> seen = new ArrayList<>();
    List<RecordedEntry> slice = stores.auditLog().walk(tenant, filter, Optional.empty(), size);
    while (!slice.isEmpty() && seen.size() < PLENTY) {
      seen.addAll(slice);
      betweenSlices.run();
      LogPosition last = LogPosition.after(slice.get(slice.size() - 1));
      slice = stores.auditLog().walk(tenant, filter, Optional.of(last), size);
    }
    return seen;
  }

  @Test
  void timeSpanIncludesStartAndExcludesEnd() {
    recordMany(4);
    List<RecordedEntry> all = walk(Optional.empty(), 100);
    Instant newest = all.get(0).createdAt();
    Instant older = all.get(2).createdAt();

    assertThat(between(older, newest))
        .isEqualTo(
            all.stream()
                .filter(e -> !e.createdAt().isBefore(older) && e.createdAt().isBefore(newest))
                .toList());
    assertThat(between(older, Instant.MAX)).contains(all.get(0));
    assertThat(between(Instant.MIN, older)).doesNotContain(all.get(2)).contains(all.get(4));
    assertThat(between(newest, newest)).isEmpty();
    assertThat(between(Instant.MAX, Instant.MIN)).isEmpty();
  }

  private List<RecordedEntry> between(Instant from, Instant until) {
    LogFilter filter =
        new LogFilter(Optional.empty(), Optional.empty(), Optional.of(from), Optional.of(until));
    List<RecordedEntry> listed = list(filter, 1, 100).items();
    assertThat(stores.auditLog().walk(tenant, filter, Optional.empty(), 100)).isEqualTo(listed);
    return listed;
  }

  @Test
  void walkReturnsEveryEntryOnceDuringInserts() {
    recordMany(25);
    List<RecordedEntry> expected = walk(Optional.empty(), 1000);

    List<RecordedEntry> seen =
        readInSlices(LogFilter.all(), 7, () -> record(Samples.entry(tenant, "recorded later")));

    assertThat(seen).isEqualTo(expected);
  }

  @Test
  void walkDistinguishesEntriesWithIdenticalTimestamps() {
    AuditEntry[] entries =
        IntStream.range(0, 20)
            .mapToObj(i -> Samples.entry(tenant, "entry " + i))
            .toArray(AuditEntry[]::new);
    record(entries);

    assertThat(readInSlices(LogFilter.all(), 1, () -> {}))
        .hasSize(21)
        .isEqualTo(walk(Optional.empty(), 100));
  }

  @Test
  void entriesAreInCommitOrder() {
    createApplication(Samples.application(tenant));
    record(Samples.entry(tenant, "between"));
    createToken(Samples.token(tenant));

    assertThat(messages(tenant))
        .containsExactly("token created", "between", "application created", "tenant created");
  }

  @Test
  void positionOlderThanAllEntriesReturnsNone() {
    assertThat(walk(Optional.of(new LogPosition(Instant.EPOCH, 1)), 10)).isEmpty();
  }

  @Test
  void brokenConnectionReportsUnavailableWithoutArguments() {
    LogFilter filter =
        new LogFilter(Optional.of(MARKER), Optional.of(MARKER), Optional.empty(), Optional.empty());
    TenantId unknown = Samples.tenantId();
    fixture.breakConnection();

    assertUnavailable(() -> stores.auditLog().list(unknown, filter, FIRST_PAGE));
    assertUnavailable(() -> stores.auditLog().walk(unknown, filter, Optional.empty(), 1));
  }
}
