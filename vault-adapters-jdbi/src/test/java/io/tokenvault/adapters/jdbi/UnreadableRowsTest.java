package io.tokenvault.adapters.jdbi;

import static io.tokenvault.ports.usecase.audit.LogFinding.Kind.ENTRY_CHANGED;
import static io.tokenvault.ports.usecase.audit.LogFinding.Kind.ENTRY_INSERTED;
import static io.tokenvault.ports.usecase.audit.LogFinding.Kind.ENTRY_MISSING;
import static io.tokenvault.ports.usecase.audit.LogFinding.Kind.ENTRY_WITHOUT_MAC;
import static io.tokenvault.ports.usecase.audit.LogFinding.Kind.SEAL_CHANGED;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.adapters.jdbi.TamperableLog.Findings;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.audit.RecordedEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.FeedPosition;
import io.tokenvault.ports.audit.LogFeed;
import io.tokenvault.ports.audit.LogFilter;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.usecase.audit.ExtendHashChains;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that rows written without the schema's checks do not prevent reading others. */
final class UnreadableRowsTest {

  @AutoClose private static final TamperableLog LOG = new TamperableLog();
  private static final String INSERT_ENTRY =
      "INSERT INTO audit_entry (tenant_id, created_at, sequence, entity_type, entity_id, operation,"
          + " message) VALUES ('%s', ";
  private static final String WHERE_SECOND = " WHERE tenant_id = '%s' AND message = 'second'";
  private static final String INSERT_LINK =
      "INSERT INTO audit_seal (tenant_id, number, times, sequences, head, mac, mac_key) VALUES"
          + " ('%s', ";

  private final TenantId tenant = LOG.chainedTenant();

  @BeforeAll
  static void dropChecks() {
    for (String check : List.of("usual_times", "names_all", "head")) {
      LOG.database.asOwner("ALTER TABLE audit_seal DROP CONSTRAINT IF EXISTS audit_seal_" + check);
    }
    LOG.database.asOwner(
        "ALTER TABLE audit_entry DROP CONSTRAINT IF EXISTS audit_entry_usual_time");
    for (String column : List.of("entity_type", "entity_id", "operation", "message")) {
      LOG.database.asOwner("ALTER TABLE audit_entry ALTER " + column + " DROP NOT NULL");
    }
    for (String column : List.of("head", "mac", "mac_key")) {
      LOG.database.asOwner("ALTER TABLE audit_seal ALTER " + column + " DROP NOT NULL");
    }
  }

  private void changeAnotherEntry() {
    LOG.tamper(
        tenant,
        "UPDATE audit_entry SET entity_id = 'x' WHERE tenant_id = '%s' AND message = 'fifth'");
  }

  private void assertChainContinues() {
    TenantId other = Samples.tenantId();
    LOG.record(other, "of another tenant");
    LOG.chainExtender.run();
    Findings findings = LOG.verify(other);
    assertThat(findings.all()).isEmpty();
    assertThat(findings.report().chainLinks()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "infinity",
        "-infinity",
        "294276-12-31 23:59:59.999999+00",
        "4713-01-01 00:00+00 BC"
      })
  void entryMovedOutsideTimeRangeIsReportedWithOtherFindings(String time) {
    LOG.tamper(tenant, "UPDATE audit_entry SET created_at = '" + time + "'" + WHERE_SECOND);
    changeAnotherEntry();
    assertThat(LOG.verify(tenant).kinds())
        .containsExactly(ENTRY_MISSING, ENTRY_CHANGED, ENTRY_INSERTED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"entity_type", "entity_id", "operation", "message"})
  void emptiedEntryIsReportedWithOtherFindings(String column) {
    changeAnotherEntry();
    LOG.tamper(tenant, "UPDATE audit_entry SET " + column + " = NULL" + WHERE_SECOND);
    assertThat(LOG.verify(tenant).kinds()).containsExactly(ENTRY_CHANGED, ENTRY_CHANGED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "times[1] = 'infinity'",
        "times[1] = '294276-12-31'",
        "times[1] = NULL",
        "sequences[1] = NULL",
        "times = ARRAY[NULL, NULL, NULL]::timestamptz[]",
        "head = NULL",
        "mac = NULL",
        "mac_key = NULL",
      })
  void unreadableChainLinkIsReportedWithOtherFindings(String change) {
    LOG.tamper(
        tenant, "UPDATE audit_seal SET " + change + " WHERE tenant_id = '%s' AND number = 1");
    changeAnotherEntry();
    assertThat(LOG.verify(tenant).kinds()).startsWith(SEAL_CHANGED).contains(ENTRY_CHANGED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'infinity', 7",
        "'-infinity', 7",
        "'294276-12-31', 9223372036854775807",
        "'4713-01-01 00:00+00 BC', -9223372036854775808",
      })
  void chainSkipsEntryOutsideTimeRangeAndVerificationReportsIt(String place) {
    LOG.tamper(tenant, INSERT_ENTRY + place + ", 'token', 'x', 'create', 'fake')");
    // A sequence that every version tries to chain.
    LOG.tamper(tenant, "UPDATE audit_entry SET sequence = 1000000007 WHERE message = 'fake'");
    assertChainContinues();
    assertThat(LOG.verify(tenant).kinds()).containsExactly(ENTRY_INSERTED);
    assertThat(listedMessages()).doesNotContain("fake").hasSize(5);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "9223372036854775807, array[now()], array[5], sha256(''), '\\x00', 1)",
        "3, array[NULL]::timestamptz[], array[NULL]::bigint[], sha256(''), '\\x00', 1)",
        "3, array[now()], array[5], '\\x00', '\\x00', 1)",
      })
  void forgedChainLinkDoesNotBlockChainingOfOtherTenants(String chainLink) {
    LOG.tamper(tenant, INSERT_LINK + chainLink);
    LOG.record(tenant, "after it");
    assertChainContinues();
    assertThat(LOG.verify(tenant).kinds()).contains(SEAL_CHANGED);
    assertThat(LOG.stores.hashChains().ends().chains()).isNotEmpty();
  }

  @Test
  void entryOfExhaustedChainIsNotCountedAsChained() {
    LOG.tamper(
        tenant,
        INSERT_LINK + "9223372036854775807, array[now()], array[5], sha256(''), '\\x00', 1)");
    LOG.record(tenant, "after it");
    LOG.chainExtender.run();
    assertThat(LOG.verify(tenant).kinds()).endsWith(ENTRY_INSERTED);
  }

  @Test
  void entriesWithUnknownValuesAreListedAndStreamed() {
    LOG.tamper(
        tenant, INSERT_ENTRY + "now(), 1000000009, 'none', 'x', 'none', repeat('long', 1000))");
    LOG.tamper(tenant, INSERT_ENTRY + "now(), 1000000010, NULL, NULL, NULL, NULL)");
    LOG.chainExtender.run();
    assertThat(listedMessages()).hasSize(7);
    assertThat(entries().subList(0, 2))
        .extracting(recorded -> recorded.entry().operation())
        .containsOnly(Operation.UNKNOWN);
    assertThat(LOG.verify(tenant).kinds()).containsExactly(ENTRY_WITHOUT_MAC, ENTRY_WITHOUT_MAC);
    LogFeed feed = LOG.stores.logFeed();
    LogFeed.Selection all =
        new LogFeed.Selection(Optional.of(tenant), Optional.empty(), Optional.empty());
    assertThat(feed.read(all, FeedPosition.START, feed.end(), 100).entries()).hasSize(7);
  }

  private List<String> listedMessages() {
    return entries().stream().map(recorded -> recorded.entry().message()).toList();
  }

  private List<RecordedEntry> entries() {
    return LOG.stores.auditLog().walk(tenant, LogFilter.all(), Optional.empty(), 100);
  }

  @Test
  void partitionsAreCreatedDespiteOutOfRangeDefaultEntries() {
    LOG.tamper(tenant, INSERT_ENTRY + "'infinity', 3, 'token', 'x', 'create', 'fake')");
    LOG.tamper(tenant, INSERT_ENTRY + "'294276-12-31', 3, 'token', 'x', 'create', 'fake')");
    LOG.stores.ensurePartitions();
    assertThat(LOG.query(tenant, "SELECT count(*) FROM audit_entry_default")).isNotEmpty();
  }

  private static int chainAtMostTwo() {
    return LOG.stores
        .hashChains()
        .extend(
            2, (entries, ends) -> ExtendHashChains.chainLinks(TamperableLog.KEYS, entries, ends))
        .orElse(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "restored_since = '-infinity', floor_sequence = (SELECT last_value FROM audit_entry_sequence)",
        "oldest_tenant = '00000000-0000-0000-0000-000000000000', oldest_time = '-infinity',"
            + " oldest_sequence = 0"
      })
  void earlierEntriesAreChainedWithoutUnreadableOnes(String pendingState) {
    LOG.tamper(
        tenant,
        """
        INSERT INTO audit_entry (tenant_id, created_at, sequence, entity_type, entity_id,
          operation, message, transaction_id)
        SELECT '%s', 'infinity', i, 'token', 'x', 'create', 'old', NULL
        FROM generate_series(1, 3) i
        """);
    LOG.database.asOwner("UPDATE audit_sealer SET " + pendingState);
    // In rounds that consist of unreadable entries only.
    int rounds = 1;
    while (chainAtMostTwo() == 2) {
      assertThat(rounds++).isLessThan(100);
    }
    assertChainContinues();
    assertThat(
            LOG.query(
                tenant, "SELECT restored_since IS NULL AND oldest_time IS NULL FROM audit_sealer"))
        .containsExactly("t");
  }
}
