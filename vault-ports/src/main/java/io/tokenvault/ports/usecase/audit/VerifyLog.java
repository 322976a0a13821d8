package io.tokenvault.ports.usecase.audit;

import io.tokenvault.domain.audit.integrity.ChainEnd;
import io.tokenvault.domain.audit.integrity.ChainLink;
import io.tokenvault.domain.audit.integrity.ChainLinkDigest;
import io.tokenvault.domain.audit.integrity.EntryMark;
import io.tokenvault.domain.audit.integrity.EntryPlace;
import io.tokenvault.domain.audit.integrity.LogEncoding;
import io.tokenvault.domain.audit.integrity.PartitionDrop;
import io.tokenvault.domain.audit.integrity.StoredEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.ChainedLog;
import io.tokenvault.ports.audit.LogItem;
import io.tokenvault.ports.crypto.LogKeys;
import io.tokenvault.ports.usecase.audit.CheckpointedChains.Known;
import io.tokenvault.ports.usecase.audit.LogFinding.Kind;
import java.time.Instant;
import java.time.YearMonth;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Detects changes to the audit log since the vault wrote it.
 *
 * <p>Verification proceeds item by item; it needs as much memory as one chain link, the dropped
 * months and the checkpoints. An instance is good for one run.
 */
public final class VerifyLog {

  private final LogKeys keys;
  private final CheckpointedChains checkpoints;
  private final EntryVerifier entries;
  private final Consumer<LogFinding> findings;

  private final DroppedMonths dropped = new DroppedMonths();
  private final Set<TenantId> seen = new HashSet<>();
  private boolean areAllRead;
  private ChainEnd previous;
  private boolean isPreviousKnown;

  private long chainLinks;
  private long loose;
  private long found;

  /**
   * Creates a verifier.
   *
   * @param withoutMacUntil when the last node of a version without MACs was stopped; later entries
   *     without a MAC are findings. Entries from before the upgrade never are.
   * @param findings receives each finding immediately
   */
  public VerifyLog(
      LogKeys keys,
      CheckpointedChains checkpoints,
      Optional<Instant> withoutMacUntil,
      Consumer<LogFinding> findings) {
    this.keys = keys;
    this.checkpoints = checkpoints;
    this.entries = new EntryVerifier(keys, withoutMacUntil);
    this.findings = findings;
  }

  /**
   * Verifies the log. Call it once.
   *
   * @param tenant restricts the run to one tenant; whether more entries of a dropped month are
   *     missing than it had is checked only for all tenants
   */
  public Report run(ChainedLog log, Optional<TenantId> tenant) {
    areAllRead = tenant.isEmpty();
    log.read(tenant, this::take);
    endChain();
    checkpoints.tenants().stream()
        .filter(each -> tenant.map(each::equals).orElse(true) && !seen.contains(each))
        .forEach(each -> endChain(ChainEnd.none(each)));
    return new Report(entries.count(), chainLinks, seen.size(), loose, entries.withoutMac(), found);
  }

  private void take(LogItem item) {
    if (item instanceof LogItem.Drop drop) {
      take(drop.drop());
    } else if (item instanceof LogItem.Link link) {
      take(link);
    } else if (item instanceof LogItem.Loose each) {
      endChain();
      take(each);
    } else if (item instanceof LogItem.Copy copy) {
      report(LogFinding.atPlace(Kind.ENTRY_COPIED, copy.tenantId(), copy.place()));
    }
  }

  /**
   * Ignores drops with an invalid MAC: a drop that the vault did not record excuses no missing
   * entry.
   */
  private void take(PartitionDrop drop) {
    byte[] content = LogEncoding.drop(drop.month(), drop.entries(), drop.droppedAt());
    if (keys.confirms(LogKeys.Use.DROP, content, drop.mac())) {
      dropped.add(drop);
    }
  }

  private void take(LogItem.Link link) {
    ChainLink chainLink = link.chainLink();
    if (previous == null || !previous.tenantId().equals(chainLink.tenantId())) {
      endChain();
      begin(chainLink.tenantId());
    }
    chainLinks++;
    if (chainLink.number() != previous.number() + 1) {
      report(LogFinding.atLink(Kind.SEAL_MISSING, chainLink.tenantId(), chainLink.number()));
      isPreviousKnown = false;
    }
    long before = found;
    checkLink(chainLink);
    checkEntries(link);
    if (found == before && isPreviousKnown) {
      checkHead(link);
    }
    previous = new ChainEnd(chainLink.tenantId(), chainLink.number(), chainLink.head());
    isPreviousKnown = true;
  }

  private void begin(TenantId tenantId) {
    seen.add(tenantId);
    previous = ChainEnd.none(tenantId);
    isPreviousKnown = true;
    entries.begin();
  }

  private void checkLink(ChainLink chainLink) {
    TenantId tenant = chainLink.tenantId();
    byte[] content =
        LogEncoding.chainLink(tenant, chainLink.number(), chainLink.places(), chainLink.head());
    if (!keys.confirms(LogKeys.Use.SEAL, content, chainLink.mac())) {
      report(LogFinding.atLink(Kind.SEAL_CHANGED, tenant, chainLink.number()));
    }
    checkpoints
        .at(tenant, chainLink.number())
        .filter(known -> !known.head().equals(chainLink.head()))
        .ifPresent(
            known ->
                report(
                    LogFinding.atLink(Kind.CHECKPOINT_CONTRADICTED, tenant, chainLink.number())
                        .by(known.time())));
  }

  private void checkEntries(LogItem.Link link) {
    ChainLink chainLink = link.chainLink();
    for (int i = 0; i < link.entries().size(); i++) {
      EntryPlace place = chainLink.places().get(i);
      Optional<StoredEntry> entry = link.entries().get(i);
      entry
          .map(entries::problem)
          .orElseGet(() -> missing(chainLink.tenantId(), place))
          .ifPresent(finding -> report(finding.inLink(chainLink.number())));
    }
  }

  private Optional<LogFinding> missing(TenantId tenantId, EntryPlace place) {
    return dropped
        .missing(place, areAllRead)
        .map(kind -> LogFinding.atPlace(kind, tenantId, place));
  }

  private void checkHead(LogItem.Link link) {
    ChainLink chainLink = link.chainLink();
    List<StoredEntry> all = link.entries().stream().flatMap(Optional::stream).toList();
    if (all.size() < chainLink.places().size()) {
      return; // The month was dropped; the link's MAC confirms the head.
    }
    ChainLinkDigest digest = new ChainLinkDigest(previous, all.size());
    all.forEach(digest::add);
    if (!digest.head().equals(chainLink.head())) {
      report(
          LogFinding.atPlace(Kind.SEAL_BROKEN, chainLink.tenantId(), chainLink.places().get(0))
              .inLink(chainLink.number()));
    }
  }

  private void endChain() {
    if (previous != null) {
      endChain(previous);
      previous = null;
    }
  }

  private void endChain(ChainEnd end) {
    Optional<Known> later = checkpoints.lastAfter(end.tenantId(), end.number());
    later.ifPresent(
        known ->
            report(
                LogFinding.atLink(Kind.TAIL_MISSING, end.tenantId(), end.number())
                    .by(known.time())));
  }

  /** Verifies an entry outside any chain. A missing MAC is judged when the entry is chained. */
  private void take(LogItem.Loose item) {
    StoredEntry entry = item.entry();
    if (item.passed()) {
      report(LogFinding.atPlace(Kind.ENTRY_INSERTED, entry.tenantId(), entry.place()));
      return;
    }
    loose++;
    entries.begin();
    entries.problem(entry).ifPresent(this::report);
  }

  private void report(LogFinding finding) {
    found++;
    findings.accept(finding);
  }

  /**
   * The numbers of verified items and findings.
   *
   * @param loose entries that are not chained yet
   * @param withoutMac entries without a MAC, whether that is a finding or not
   */
  public record Report(
      long entries, long chainLinks, long tenants, long loose, long withoutMac, long findings) {

    /** Returns whether the log is as the vault wrote it. */
    public boolean isIntact() {
      return findings == 0;
    }
  }

  /**
   * Counts the entries that may be missing: as many of a dropped month as it had when it was
   * dropped.
   */
  private static final class DroppedMonths {

    private final Map<YearMonth, Long> left = new HashMap<>();

    /**
     * Adds a drop.
     *
     * @param drop one with a valid MAC
     */
    void add(PartitionDrop drop) {
      left.merge(drop.month(), drop.entries(), Math::min);
    }

    /**
     * Classifies a chained entry that does not exist.
     *
     * @param areAllRead whether the entries of all tenants are read, so that they can be counted
     * @return empty if its month was dropped and had that many entries
     */
    Optional<Kind> missing(EntryPlace place, boolean areAllRead) {
      YearMonth month = PartitionDrop.monthOf(place);
      if (!left.containsKey(month)) {
        return Optional.of(Kind.ENTRY_MISSING);
      }
      boolean isFirstTooMany = areAllRead && left.merge(month, -1L, Long::sum) == -1;
      return isFirstTooMany ? Optional.of(Kind.DROP_CONTRADICTED) : Optional.empty();
    }
  }

  /** Verifies the MACs of log entries one by one, in the order of their chain, and counts them. */
  private static final class EntryVerifier {

    private final LogKeys keys;
    private final Optional<Instant> withoutMacUntil;
    private boolean hasMarks;
    private long count;
    private long withoutMac;

    /**
     * Creates a verifier.
     *
     * @param withoutMacUntil see {@link VerifyLog}
     */
    EntryVerifier(LogKeys keys, Optional<Instant> withoutMacUntil) {
      this.keys = keys;
      this.withoutMacUntil = withoutMacUntil;
    }

    /** Begins another chain, or entries outside any chain. */
    void begin() {
      hasMarks = false;
    }

    /** Verifies an entry; empty if it is as the vault wrote it. */
    Optional<LogFinding> problem(StoredEntry entry) {
      count++;
      if (entry.mark().isEmpty()) {
        return withoutMac(entry);
      }
      hasMarks = true;
      EntryMark mark = entry.mark().get();
      byte[] content = LogEncoding.entry(mark.entryId(), entry.content());
      return keys.confirms(LogKeys.Use.ENTRY, content, mark.mac())
          ? Optional.empty()
          : finding(Kind.ENTRY_CHANGED, entry);
    }

    /**
     * Accepts an entry without a MAC only before the first entry with one: older versions wrote no
     * MACs, and their entries were chained first.
     */
    private Optional<LogFinding> withoutMac(StoredEntry entry) {
      withoutMac++;
      boolean excused =
          !hasMarks
              || withoutMacUntil.map(end -> entry.place().createdAt().isBefore(end)).orElse(false);
      return excused ? Optional.empty() : finding(Kind.ENTRY_WITHOUT_MAC, entry);
    }

    private static Optional<LogFinding> finding(Kind kind, StoredEntry entry) {
      return Optional.of(LogFinding.atPlace(kind, entry.tenantId(), entry.place()));
    }

    long count() {
      return count;
    }

    /** Returns the number of entries without a MAC, whether that is a finding or not. */
    long withoutMac() {
      return withoutMac;
    }
  }
}
