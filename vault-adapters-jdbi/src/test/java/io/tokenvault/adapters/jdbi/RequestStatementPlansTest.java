package io.tokenvault.adapters.jdbi;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.contract.Eventually;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.LookupRequest;
import io.tokenvault.ports.store.LookupResult;
import io.tokenvault.ports.store.Preconditions;
import io.tokenvault.ports.store.model.NewApplication;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the plans of the statements that every request executes. */
@Timeout(180)
final class RequestStatementPlansTest {

  private static final String TABLES = "('application', 'credential', 'token', 'tenant')";

  private final TestDatabase database = TestDatabase.migrated();
  private final TenantId tenant = Samples.tenantId();
  private final NewApplication application = Samples.application(tenant);

  /** Closes the stores before reading statistics, since sessions report them when they end. */
  @Test
  void smallTablesAreNotScannedSequentially() {
    try (JdbiStores stores = database.stores()) {
      stores.tenants().create(Samples.tenant(tenant), List.of(Samples.entry(tenant)));
      stores.applications().create(application, Samples.entry(tenant));
    }
    awaitStatistics();
    database.asOwner("ANALYZE");
    long sequentialBefore = scans("seq_scan");
    long indexedBefore = scans("idx_scan");

    try (JdbiStores stores = database.stores()) {
      for (int i = 0; i < 3; i++) {
        TokenId token = new TokenId(UUID.randomUUID().toString());
        LookupRequest lookup = LookupRequest.tokens(List.of(application.keyHash()), Set.of(token));
        LookupResult found = stores.lookup().load(lookup, MemoryReservation.UNBOUNDED);
        Application caller = found.caller().orElseThrow().application();
        Preconditions versions = Preconditions.none(tenant).with(caller);
        stores.recorder().record(List.of(Samples.entry(tenant)), versions);
      }
    }
    awaitStatistics();

    assertThat(scans("seq_scan")).isEqualTo(sequentialBefore);
    assertThat(scans("idx_scan")).isGreaterThan(indexedBefore);
  }

  private void awaitStatistics() {
    String others =
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
            + " AND backend_type = 'client backend' AND pid <> pg_backend_pid()";
    Eventually.holds("other sessions end", () -> database.asOwner(others).isEmpty());
  }

  private long scans(String kind) {
    String sum = "SELECT sum(" + kind + ") FROM pg_stat_user_tables WHERE relname IN " + TABLES;
    return Long.parseLong(database.asOwner(sum).get(0));
  }
}
