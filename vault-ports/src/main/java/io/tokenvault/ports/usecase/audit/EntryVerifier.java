package io.tokenvault.ports.usecase.audit;

import io.tokenvault.domain.audit.integrity.EntryMark;
import io.tokenvault.domain.audit.integrity.LogEncoding;
import io.tokenvault.domain.audit.integrity.StoredEntry;
import io.tokenvault.ports.crypto.LogKeys;
import io.tokenvault.ports.usecase.audit.LogFinding.Kind;
import java.time.Instant;
import java.util.Optional;

/** Verifies the MACs of log entries one by one, in the order of their chain, and counts them. */
final class EntryVerifier {

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
