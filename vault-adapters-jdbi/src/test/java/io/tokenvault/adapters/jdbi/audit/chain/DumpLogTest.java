package io.tokenvault.adapters.jdbi.audit.chain;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.adapters.jdbi.TamperableLog;
import io.tokenvault.adapters.jdbi.TestDatabase;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.usecase.audit.DumpLog;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tests that a dump is recorded in each tenant's log before it contains the tenant's entries. */
final class DumpLogTest {

  @AutoClose private static final TamperableLog LOG = new TamperableLog();
  private final TenantId tenant = Samples.tenantId();
  private final TenantId other = Samples.tenantId();

  private DumpLog dump() {
    return new DumpLog(LOG.stores.chainedLog(), LOG.stores.hashChains(), LOG.stores.recorder());
  }

  private List<String> messages(TenantId id) {
    return TestDatabase.messages(LOG.stores, id);
  }

  @Test
  void dumpIsRecordedForTenantWithUnchainedEntries() {
    LOG.record(tenant, "chained");
    LOG.chainExtender.run();
    LOG.record(other, "not chained");
    dump()
        .run(
            Optional.empty(),
            item -> {
              assertThat(messages(tenant)).containsExactly("Log dumped", "chained");
              assertThat(messages(other)).containsExactly("Log dumped", "not chained");
            });
    assertThat(messages(other)).hasSize(2);
  }

  @Test
  void dumpOfOneTenantIsRecordedOnlyInItsLog() {
    LOG.record(tenant, "not chained");
    LOG.record(other, "not chained");
    dump().run(Optional.of(tenant), item -> assertThat(messages(tenant)).contains("Log dumped"));
    assertThat(messages(tenant)).containsExactly("Log dumped", "not chained");
    assertThat(messages(other)).containsExactly("not chained");
  }
}
