package io.tokenvault.ports.contract;

import static io.tokenvault.ports.contract.Samples.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.audit.Actor;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.audit.RecordedEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.LogFilter;
import io.tokenvault.ports.audit.LogPosition;
import io.tokenvault.ports.store.document.Storage;
import io.tokenvault.ports.store.document.Storage.Document;
import io.tokenvault.ports.store.document.Storage.DocumentKey;
import io.tokenvault.ports.store.document.Storage.Selection;
import io.tokenvault.ports.store.document.Storage.Snapshot;
import io.tokenvault.ports.store.document.Storage.Transaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Contract tests for {@link Storage}. Pass this suite before those of the stores, which use a
 * storage through {@code DocumentStores}.
 */
@ExtendWith(BrokenLaw.class)
public abstract class StorageContract {

  private static final String KIND = "token";
  private static final String OTHER_KIND = "proxy";
  private static final TenantId TENANT = new TenantId(new UUID(0, 1));
  private static final TenantId OTHER_TENANT = new TenantId(new UUID(0, 2));
  private static final Instant DUE = Instant.parse("2026-01-02T03:04:05.000006Z");

  private Storage storage;

  /** Opens a storage without documents. */
  protected abstract Storage openStorage();

  /** Closes a storage that {@link #openStorage} or {@link #reopen} opened. */
  protected abstract void closeStorage(Storage opened);

  /**
   * Opens the data of a storage that was not closed, as after a crash. If the database locks its
   * files, opens a copy of them. By default, the durability test is skipped.
   */
  protected Storage reopen(Storage crashed) {
    return Assumptions.abort("the test does not simulate crashes");
  }

  /**
   * Tries to change and to delete all log entries directly in the database, which should reject
   * both. By default, the immutability test is skipped.
   */
  protected void tamperWithLog(Storage opened) {
    Assumptions.abort("the test does not change entries in the database");
  }

  @BeforeEach
  void open() {
    storage = openStorage();
  }

  @AfterEach
  void close() {
    closeStorage(storage);
  }

  private void write(Consumer<Transaction> work) {
    storage.write(
        transaction -> {
          work.accept(transaction);
          return transaction;
        });
  }

  private static DocumentKey key(String id) {
    return new DocumentKey(KIND, TENANT, id);
  }

  private static Document document(DocumentKey key, String body, String... terms) {
    return new Document(key, Optional.empty(), Set.of(terms), body);
  }

  private static Document due(String id, Instant time) {
    return new Document(key(id), Optional.of(time), Set.of(), id);
  }

  private void put(Document... documents) {
    write(transaction -> List.of(documents).forEach(transaction::put));
  }

  private Optional<String> find(DocumentKey key) {
    return storage.read(snapshot -> snapshot.find(key));
  }

  private static Selection ofKind(String kind) {
    return new Selection(kind, Optional.empty(), Optional.empty(), Optional.empty());
  }

  private static Selection ofTenant(TenantId tenantId) {
    return new Selection(KIND, Optional.of(tenantId), Optional.empty(), Optional.empty());
  }

  private static Selection withTerm(Optional<TenantId> tenantId, String term) {
    return new Selection(KIND, tenantId, Optional.of(term), Optional.empty());
  }

  private static Selection dueBy(Instant time) {
    return new Selection(KIND, Optional.empty(), Optional.empty(), Optional.of(time));
  }

  private List<String> scan(Selection selection) {
    return storage.read(
        snapshot -> {
          List<String> found = new ArrayList<>();
          snapshot.scan(selection, found::add);
          return found;
        });
  }

  private List<RecordedEntry> log(
      TenantId tenantId, LogFilter filter, Optional<LogPosition> after) {
    return storage.read(
        snapshot -> {
          List<RecordedEntry> found = new ArrayList<>();
          snapshot.scanLog(tenantId, filter, after, found::add);
          return found;
        });
  }

  private List<String> messages(TenantId tenantId) {
    return log(tenantId, LogFilter.all(), Optional.empty()).stream()
        .map(each -> each.entry().message())
        .toList();
  }

  @Test
  void openStorageIsReady() {
    assertThat(storage.isReady()).isTrue();
  }

  @Test
  void documentIsFoundByItsWholeKey() {
    put(document(key("id"), "body"));

    assertThat(find(key("id"))).contains("body");
    assertThat(find(key("ID"))).isEmpty();
    assertThat(find(new DocumentKey(OTHER_KIND, TENANT, "id"))).isEmpty();
    assertThat(find(new DocumentKey(KIND, OTHER_TENANT, "id"))).isEmpty();
  }

  @Test
  void sizeCountsCharactersOfBody() {
    put(document(key("id"), "body"));

    assertThat(storage.<Long>read(snapshot -> snapshot.size(key("id")))).isEqualTo(4);
    assertThat(storage.<Long>read(snapshot -> snapshot.size(key("absent")))).isZero();
  }

  @Test
  void smallestAndLargestDocumentsRoundTrip() {
    for (String body : List.of("", "\"\\'%_\n", "\uD83D\uDD10é", "x".repeat(3 << 20))) {
      DocumentKey longest =
          new DocumentKey("k".repeat(20), TENANT, "\uD83D\uDD10\"\\'%_".repeat(25));
      String term = "\uD83D\uDD10 \"\\'%_".repeat(25);
      put(document(longest, body, term));

      assertThat(find(longest)).contains(body);
      assertThat(
              scan(
                  new Selection(
                      longest.kind(), Optional.empty(), Optional.of(term), Optional.empty())))
          .containsExactly(body);
    }
  }

  @Test
  void putReplacesBodyTermsAndDueTime() {
    put(new Document(key("id"), Optional.of(DUE), Set.of("old", "kept"), "old body"));
    put(document(key("id"), "new body", "new", "kept"));

    assertThat(scan(ofKind(KIND))).containsExactly("new body");
    assertThat(scan(withTerm(Optional.of(TENANT), "old"))).isEmpty();
    assertThat(scan(withTerm(Optional.of(TENANT), "new"))).containsExactly("new body");
    assertThat(scan(withTerm(Optional.of(TENANT), "kept"))).containsExactly("new body");
    assertThat(scan(dueBy(DUE))).isEmpty();
  }

  @Test
  void deletionRemovesDocumentAndReportsWhetherItExisted() {
    put(document(key("id"), "body", "term"), document(key("other"), "other body"));

    assertThat(storage.<Boolean>write(transaction -> transaction.delete(key("id")))).isTrue();
    assertThat(storage.<Boolean>write(transaction -> transaction.delete(key("id")))).isFalse();

    assertThat(find(key("id"))).isEmpty();
    assertThat(scan(ofKind(KIND))).containsExactly("other body");
    put(document(key("id"), "without a term"));
    assertThat(scan(withTerm(Optional.empty(), "term"))).isEmpty();
  }

  @Test
  void deletionOfTenantKeepsOtherTenantsAndTheLog() {
    put(
        document(key("id"), "one", "term"),
        document(new DocumentKey(OTHER_KIND, TENANT, "id"), "two"),
        document(new DocumentKey(KIND, OTHER_TENANT, "id"), "three", "term"));
    write(transaction -> transaction.append(List.of(entry(TENANT, "stays"))));

    write(transaction -> transaction.deleteAll(TENANT));

    assertThat(scan(ofKind(KIND))).containsExactly("three");
    assertThat(scan(ofKind(OTHER_KIND))).isEmpty();
    assertThat(scan(withTerm(Optional.empty(), "term"))).containsExactly("three");
    assertThat(messages(TENANT)).containsExactly("stays");
  }

  @Test
  void scanSelectsByKindTenantAndTerm() {
    put(
        document(key("1"), "1", "term", "other"),
        document(key("2"), "2", "TERM"),
        document(new DocumentKey(KIND, OTHER_TENANT, "3"), "3", "term"),
        document(new DocumentKey(OTHER_KIND, TENANT, "4"), "4", "term"));

    assertThat(scan(ofKind(KIND))).containsExactlyInAnyOrder("1", "2", "3");
    assertThat(scan(ofTenant(TENANT))).containsExactlyInAnyOrder("1", "2");
    assertThat(scan(withTerm(Optional.empty(), "term"))).containsExactlyInAnyOrder("1", "3");
    assertThat(scan(withTerm(Optional.of(TENANT), "term"))).containsExactly("1");
    assertThat(scan(withTerm(Optional.of(TENANT), "ter"))).isEmpty();
  }

  @Test
  void scanReturnsDueDocumentsInOrder() {
    put(
        due("later", DUE.plusNanos(1000)),
        due("now", DUE),
        due("first", Instant.parse("0000-01-01T00:00:00Z")),
        due("last", Instant.parse("9999-12-31T23:59:59Z")),
        document(key("never"), "never"));

    assertThat(scan(dueBy(DUE))).containsExactly("first", "now");
    assertThat(scan(dueBy(DUE.plusSeconds(1)))).containsExactly("first", "now", "later");
    assertThat(scan(ofKind(KIND))).hasSize(5);
  }

  @Test
  void scansEndWhenTheVisitorReturnsFalse() {
    put(document(key("1"), "1"), document(key("2"), "2"), document(key("3"), "3"));
    write(transaction -> transaction.append(List.of(entry(TENANT, "1"), entry(TENANT, "2"))));
    List<Object> visited = new ArrayList<>();

    storage.read(
        snapshot -> {
          snapshot.scan(ofKind(KIND), each -> visited.add(each) && visited.size() < 2);
          snapshot.scanLog(
              TENANT, LogFilter.all(), Optional.empty(), each -> !visited.add(each.sequence()));
          return visited;
        });

    assertThat(visited).hasSize(3);
  }

  @Test
  void transactionReadsItsChanges() {
    put(document(key("deleted"), "deleted", "term"));

    storage.write(
        transaction -> {
          transaction.put(document(key("id"), "body", "term"));
          transaction.delete(key("deleted"));
          assertThat(transaction.find(key("id"))).contains("body");
          assertThat(transaction.find(key("deleted"))).isEmpty();
          assertThat(transaction.size(key("id"))).isEqualTo(4);
          List<String> found = new ArrayList<>();
          transaction.scan(withTerm(Optional.of(TENANT), "term"), found::add);
          assertThat(found).containsExactly("body");
          return found;
        });
  }

  @Test
  void failedWorkChangesNothing() {
    put(document(key("deleted"), "deleted", "term"), document(key("replaced"), "before", "term"));
    write(transaction -> transaction.append(List.of(entry(TENANT, "before"))));
    for (Throwable failure :
        List.of(new IllegalStateException("on purpose"), new AssertionError("on purpose"))) {
      assertThatThrownBy(
              () ->
                  write(
                      transaction -> {
                        transaction.put(document(key("replaced"), "after"));
                        transaction.put(document(key("new"), "new", "term"));
                        transaction.delete(key("deleted"));
                        transaction.append(List.of(entry(TENANT, "after")));
                        transaction.deleteAll(TENANT);
                        StorageContract.<RuntimeException>throwUnchecked(failure);
                      }))
          .isSameAs(failure);

      assertThat(scan(ofKind(KIND))).containsExactlyInAnyOrder("deleted", "before");
      assertThat(scan(withTerm(Optional.of(TENANT), "term")))
          .containsExactlyInAnyOrder("deleted", "before");
      assertThat(messages(TENANT)).containsExactly("before");
    }
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void throwUnchecked(Throwable failure) throws T {
    throw (T) failure;
  }

  /** Increments the number in a document, and appends an entry. Returns the new number. */
  private static int incrementCounter(Transaction transaction) {
    int count = Integer.parseInt(transaction.find(key("counter")).orElseThrow()) + 1;
    transaction.put(document(key("counter"), String.valueOf(count)));
    transaction.append(List.of(entry(TENANT, "counted")));
    return count;
  }

  @Test
  void concurrentChangesAreNotLostAndWorkRunsOnce() {
    put(document(key("counter"), "0"));
    AtomicInteger runs = new AtomicInteger();

    Race.run(
        i ->
            storage.write(
                transaction -> {
                  runs.incrementAndGet();
                  return incrementCounter(transaction);
                }));

    assertThat(find(key("counter"))).contains(String.valueOf(Race.RUNNERS));
    assertThat(runs).as("runs of the work of all transactions").hasValue(Race.RUNNERS);
  }

  @Test
  void snapshotsContainWholeTransactions() {
    put(document(key("counter"), "0"));

    Race.run(
        i -> {
          storage.write(StorageContract::incrementCounter);
          return storage.read(
              snapshot -> {
                int count = Integer.parseInt(snapshot.find(key("counter")).orElseThrow());
                for (int again = 0; again < 20; again++) {
                  List<RecordedEntry> entries = new ArrayList<>();
                  snapshot.scanLog(TENANT, LogFilter.all(), Optional.empty(), entries::add);
                  assertThat(entries).as("entries of the counted changes").hasSize(count);
                  assertThat(snapshot.find(key("counter"))).contains(String.valueOf(count));
                }
                return count;
              });
        });
  }

  @Test
  void entriesAreReadLatestFirst() {
    Instant before = storage.read(snapshot -> snapshot.now());
    write(
        transaction -> {
          transaction.append(List.of(entry(TENANT, "1"), entry(TENANT, "2")));
          transaction.append(List.of(entry(OTHER_TENANT, "of another tenant"), entry(TENANT, "3")));
        });

    List<RecordedEntry> log = log(TENANT, LogFilter.all(), Optional.empty());

    assertThat(messages(TENANT)).containsExactly("3", "2", "1");
    assertThat(messages(OTHER_TENANT)).containsExactly("of another tenant");
    assertThat(log.get(0).sequence()).isGreaterThan(log.get(1).sequence());
    assertThat(log)
        .allSatisfy(
            each ->
                assertThat(each.createdAt())
                    .isBetween(before, storage.read(snapshot -> snapshot.now())));
    assertThat(log(TENANT, LogFilter.all(), Optional.of(LogPosition.after(log.get(0)))))
        .isEqualTo(log.subList(1, 3));
    assertThat(log(TENANT, LogFilter.all(), Optional.of(LogPosition.after(log.get(2))))).isEmpty();
  }

  @Test
  void filterLosesNoMatchingEntry() {
    UUID actor = UUID.randomUUID();
    AuditEntry matching =
        new AuditEntry(
            TENANT,
            Actor.application(new ApplicationId(actor)),
            EntityType.PROXY,
            "matching",
            Operation.INVOKE,
            "matching",
            Optional.empty());
    write(
        transaction ->
            transaction.append(List.of(entry(TENANT, "1"), matching, entry(TENANT, "2"))));
    Instant time = log(TENANT, LogFilter.all(), Optional.empty()).get(1).createdAt();
    LogFilter filter =
        new LogFilter(
            Optional.of("proxy"),
            Optional.of("matching"),
            Optional.of(actor),
            Optional.of(Operation.INVOKE),
            Optional.of(time),
            Optional.of(time.plusNanos(1000)));

    assertThat(log(TENANT, filter, Optional.empty()))
        .extracting(RecordedEntry::entry)
        .contains(matching);
  }

  @Test
  void entriesOfAllTypesRoundTrip() {
    List<Actor> actors =
        List.of(
            Actor.anonymous(),
            Actor.system(),
            Actor.application(new ApplicationId(new UUID(1, 2))));
    List<AuditEntry> entries = new ArrayList<>();
    for (EntityType type : EntityType.all()) {
      actors.forEach(
          actor ->
              entries.add(
                  0,
                  new AuditEntry(
                      TENANT,
                      actor,
                      type,
                      "\uD83D\uDD10\"\\'%_",
                      Operation.REGENERATE,
                      "\uD83D\uDD10".repeat(AuditEntry.MAX_MESSAGE_LENGTH / 2),
                      Optional.empty())));
    }
    List<AuditEntry> inOrder = new ArrayList<>(entries);
    Collections.reverse(inOrder);
    write(transaction -> transaction.append(inOrder));

    assertThat(log(TENANT, LogFilter.all(), Optional.empty()))
        .extracting(RecordedEntry::entry)
        .isEqualTo(entries);
  }

  @Test
  void entriesCannotBeChangedOrDeleted() {
    write(transaction -> transaction.append(List.of(entry(TENANT, "entry"))));

    tamperWithLog(storage);

    assertThat(messages(TENANT)).containsExactly("entry");
  }

  @Test
  void timeIsInMicroseconds() {
    Instant now = storage.read(snapshot -> snapshot.now());

    assertThat(now.getNano() % 1000).isZero();
    assertThat(
            IntStream.range(0, 1000)
                .anyMatch(i -> storage.read(Snapshot::now).getNano() % 1_000_000 != 0))
        .as("one of 1000 times is not a whole millisecond")
        .isTrue();
  }

  @Test
  void committedChangesSurviveCrash() {
    put(document(key("id"), "body", "term"));
    write(transaction -> transaction.append(List.of(entry(TENANT, "entry"))));

    Storage crashed = storage;
    storage = reopen(crashed);
    try {
      assertThat(scan(withTerm(Optional.of(TENANT), "term"))).containsExactly("body");
      assertThat(messages(TENANT)).containsExactly("entry");
      write(transaction -> transaction.append(List.of(entry(TENANT, "after the crash"))));
      assertThat(log(TENANT, LogFilter.all(), Optional.empty()))
          .extracting(RecordedEntry::sequence)
          .as("sequence numbers, latest first")
          .isSortedAccordingTo(Comparator.reverseOrder())
          .doesNotHaveDuplicates()
          .hasSize(2);
    } finally {
      closeStorage(storage);
      storage = crashed;
    }
  }
}
