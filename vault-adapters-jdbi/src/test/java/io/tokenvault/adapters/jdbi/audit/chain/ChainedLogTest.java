package io.tokenvault.adapters.jdbi.audit.chain;

import static io.tokenvault.ports.usecase.audit.LogFinding.Kind.CHECKPOINT_CONTRADICTED;
import static io.tokenvault.ports.usecase.audit.LogFinding.Kind.ENTRY_CHANGED;
import static io.tokenvault.ports.usecase.audit.LogFinding.Kind.ENTRY_COPIED;
import static io.tokenvault.ports.usecase.audit.LogFinding.Kind.ENTRY_INSERTED;
import static io.tokenvault.ports.usecase.audit.LogFinding.Kind.ENTRY_MISSING;
import static io.tokenvault.ports.usecase.audit.LogFinding.Kind.ENTRY_WITHOUT_MAC;
import static io.tokenvault.ports.usecase.audit.LogFinding.Kind.SEAL_BROKEN;
import static io.tokenvault.ports.usecase.audit.LogFinding.Kind.SEAL_CHANGED;
import static io.tokenvault.ports.usecase.audit.LogFinding.Kind.SEAL_MISSING;
import static io.tokenvault.ports.usecase.audit.LogFinding.Kind.TAIL_MISSING;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.adapters.jdbi.TamperableLog;
import io.tokenvault.adapters.jdbi.TamperableLog.Findings;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings.Limits;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.usecase.audit.CheckpointedChains;
import io.tokenvault.ports.usecase.audit.LogFinding;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that verification detects and locates changes made with all rights in the database. */
final class ChainedLogTest {

  @AutoClose private static final TamperableLog LOG = new TamperableLog();
  private static final String WHERE_SECOND = " WHERE tenant_id = '%s' AND message = 'second'";

  private final TenantId tenant = LOG.chainedTenant();

  @Test
  void unchangedLogIsIntact() {
    Findings findings = LOG.verify(tenant, LOG.checkpoint());
    assertThat(findings.all()).isEmpty();
    assertThat(findings.report().isIntact()).isTrue();
    assertThat(findings.report().entries()).isEqualTo(5);
    assertThat(findings.report().chainLinks()).isEqualTo(2);
    assertThat(findings.report().unchained()).isZero();
    assertThat(findings.report().withoutMac()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "actor_id = gen_random_uuid()",
        "actor_id = NULL",
        "actor_type = 'system'",
        "actor_type = NULL",
        "entity_type = 'card'",
        "entity_id = 'other'",
        "operation = 'delete'",
        "operation = 'no such operation'",
        "message = 'other'",
        "trace_id = 'other'",
        "entry_id = gen_random_uuid()",
        "mac = '\\x00'",
        "mac_key = 7",
      })
  void changedColumnIsDetected(String change) {
    long second = sequenceOfSecond();
    LOG.tamper(tenant, "UPDATE audit_entry SET " + change + WHERE_SECOND);
    Findings findings = LOG.verify(tenant);
    assertThat(findings.kinds()).containsExactly(ENTRY_CHANGED);
    assertThat(findings.chainLinks()).containsExactly(1L);
    assertThat(findings.all().get(0).place().orElseThrow().sequence()).isEqualTo(second);
  }

  private long sequenceOfSecond() {
    return Long.parseLong(
        LOG.query(tenant, "SELECT sequence FROM audit_entry" + WHERE_SECOND).get(0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"mac = NULL", "entry_id = NULL", "mac_key = NULL"})
  void removedMacIsDetected(String change) {
    LOG.tamper(tenant, "UPDATE audit_entry SET " + change + WHERE_SECOND);
    assertThat(LOG.verify(tenant).kinds()).containsExactly(ENTRY_WITHOUT_MAC);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "created_at = created_at + interval '1 microsecond'",
        "sequence = nextval('audit_entry_sequence')",
      })
  void movedEntryIsReportedMissingAndInserted(String change) {
    long before = sequenceOfSecond();
    LOG.tamper(tenant, "UPDATE audit_entry SET " + change + WHERE_SECOND);
    Findings findings = LOG.verify(tenant);
    assertThat(findings.kinds()).containsExactly(ENTRY_MISSING, ENTRY_INSERTED);
    assertThat(findings.all().get(0).place().orElseThrow().sequence()).isEqualTo(before);
  }

  @Test
  void entryMovedToAnotherTenantIsDetectedInBoth() {
    TenantId other = LOG.chainedTenant();
    LOG.tamper(tenant, "UPDATE audit_entry SET tenant_id = '" + other + "'" + WHERE_SECOND);
    assertThat(LOG.verify(tenant).kinds()).containsExactly(ENTRY_MISSING);
    assertThat(LOG.verify(other).kinds()).containsExactly(ENTRY_INSERTED);
  }

  @Test
  void swappedEntriesAreDetected() {
    LOG.tamper(
        tenant,
        """
        WITH two AS (
          SELECT sequence, created_at, message FROM audit_entry
          WHERE tenant_id = '%s' AND message IN ('first', 'second'))
        UPDATE audit_entry SET sequence = other.sequence + 1000000, created_at = other.created_at
        FROM two AS other
        WHERE audit_entry.tenant_id = '%s' AND audit_entry.message IN ('first', 'second')
          AND other.message <> audit_entry.message
        """);
    LOG.tamper(
        tenant,
        "UPDATE audit_entry SET sequence = sequence - 1000000"
            + " WHERE tenant_id = '%s' AND sequence > 1000000");
    Findings findings = LOG.verify(tenant);
    assertThat(findings.kinds()).containsExactly(SEAL_BROKEN);
    assertThat(findings.chainLinks()).containsExactly(1L);
  }

  @Test
  void deletedEntryIsReportedMissing() {
    LOG.tamper(tenant, "DELETE FROM audit_entry" + WHERE_SECOND);
    Findings findings = LOG.verify(tenant);
    assertThat(findings.kinds()).containsExactly(ENTRY_MISSING);
    assertThat(findings.chainLinks()).containsExactly(1L);
  }

  @Test
  void entryInsertedAmongChainedOnesIsDetected() {
    LOG.tamper(
        tenant,
        """
        INSERT INTO audit_entry (tenant_id, created_at, sequence, entity_type, entity_id,
          operation, message, transaction_id)
        SELECT tenant_id, created_at, sequence - 1000000, entity_type, entity_id, operation,
               'inserted', transaction_id
        FROM audit_entry
        """
            + WHERE_SECOND);
    assertThat(LOG.verify(tenant).kinds()).containsExactly(ENTRY_INSERTED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"'9223372036854775807'::xid8", "NULL", "pg_snapshot_xmax(pg_current_snapshot())"})
  void insertedEntryIsDetectedForAnyTransaction(String transaction) {
    LOG.tamper(
        tenant,
        """
        INSERT INTO audit_entry (tenant_id, entity_type, entity_id, operation, message,
          transaction_id)
        VALUES ('%s', 'token', 'x', 'read', 'inserted',\
        """
            + transaction
            + ")");
    LOG.chainExtender.run();
    assertThat(LOG.verify(tenant).kinds()).isSubsetOf(ENTRY_INSERTED, ENTRY_WITHOUT_MAC).hasSize(1);
  }

  @Test
  void entryWithoutMacIsDetectedEvenWhenChained() {
    LOG.tamper(
        tenant,
        "INSERT INTO audit_entry (tenant_id, entity_type, entity_id, operation, message)"
            + " VALUES ('%s', 'token', 'x', 'read', 'inserted')");
    LOG.chainExtender.run();
    Findings findings = LOG.verify(tenant);
    assertThat(findings.kinds()).containsExactly(ENTRY_WITHOUT_MAC);
    assertThat(findings.chainLinks()).containsExactly(3L);
  }

  @Test
  void copiedEntryIsDetectedEvenWhenChained() {
    LOG.tamper(
        tenant,
        """
        INSERT INTO audit_entry (tenant_id, actor_id, actor_type, entity_type, entity_id,
          operation, message, entry_id, mac, mac_key)
        SELECT tenant_id, actor_id, actor_type, entity_type, entity_id, operation, message,
               entry_id, mac, mac_key
        FROM audit_entry
        """
            + WHERE_SECOND);
    LOG.chainExtender.run();
    assertThat(LOG.verify(tenant).kinds()).containsExactly(ENTRY_COPIED, ENTRY_COPIED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "head = sha256('x')",
        "mac = '\\x00'",
        "mac_key = 7",
        "sequences = ARRAY[sequences[2], sequences[1], sequences[3]]",
        "times = ARRAY[times[2], times[1], times[3]]",
        "number = 3",
      })
  void changedChainLinkIsDetected(String change) {
    LOG.tamper(
        tenant, "UPDATE audit_seal SET " + change + " WHERE tenant_id = '%s' AND number = 1");
    assertThat(LOG.verify(tenant).kinds()).contains(SEAL_CHANGED);
  }

  @Test
  void chainLinkRemovedFromMiddleIsReportedMissing() {
    LOG.tamper(tenant, "DELETE FROM audit_seal WHERE tenant_id = '%s' AND number = 1");
    Findings findings = LOG.verify(tenant);
    assertThat(findings.kinds())
        .containsExactly(SEAL_MISSING, ENTRY_INSERTED, ENTRY_INSERTED, ENTRY_INSERTED);
    assertThat(findings.chainLinks().get(0)).isEqualTo(2);
  }

  @Test
  void truncatedTailIsDetectedOnlyByCheckpoint() {
    CheckpointedChains checkpoint = LOG.checkpoint();
    removeTail();
    assertThat(LOG.verify(tenant).all()).isEmpty();
    Findings findings = LOG.verify(tenant, checkpoint);
    assertThat(findings.kinds()).containsExactly(TAIL_MISSING);
    assertThat(findings.chainLinks()).containsExactly(1L);
  }

  private void removeTail() {
    LOG.tamper(tenant, "DELETE FROM audit_seal WHERE tenant_id = '%s' AND number = 2");
    LOG.tamper(
        tenant,
        "DELETE FROM audit_entry WHERE tenant_id = '%s' AND message IN ('fourth', 'fifth')");
  }

  @Test
  void removedLogIsDetectedByCheckpoint() {
    CheckpointedChains checkpoint = LOG.checkpoint();
    LOG.tamper(tenant, "DELETE FROM audit_seal WHERE tenant_id = '%s'");
    LOG.tamper(tenant, "DELETE FROM audit_entry WHERE tenant_id = '%s'");
    assertThat(LOG.verify(tenant, checkpoint).kinds()).containsExactly(TAIL_MISSING);
  }

  @Test
  void replacedTailContradictsCheckpoint() {
    CheckpointedChains checkpoint = LOG.checkpoint();
    removeTail();
    LOG.record(tenant, "other");
    LOG.chainExtender.run();
    assertThat(LOG.verify(tenant).all()).isEmpty();
    assertThat(LOG.verify(tenant, checkpoint).kinds()).containsExactly(CHECKPOINT_CONTRADICTED);
  }

  @Test
  void unchainedEntryIsCountedWithoutFinding() {
    LOG.record(tenant, "sixth");
    Findings findings = LOG.verify(tenant);
    assertThat(findings.all()).isEmpty();
    assertThat(findings.report().unchained()).isEqualTo(1);
  }

  @Test
  void unchainedEntryIsVerifiedByItsMac() {
    LOG.record(tenant, "sixth");
    LOG.tamper(
        tenant,
        "UPDATE audit_entry SET entity_id = 'other'"
            + " WHERE tenant_id = '%s' AND message = 'sixth'");
    assertThat(LOG.verify(tenant).kinds()).containsExactly(ENTRY_CHANGED);
  }

  @Test
  void tamperedLogOfAnotherTenantIsNotReported() {
    TenantId other = Samples.tenantId();
    LOG.record(other, "second");
    LOG.chainExtender.run();
    LOG.tamper(other, "UPDATE audit_entry SET entity_id = 'x'" + WHERE_SECOND);
    assertThat(LOG.verify(tenant).all()).isEmpty();
    assertThat(LOG.verify(other).all()).extracting(LogFinding::tenantId).containsExactly(other);
  }

  @Test
  void slowReaderReceivesTheWholeLog() {
    Limits limits = new Limits(Duration.ofSeconds(5), Duration.ofSeconds(1), Duration.ofSeconds(5));
    AtomicInteger items = new AtomicInteger();
    try (JdbiStores node = LOG.database.stores(limits, 4)) {
      node.chainedLog()
          .read(
              Optional.of(tenant),
              item -> {
                if (items.incrementAndGet() == 1) {
                  LOG.query(tenant, "SELECT pg_sleep(1.5)");
                }
              });
    }
    assertThat(items).hasValue(2);
  }
}
