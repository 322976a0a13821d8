package io.tokenvault.adapters.jdbi.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.adapters.jdbi.TamperableLog;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntryContent;
import io.tokenvault.domain.audit.integrity.EntryMark;
import io.tokenvault.domain.audit.integrity.EntryPlace;
import io.tokenvault.domain.audit.integrity.StoredEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.memory.SmallLogKeys;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests that marked entries are taken from memory once and only for their own tenant. */
final class EntryMarksTest {

  private static final EntryPlace PLACE = new EntryPlace(Instant.EPOCH, 1);

  private final EntryMarks marks = new EntryMarks(new SmallLogKeys(), new Random(1));
  private final TenantId tenant = Samples.tenantId();
  private final AuditEntry entry = TamperableLog.entry(tenant, "written");

  @Test
  void markedEntryIsTakenOnce() {
    EntryMark mark = marks.mark(entry);
    assertThat(marks.take(mark.entryId(), tenant, PLACE))
        .contains(new StoredEntry(PLACE, EntryContent.of(entry), Optional.of(mark)));
    assertThat(marks.take(mark.entryId(), tenant, PLACE)).isEmpty();
  }

  @Test
  void entryIsNotTakenForAnotherTenant() {
    EntryMark mark = marks.mark(entry);
    assertThat(marks.take(mark.entryId(), Samples.tenantId(), PLACE)).isEmpty();
  }

  @Test
  void overwrittenEntryIsNotTaken() {
    EntryMark first = marks.mark(entry);
    for (int i = 0; i < EntryMarks.BUFFER_SIZE; i++) {
      EntryMark unused = marks.mark(entry);
    }
    assertThat(marks.take(first.entryId(), tenant, PLACE)).isEmpty();
  }
}
