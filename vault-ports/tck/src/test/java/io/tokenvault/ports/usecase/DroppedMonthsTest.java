package io.tokenvault.ports.usecase;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.audit.EntryContent;
import io.tokenvault.domain.audit.integrity.ChainLink;
import io.tokenvault.domain.audit.integrity.EntryPlace;
import io.tokenvault.domain.audit.integrity.LogEncoding;
import io.tokenvault.domain.audit.integrity.PartitionDrop;
import io.tokenvault.domain.audit.integrity.StoredEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.LogItem;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.crypto.LogKeys;
import io.tokenvault.ports.memory.SmallLogKeys;
import io.tokenvault.ports.usecase.audit.CheckpointedChains;
import io.tokenvault.ports.usecase.audit.ExtendHashChains;
import io.tokenvault.ports.usecase.audit.LogFinding;
import io.tokenvault.ports.usecase.audit.LogFinding.Kind;
import io.tokenvault.ports.usecase.audit.VerifyLog;
import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Tests that a dropped month explains as many missing entries as it had, and no more. */
final class DroppedMonthsTest {

  private static final LogKeys KEYS = new SmallLogKeys();
  private static final Instant IN_JANUARY = Instant.parse("2024-01-15T00:00:00Z");

  private final TenantId tenant = Samples.tenantId();

  private List<LogFinding> verify(Optional<TenantId> only, LogItem... items) {
    List<LogFinding> findings = new ArrayList<>();
    var unused =
        new VerifyLog(KEYS, new CheckpointedChains(), Optional.empty(), findings::add)
            .run((scope, reader) -> List.of(items).forEach(reader), only);
    return findings;
  }

  private static LogItem january(long entries) {
    YearMonth month = YearMonth.of(2024, 1);
    byte[] content = LogEncoding.drop(month, entries, IN_JANUARY);
    return new LogItem.Drop(
        new PartitionDrop(
            month, entries, IN_JANUARY, KEYS.authenticate(LogKeys.Use.DROP, content)));
  }

  /** Returns a chain link of January whose entries are all missing. */
  private static LogItem missing(TenantId id, int entries) {
    List<StoredEntry> chained =
        LongStream.rangeClosed(1, entries).mapToObj(sequence -> entry(id, sequence)).toList();
    ChainLink chainLink = ExtendHashChains.chainLinks(KEYS, chained, Map.of()).get(0);
    return new LogItem.Link(chainLink, Collections.nCopies(entries, Optional.empty()));
  }

  private static StoredEntry entry(TenantId id, long sequence) {
    EntryContent content =
        new EntryContent(
            id, Optional.empty(), Optional.empty(), "token", "x", "read", "m", Optional.empty());
    return new StoredEntry(new EntryPlace(IN_JANUARY, sequence), content, Optional.empty());
  }

  @Test
  void missingEntriesOfDroppedMonthAreAccepted() {
    assertThat(verify(Optional.empty(), january(3), missing(tenant, 3))).isEmpty();
  }

  @Test
  void moreMissingEntriesThanDroppedMonthHadAreReported() {
    TenantId other = Samples.tenantId();
    List<LogFinding> findings =
        verify(Optional.empty(), january(3), missing(tenant, 2), missing(other, 4));
    assertThat(findings).extracting(LogFinding::kind).containsExactly(Kind.DROP_CONTRADICTED);
    assertThat(findings.get(0).tenantId()).isEqualTo(other);
    assertThat(findings.get(0).place()).hasValue(new EntryPlace(IN_JANUARY, 2));
  }

  @Test
  void missingEntriesOfSingleTenantAreNotCounted() {
    assertThat(verify(Optional.of(tenant), january(1), missing(tenant, 2))).isEmpty();
  }
}
