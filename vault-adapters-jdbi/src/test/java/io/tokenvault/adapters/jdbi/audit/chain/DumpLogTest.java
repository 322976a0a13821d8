package io.tokenvault.adapters.jdbi.audit.chain;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.adapters.jdbi.ChainedTenants;
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

  @AutoClose private static final ChainedTenants TENANTS = new ChainedTenants();
  private final TenantId tenant = Samples.tenantId();
  private final TenantId other = Samples.tenantId();

  private DumpLog dump() {
    return new DumpLog(
        TENANTS.stores.chainedLog(), TENANTS.stores.hashChains(), TENANTS.stores.recorder());
  }

  private List<String> messages(TenantId id) {
    return TestDatabase.messages(TENANTS.stores, id);
  }

  @Test
  void dumpIsRecordedForTenantWithUnchainedEntries() {
    TENANTS.record(tenant, "sealed");
    TENANTS.sealing.run();
    TENANTS.record(other, "not sealed");
    dump()
        .run(
            Optional.empty(),
            item -> {
              assertThat(messages(tenant)).containsExactly("Log dumped", "sealed");
              assertThat(messages(other)).containsExactly("Log dumped", "not sealed");
            });
    assertThat(messages(other)).hasSize(2);
  }

  @Test
  void dumpOfOneTenantIsRecordedOnlyInItsLog() {
    TENANTS.record(tenant, "not sealed");
    TENANTS.record(other, "not sealed");
    dump().run(Optional.of(tenant), item -> assertThat(messages(tenant)).contains("Log dumped"));
    assertThat(messages(tenant)).containsExactly("Log dumped", "not sealed");
    assertThat(messages(other)).containsExactly("not sealed");
  }
}
