package io.tokenvault.ports.memory;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntryContent;
import io.tokenvault.domain.audit.RecordedEntry;
import io.tokenvault.domain.audit.integrity.ChainEnd;
import io.tokenvault.domain.audit.integrity.ChainLink;
import io.tokenvault.domain.audit.integrity.EntryPlace;
import io.tokenvault.domain.audit.integrity.PartitionDrop;
import io.tokenvault.domain.audit.integrity.StoredEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.FeedEntry;
import io.tokenvault.ports.audit.FeedPosition;
import io.tokenvault.ports.audit.HashChainStore;
import io.tokenvault.ports.audit.LogFeed;
import io.tokenvault.ports.audit.LogMonths;
import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The hash chain, feed, and months of a log in memory without MACs, for tests. */
class InMemoryChainedLog implements HashChainStore, LogFeed, LogMonths {

  private final MemoryStorage memory;
  private final Semaphore chainLock = new Semaphore(1);
  private final List<ChainLink> chainLinks = new ArrayList<>();
  private final Map<String, FeedPosition> readers = new HashMap<>();
  private final Set<YearMonth> dropped = new HashSet<>();

  InMemoryChainedLog(MemoryStorage memory) {
    this.memory = memory;
  }

  /** A chained entry with its position in the feed. */
  private record ChainedEntry(FeedPosition position, ChainLink chainLink, EntryPlace place) {
    YearMonth month() {
      return PartitionDrop.monthOf(place);
    }
  }

  static StoredEntry stored(RecordedEntry recorded) {
    return new StoredEntry(
        new EntryPlace(recorded.createdAt(), recorded.sequence()),
        EntryContent.of(recorded.entry()),
        Optional.empty());
  }

  private Stream<StoredEntry> entries() {
    return memory.log.stream().map(InMemoryChainedLog::stored);
  }

  private List<ChainedEntry> chainedEntries() {
    List<ChainedEntry> all = new ArrayList<>();
    for (int i = 0; i < chainLinks.size(); i++) {
      ChainLink chainLink = chainLinks.get(i);
      for (int place = 1; place <= chainLink.places().size(); place++) {
        all.add(
            new ChainedEntry(
                new FeedPosition(i + 1L, place), chainLink, chainLink.places().get(place - 1)));
      }
    }
    return all;
  }

  @Override
  public OptionalInt extend(int limit, Linker work) {
    if (!chainLock.tryAcquire()) {
      return OptionalInt.empty();
    }
    try {
      List<StoredEntry> unchained = memory.read(transaction -> findUnchained(limit));
      if (!unchained.isEmpty()) {
        List<ChainLink> links = work.link(unchained, memory.read(transaction -> chains()));
        memory.write(transaction -> chainLinks.addAll(links));
      }
      return OptionalInt.of(unchained.size());
    } finally {
      chainLock.release();
    }
  }

  List<StoredEntry> findUnchained(int limit) {
    Set<EntryPlace> known =
        chainedEntries().stream().map(ChainedEntry::place).collect(Collectors.toSet());
    return entries().filter(entry -> !known.contains(entry.place())).limit(limit).toList();
  }

  private Map<TenantId, ChainEnd> chains() {
    Map<TenantId, ChainEnd> chains = new LinkedHashMap<>();
    chainLinks.forEach(
        chainLink ->
            chains.put(
                chainLink.tenantId(),
                new ChainEnd(chainLink.tenantId(), chainLink.number(), chainLink.head())));
    return chains;
  }

  @Override
  public Ends ends() {
    return memory.read(transaction -> new Ends(transaction.now(), List.copyOf(chains().values())));
  }

  @Override
  public Set<TenantId> tenants() {
    return memory.read(
        transaction ->
            Stream.concat(
                    chainLinks.stream().map(ChainLink::tenantId),
                    entries().map(StoredEntry::tenantId))
                .collect(Collectors.toSet()));
  }

  @Override
  public FeedPosition end() {
    return memory.read(transaction -> last());
  }

  private FeedPosition last() {
    List<ChainedEntry> all = chainedEntries();
    return all.isEmpty() ? FeedPosition.START : all.get(all.size() - 1).position();
  }

  @Override
  public FeedPosition before(Instant time) {
    return memory.read(
        transaction ->
            chainedEntries().stream()
                .filter(each -> !each.place().createdAt().isBefore(time))
                .map(
                    each ->
                        new FeedPosition(each.position().chainLink(), each.position().place() - 1))
                .findFirst()
                .orElseGet(this::last));
  }

  @Override
  public Batch read(Selection selection, FeedPosition after, FeedPosition last, int limit) {
    return memory.read(transaction -> batch(selection, after, last, limit));
  }

  private Batch batch(Selection selection, FeedPosition after, FeedPosition last, int limit) {
    Map<EntryPlace, StoredEntry> present =
        entries().collect(Collectors.toMap(StoredEntry::place, Function.identity()));
    List<FeedEntry> found = new ArrayList<>();
    int missing = 0;
    for (ChainedEntry each : chainedEntries()) {
      if (each.position().compareTo(after) <= 0 || each.position().compareTo(last) > 0) {
        continue;
      }
      StoredEntry entry = present.get(each.place());
      if (entry == null) {
        missing += dropped.contains(each.month()) ? 0 : 1;
      } else if (matches(selection, entry)) {
        found.add(new FeedEntry(each.position(), each.chainLink().number(), entry));
      }
      if (found.size() == limit) {
        return new Batch(found, each.position(), missing);
      }
    }
    return new Batch(found, last, missing);
  }

  private static boolean matches(Selection selection, StoredEntry entry) {
    Instant time = entry.place().createdAt();
    return selection.tenant().map(entry.tenantId()::equals).orElse(true)
        && selection.from().map(from -> !time.isBefore(from)).orElse(true)
        && selection.until().map(time::isBefore).orElse(true);
  }

  @Override
  public FeedPosition progress(String reader) {
    return memory.read(transaction -> readers.getOrDefault(reader, FeedPosition.START));
  }

  @Override
  public boolean advance(String reader, FeedPosition from, FeedPosition to) {
    return memory.write(
        transaction -> {
          boolean isCurrent = readers.getOrDefault(reader, FeedPosition.START).equals(from);
          if (isCurrent) {
            readers.put(reader, to);
          }
          return isCurrent;
        });
  }

  @Override
  public YearMonth current() {
    return memory.read(transaction -> PartitionDrop.monthOf(new EntryPlace(transaction.now(), 0)));
  }

  @Override
  public List<YearMonth> months() {
    return memory.read(
        transaction ->
            entries()
                .map(entry -> PartitionDrop.monthOf(entry.place()))
                .distinct()
                .sorted()
                .toList());
  }

  private List<StoredEntry> entriesOf(YearMonth month) {
    return entries().filter(entry -> PartitionDrop.monthOf(entry.place()).equals(month)).toList();
  }

  @Override
  public State state(YearMonth month) {
    return memory.read(
        transaction -> {
          Set<EntryPlace> present =
              entriesOf(month).stream().map(StoredEntry::place).collect(Collectors.toSet());
          List<ChainedEntry> chained =
              chainedEntries().stream().filter(each -> each.month().equals(month)).toList();
          Set<EntryPlace> places =
              chained.stream().map(ChainedEntry::place).collect(Collectors.toSet());
          return new State(
              month,
              present.size(),
              present.equals(places),
              readers.values().stream().allMatch(reader -> hasReadAll(reader, chained)));
        });
  }

  private static boolean hasReadAll(FeedPosition reader, List<ChainedEntry> chained) {
    return chained.stream()
        .map(ChainedEntry::position)
        .max(Comparator.naturalOrder())
        .map(last -> reader.compareTo(last) >= 0)
        .orElse(true);
  }

  @Override
  public long drop(YearMonth month, Drop drop, Function<TenantId, AuditEntry> entry) {
    return memory.write(
        transaction -> {
          requireDroppable(month);
          List<StoredEntry> removed = entriesOf(month);
          PartitionDrop partitionDrop = drop.of(month, removed.size(), transaction.now());
          List<AuditEntry> added =
              removed.stream().map(StoredEntry::tenantId).distinct().map(entry).toList();
          transaction.append(added);
          memory.log.removeIf(each -> PartitionDrop.monthOf(stored(each).place()).equals(month));
          dropped.add(partitionDrop.month());
          return (long) removed.size();
        });
  }

  private void requireDroppable(YearMonth month) {
    if (!month.isBefore(current())) {
      throw new RefusedDropException(month, "is not over, and is kept.");
    }
    if (!months().contains(month)) {
      throw new RefusedDropException(month, "is not a month of the log.");
    }
    if (!state(month).chained()) {
      throw new RefusedDropException(month, "does not match its hash chain, and is kept.");
    }
  }
}
