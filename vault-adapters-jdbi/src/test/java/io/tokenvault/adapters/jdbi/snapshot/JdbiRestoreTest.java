package io.tokenvault.adapters.jdbi.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.adapters.jdbi.MarkedTokens;
import io.tokenvault.adapters.jdbi.TamperableLog;
import io.tokenvault.adapters.jdbi.TestDatabase;
import io.tokenvault.adapters.jdbi.schema.Migrations;
import io.tokenvault.adapters.jdbi.stores.RestoreTerms;
import io.tokenvault.adapters.jdbi.stores.RestoreTerms.RefusedRestoreException;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.crypto.KeysetRegistry;
import io.tokenvault.ports.usecase.audit.CheckpointedChains;
import io.tokenvault.ports.usecase.audit.ExtendHashChains;
import io.tokenvault.ports.usecase.audit.LogFinding;
import io.tokenvault.ports.usecase.audit.VerifyLog;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests restoring a snapshot to another database. */
final class JdbiRestoreTest {

  @AutoClose private final TamperableLog original = new TamperableLog();
  private final TestDatabase target = TestDatabase.empty();

  private byte[] snapshot() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    original.stores.writeSnapshot(out);
    return out.toByteArray();
  }

  private void restore(byte[] snapshot, RuntimeException... failures) {
    JdbiStores.restore(
        target.settings(),
        TamperableLog.KEYS,
        new SecureRandom(),
        new ByteArrayInputStream(snapshot),
        new Terms(List.of(failures)));
  }

  /** Asserts that both databases have identical rows in a table. */
  private void assertSameRows(String table) {
    String rows = "SELECT string_agg(r::text, ';' ORDER BY r::text) FROM %s r".formatted(table);
    assertThat(target.asOwner(rows)).as(table).isEqualTo(original.database.asOwner(rows));
  }

  @Test
  void everythingIsRestoredAndTheLogContinues() {
    TenantId tenant = original.chainedTenant();
    JdbiStores from = original.stores;
    from.tenants().create(Samples.tenant(tenant), List.of());
    from.tokens().create(List.of(MarkedTokens.token(tenant, "a-token", "marker")), Samples::expiry);
    from.proxies().create(Samples.proxy(tenant), Samples.entry(tenant));
    original.database.asOwner(
        """
        WITH binding AS (
          INSERT INTO container_binding SELECT tenant_id, '/', 'one.test' FROM tenant
        ), stream AS (
          INSERT INTO audit_stream VALUES ('a stream', 1, 1)
        ), chunks_and_one_of_a_single_row AS (
          INSERT INTO compiled_module (content_hash, wrapped_key, program)
          SELECT 'hash ' || n, 'a key', convert_to(repeat('a program ', n * 5000), 'UTF8')
          FROM generate_series(1, 4) AS n
        )
        INSERT INTO keyed_request (
          tenant_id, request_id, application_id, place, content, expires_at)
        SELECT tenant_id, gen_random_uuid(), application_id, 'place', 'content', 'infinity'
        FROM application
        """);
    original.database.insertEntry(tenant, "2023-05-05T12:00:00Z", "very old");
    original.database.asOwner(
        "CREATE TRIGGER audit_entry_is_final BEFORE UPDATE OR DELETE ON audit_entry"
            + " FOR EACH ROW EXECUTE FUNCTION refuse_change()");
    original.stores.ensurePartitions();
    original.chainExtender.run();
    original.record(tenant, "not chained yet");
    restore(snapshot());
    for (String table :
        List.of(
            "tenant",
            "tenant_key",
            "container_binding",
            "credential",
            "application",
            "proxy",
            "token",
            "keyed_request",
            "audit_seal",
            "audit_stream",
            "compiled_module")) {
      assertSameRows(table);
    }
    for (String sequence : List.of("audit_entry_sequence", "audit_seal_position")) {
      String lastValue = "SELECT last_value FROM " + sequence;
      assertThat(Long.parseLong(target.asOwner(lastValue).get(0)))
          .as(sequence)
          .isGreaterThanOrEqualTo(Long.parseLong(original.database.asOwner(lastValue).get(0)));
    }
    assertThat(target.asOwner("SELECT message FROM audit_entry_2023_05"))
        .containsExactly("very old");
    try (JdbiStores stores = target.stores()) {
      stores
          .tokens()
          .create(List.of(MarkedTokens.token(tenant, "another", "marker")), Samples::expiry);
      new ExtendHashChains(stores.hashChains(), TamperableLog.KEYS).run();
      VerifyLog.Report report = verify(stores);
      assertThat(report.unchained()).isZero();
      // Inserted without a MAC.
      assertThat(report.withoutMac()).isEqualTo(1);
      assertThat(target.asOwner("SELECT message FROM audit_entry WHERE message LIKE 'Res%'"))
          .containsExactly("Restored");
    }
  }

  private static VerifyLog.Report verify(JdbiStores stores) {
    List<LogFinding> findings = new ArrayList<>();
    VerifyLog.Report report =
        new VerifyLog(
                TamperableLog.KEYS,
                new CheckpointedChains(),
                Optional.of(Instant.parse("2024-01-01T00:00:00Z")),
                findings::add)
            .run(stores.chainedLog(), Optional.empty());
    assertThat(findings).isEmpty();
    return report;
  }

  @Tag("long")
  @Test
  void failedRestoreLeavesNothingAndCanBeRepeated() {
    TenantId tenant = original.chainedTenant();
    original.stores.tenants().create(Samples.tenant(tenant), List.of());
    byte[] snapshot = snapshot();
    IllegalStateException failure = new IllegalStateException("not this one");
    assertThatThrownBy(() -> restore(snapshot, failure)).isSameAs(failure);
    assertThatThrownBy(() -> restore(Arrays.copyOf(snapshot, snapshot.length - 20)))
        .isInstanceOf(UncheckedIOException.class);
    assertThat(target.asOwner("SELECT tenant_id FROM tenant")).isEmpty();
    assertThat(target.asOwner("SELECT message FROM audit_entry")).isEmpty();
    assertThat(target.asOwner("SELECT cluster = database_cluster() FROM audit_sealer"))
        .containsExactly("t");
    restore(snapshot);
    assertThat(target.asOwner("SELECT tenant_id FROM tenant")).containsExactly(tenant.toString());
    assertThatThrownBy(() -> restore(snapshot))
        .as("into a database with content")
        .isInstanceOf(RefusedRestoreException.class)
        .hasMessageContaining("is in use");
    snapshot[3] = (byte) (Migrations.NEEDED_VERSION + 1);
    assertThatThrownBy(() -> restore(snapshot))
        .as("from a newer schema")
        .isInstanceOf(RefusedRestoreException.class)
        .hasMessageContaining("this release restores versions");
  }

  @Test
  @Tag("long")
  void truncatedSnapshotIsRejected() {
    original.chainedTenant();
    byte[] snapshot = snapshot();
    assertThatThrownBy(() -> restore(Arrays.copyOf(snapshot, snapshot.length / 2)))
        .isInstanceOf(RuntimeException.class);
    assertThat(target.asOwner("SELECT tenant_id FROM tenant")).isEmpty();
  }

  private record Terms(List<RuntimeException> failures) implements RestoreTerms {

    @Override
    public AuditEntry entry(TenantId tenant) {
      return Samples.entry(tenant, "Restored");
    }

    @Override
    public void check(KeysetRegistry registry) {
      assertThat(registry.<Boolean>exclusively(ledger -> ledger.tenantKeys() != null)).isTrue();
      failures.forEach(
          each -> {
            throw each;
          });
    }
  }
}
