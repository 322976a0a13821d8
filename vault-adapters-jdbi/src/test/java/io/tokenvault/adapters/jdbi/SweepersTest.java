package io.tokenvault.adapters.jdbi;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.audit.RecordedEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.LogFilter;
import io.tokenvault.ports.usecase.maintenance.DeleteExpired;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Nodes that sweep at the same time, as when one was taken for lost and was not. */
final class SweepersTest {

  private static final int TOKENS = 1200;

  @Test
  void eachExpiredTokenGetsOneEntryFromConcurrentSweepers() throws Exception {
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

      assertThat(sweepThreeTimesAtOnce(database)).isEqualTo(TOKENS);

      List<RecordedEntry> entries =
          stores.auditLog().walk(tenant, expiries(), Optional.empty(), 2 * TOKENS);
      assertThat(
              entries.stream()
                  .filter(each -> each.entry().message().equals("Token expired"))
                  .map(each -> each.entry().entityId())
                  .collect(Collectors.toList()))
          .hasSize(TOKENS)
          .doesNotHaveDuplicates();
    }
  }

  private static LogFilter expiries() {
    return new LogFilter(
        Optional.of("token"), Optional.empty(), Optional.empty(), Optional.empty());
  }

  private static int sweepThreeTimesAtOnce(TestDatabase database) throws Exception {
    return Crowd.race(3, node -> sweep(database)).stream().mapToInt(Integer::intValue).sum();
  }

  private static int sweep(TestDatabase database) {
    try (JdbiStores stores = database.stores()) {
      return new DeleteExpired(stores.applications(), stores.tokens(), stores.requestJournal())
          .run();
    }
  }
}
