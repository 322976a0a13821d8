package io.tokenvault.adapters.jdbi;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.RecordedEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.LogFilter;
import io.tokenvault.ports.contract.Race;
import io.tokenvault.ports.usecase.maintenance.DeleteExpired;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests nodes that sweep at the same time, as when a leader is replaced but still runs. */
final class ConcurrentSweepTest {

  private static final int TOKENS = 1200;

  @Test
  void eachExpiredTokenGetsOneEntryFromConcurrentSweepers() {
    TestDatabase database = TestDatabase.migrated();
    try (JdbiStores stores = database.stores()) {
      TenantId tenant = TestDatabase.newTenant(stores);
      database.asOwner(
          """
          INSERT INTO token (
            tenant_id, token_id, type, containers, metadata, data, key_version, expires_at)
          SELECT '%s', 'token-' || i, 'token', '{/a/}', '{}', '\\x01', 1, now() - interval '1 min'
          FROM generate_series(1, %d) i
          """
              .formatted(tenant, TOKENS));

      List<Integer> swept = Race.run(3, node -> sweep(database));

      assertThat(swept.stream().mapToInt(Integer::intValue).sum()).isEqualTo(TOKENS);

      LogFilter tokens =
          new LogFilter(Optional.of("token"), Optional.empty(), Optional.empty(), Optional.empty());
      List<RecordedEntry> entries =
          stores.auditLog().walk(tenant, tokens, Optional.empty(), 2 * TOKENS);
      assertThat(entries)
          .extracting(RecordedEntry::entry)
          .filteredOn(entry -> entry.message().equals("Token expired"))
          .extracting(AuditEntry::entityId)
          .hasSize(TOKENS)
          .doesNotHaveDuplicates();
    }
  }

  private static int sweep(TestDatabase database) {
    try (JdbiStores stores = database.stores()) {
      return new DeleteExpired(stores.applications(), stores.tokens(), stores.requestJournal())
          .run();
    }
  }
}
