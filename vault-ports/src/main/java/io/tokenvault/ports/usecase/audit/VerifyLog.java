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
  private final Optional<Instant> withoutMacUntil;
  private final Consumer<LogFinding> findings;

  /** The number of entries of each dropped month that may still be missing. */
  private final Map<YearMonth, Long> dropped = new HashMap<>();

  private final Set<TenantId> seen = new HashSet<>();
  private boolean areAllRead;
  private ChainEnd previous;
  private boolean isPreviousKnown;
  private boolean hasMarks;

  private long entries;
  private long withoutMac;
  private long chainLinks;
  private long unchained;
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
    this.withoutMacUntil = withoutMacUntil;
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
    return new Report(entries, chainLinks, seen.size(), unchained, withoutMac, found);
  }

  private void take(LogItem item) {
    if (item instanceof LogItem.Drop drop) {
      take(drop.drop());
    } else if (item instanceof LogItem.Link link) {
      take(link);
    } else if (item instanceof LogItem.Unchained each) {
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
      dropped.merge(drop.month(), drop.entries(), Math::min);
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
    hasMarks = false;
  }

  private void checkLink(ChainLink chainLink) {
    TenantId tenant = chainLink.tenantId();
    byte[] content =
        LogEncoding.chainLink(tenant, chainLink.number(), chainLink.places(), chainLink.head());
    if (!keys.confirms(LogKeys.Use.CHAIN_LINK, content, chainLink.mac())) {
      report(LogFinding.atLink(Kind.SEAL_CHANGED, tenant, chainLink.number()));
    }
    checkpoints
        .at(tenant, chainLink.number())
        .filter(known -> !known.head().equals(chainLink.head()))
        .map(
            known ->
                LogFinding.atLink(Kind.CHECKPOINT_CONTRADICTED, tenant, chainLink.number())
                    .by(known.time()))
        .ifPresent(this::report);
  }

  private void checkEntries(LogItem.Link link) {
    ChainLink chainLink = link.chainLink();
    for (int i = 0; i < link.entries().size(); i++) {
      EntryPlace place = chainLink.places().get(i);
      Optional<StoredEntry> entry = link.entries().get(i);
      entry
          .map(this::problem)
          .orElseGet(() -> missing(chainLink.tenantId(), place))
          .ifPresent(finding -> report(finding.inLink(chainLink.number())));
    }
  }

  /**
   * Returns the finding for a chained entry that does not exist; empty if its month was dropped and
   * had that many entries, which can be counted only if those of all tenants are read.
   */
  private Optional<LogFinding> missing(TenantId tenantId, EntryPlace place) {
    YearMonth month = PartitionDrop.monthOf(place);
    if (!dropped.containsKey(month)) {
      return Optional.of(LogFinding.atPlace(Kind.ENTRY_MISSING, tenantId, place));
    }
    boolean isFirstTooMany = areAllRead && dropped.merge(month, -1L, Long::sum) == -1;
    return isFirstTooMany
        ? Optional.of(LogFinding.atPlace(Kind.DROP_CONTRADICTED, tenantId, place))
        : Optional.empty();
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
    checkpoints
        .lastAfter(end.tenantId(), end.number())
        .map(
            known ->
                LogFinding.atLink(Kind.TAIL_MISSING, end.tenantId(), end.number()).by(known.time()))
        .ifPresent(this::report);
  }

  /** Verifies an entry outside any chain. A missing MAC is judged when the entry is chained. */
  private void take(LogItem.Unchained item) {
    StoredEntry entry = item.entry();
    if (item.passed()) {
      report(LogFinding.atPlace(Kind.ENTRY_INSERTED, entry.tenantId(), entry.place()));
      return;
    }
    unchained++;
    hasMarks = false;
    problem(entry).ifPresent(this::report);
  }

  /** Verifies an entry; empty if it is as the vault wrote it. */
  private Optional<LogFinding> problem(StoredEntry entry) {
    entries++;
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

  private void report(LogFinding finding) {
    found++;
    findings.accept(finding);
  }

  /**
   * The numbers of verified items and findings.
   *
   * @param unchained entries that are not chained yet
   * @param withoutMac entries without a MAC, whether that is a finding or not
   */
  public record Report(
      long entries, long chainLinks, long tenants, long unchained, long withoutMac, long findings) {

    /** Returns whether the log is as the vault wrote it. */
    public boolean isIntact() {
      return findings == 0;
    }
  }
}
