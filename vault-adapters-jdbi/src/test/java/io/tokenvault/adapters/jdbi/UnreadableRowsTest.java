package io.tokenvault.adapters.jdbi;

import static io.tokenvault.ports.usecase.audit.LogFinding.Kind.ENTRY_CHANGED;
import static io.tokenvault.ports.usecase.audit.LogFinding.Kind.ENTRY_INSERTED;
import static io.tokenvault.ports.usecase.audit.LogFinding.Kind.ENTRY_MISSING;
import static io.tokenvault.ports.usecase.audit.LogFinding.Kind.ENTRY_WITHOUT_MAC;
import static io.tokenvault.ports.usecase.audit.LogFinding.Kind.SEAL_CHANGED;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.adapters.jdbi.ChainedTenants.Findings;
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

  @AutoClose private static final ChainedTenants TENANTS = new ChainedTenants();
  private static final String ENTRY =
      "INSERT INTO audit_entry (tenant_id, created_at, sequence, entity_type, entity_id, operation,"
          + " message) VALUES ('%s', ";
  private static final String SECOND = " WHERE tenant_id = '%s' AND message = 'second'";
  private static final String SEAL =
      "INSERT INTO audit_seal (tenant_id, number, times, sequences, head, mac, mac_key) VALUES"
          + " ('%s', ";

  private final TenantId tenant = TENANTS.tenant();

  @BeforeAll
  static void takeTheChecksAway() {
    for (String check : List.of("usual_times", "names_all", "head")) {
      TENANTS.database.asOwner(
          "ALTER TABLE audit_seal DROP CONSTRAINT IF EXISTS audit_seal_" + check);
    }
    TENANTS.database.asOwner(
        "ALTER TABLE audit_entry DROP CONSTRAINT IF EXISTS audit_entry_usual_time");
    for (String column : List.of("entity_type", "entity_id", "operation", "message")) {
      TENANTS.database.asOwner("ALTER TABLE audit_entry ALTER " + column + " DROP NOT NULL");
    }
    for (String column : List.of("head", "mac", "mac_key")) {
      TENANTS.database.asOwner("ALTER TABLE audit_seal ALTER " + column + " DROP NOT NULL");
    }
  }

  private void changeSomethingElse() {
    TENANTS.tamper(
        tenant,
        "UPDATE audit_entry SET entity_id = 'x' WHERE tenant_id = '%s' AND message = 'fifth'");
  }

  private void assertChainContinues() {
    TenantId other = Samples.tenantId();
    TENANTS.record(other, "of another tenant");
    TENANTS.sealing.run();
    Findings findings = TENANTS.verify(other);
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
  void entryMovedOutsideTimeRangeIsFoundWithAllOthers(String time) {
    TENANTS.tamper(tenant, "UPDATE audit_entry SET created_at = '" + time + "'" + SECOND);
    changeSomethingElse();
    assertThat(TENANTS.verify(tenant).kinds())
        .containsExactly(ENTRY_MISSING, ENTRY_CHANGED, ENTRY_INSERTED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"entity_type", "entity_id", "operation", "message"})
  void emptiedEntryIsFoundWithAllOthers(String column) {
    changeSomethingElse();
    TENANTS.tamper(tenant, "UPDATE audit_entry SET " + column + " = NULL" + SECOND);
    assertThat(TENANTS.verify(tenant).kinds()).containsExactly(ENTRY_CHANGED, ENTRY_CHANGED);
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
  void unreadableChainLinkIsFoundWithAllElse(String change) {
    TENANTS.tamper(
        tenant, "UPDATE audit_seal SET " + change + " WHERE tenant_id = '%s' AND number = 1");
    changeSomethingElse();
    assertThat(TENANTS.verify(tenant).kinds()).startsWith(SEAL_CHANGED).contains(ENTRY_CHANGED);
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
    TENANTS.tamper(tenant, ENTRY + place + ", 'token', 'x', 'create', 'fake')");
    // A sequence that every version tries to chain.
    TENANTS.tamper(tenant, "UPDATE audit_entry SET sequence = 1000000007 WHERE message = 'fake'");
    assertChainContinues();
    assertThat(TENANTS.verify(tenant).kinds()).containsExactly(ENTRY_INSERTED);
    assertThat(listed()).doesNotContain("fake").hasSize(5);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "9223372036854775807, array[now()], array[5], sha256(''), '\\x00', 1)",
        "3, array[NULL]::timestamptz[], array[NULL]::bigint[], sha256(''), '\\x00', 1)",
        "3, array[now()], array[5], '\\x00', '\\x00', 1)",
      })
  void forgedChainLinkDoesNotBlockChainingOfOtherTenants(String chainLink) {
    TENANTS.tamper(tenant, SEAL + chainLink);
    TENANTS.record(tenant, "after it");
    assertChainContinues();
    assertThat(TENANTS.verify(tenant).kinds()).contains(SEAL_CHANGED);
    assertThat(TENANTS.stores.hashChains().ends().chains()).isNotEmpty();
  }

  @Test
  void entryOfExhaustedChainIsNotCountedAsChained() {
    TENANTS.tamper(
        tenant, SEAL + "9223372036854775807, array[now()], array[5], sha256(''), '\\x00', 1)");
    TENANTS.record(tenant, "after it");
    TENANTS.sealing.run();
    assertThat(TENANTS.verify(tenant).kinds()).endsWith(ENTRY_INSERTED);
  }

  @Test
  void entriesWithUnknownValuesAreListedAndFed() {
    TENANTS.tamper(tenant, ENTRY + "now(), 1000000009, 'none', 'x', 'none', repeat('long', 1000))");
    TENANTS.tamper(tenant, ENTRY + "now(), 1000000010, NULL, NULL, NULL, NULL)");
    TENANTS.sealing.run();
    assertThat(listed()).hasSize(7);
    assertThat(entries().subList(0, 2))
        .extracting(recorded -> recorded.entry().operation())
        .containsOnly(Operation.UNKNOWN);
    assertThat(TENANTS.verify(tenant).kinds())
        .containsExactly(ENTRY_WITHOUT_MAC, ENTRY_WITHOUT_MAC);
    LogFeed feed = TENANTS.stores.logFeed();
    LogFeed.Selection all =
        new LogFeed.Selection(Optional.of(tenant), Optional.empty(), Optional.empty());
    assertThat(feed.read(all, FeedPosition.START, feed.end(), 100).entries()).hasSize(7);
  }

  private List<String> listed() {
    return entries().stream().map(recorded -> recorded.entry().message()).toList();
  }

  private List<RecordedEntry> entries() {
    return TENANTS.stores.auditLog().walk(tenant, LogFilter.all(), Optional.empty(), 100);
  }

  @Test
  void partitionsAreCreatedDespiteOutOfRangeDefaultEntries() {
    TENANTS.tamper(tenant, ENTRY + "'infinity', 3, 'token', 'x', 'create', 'fake')");
    TENANTS.tamper(tenant, ENTRY + "'294276-12-31', 3, 'token', 'x', 'create', 'fake')");
    TENANTS.stores.ensurePartitions();
    assertThat(TENANTS.ask(tenant, "SELECT count(*) FROM audit_entry_default")).isNotEmpty();
  }

  private static int roundOfTwo() {
    return TENANTS
        .stores
        .hashChains()
        .extend(
            2, (entries, ends) -> ExtendHashChains.chainLinks(ChainedTenants.KEYS, entries, ends))
        .orElse(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "restored_since = '-infinity', floor_sequence = (SELECT last_value FROM audit_entry_sequence)",
        "oldest_tenant = '00000000-0000-0000-0000-000000000000', oldest_time = '-infinity',"
            + " oldest_sequence = 0"
      })
  void earlierEntriesAreChainedWithoutUnreadableOnes(String wait) {
    TENANTS.tamper(
        tenant,
        """
        INSERT INTO audit_entry (tenant_id, created_at, sequence, entity_type, entity_id,
          operation, message, transaction_id)
        SELECT '%s', 'infinity', i, 'token', 'x', 'create', 'old', NULL
        FROM generate_series(1, 3) i
        """);
    TENANTS.database.asOwner("UPDATE audit_sealer SET " + wait);
    // In rounds that consist of unreadable entries only.
    int rounds = 1;
    while (roundOfTwo() == 2) {
      assertThat(rounds++).isLessThan(100);
    }
    assertChainContinues();
    assertThat(
            TENANTS.ask(
                tenant, "SELECT restored_since IS NULL AND oldest_time IS NULL FROM audit_sealer"))
        .containsExactly("t");
  }
}
