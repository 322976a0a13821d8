package io.tokenvault.ports.usecase;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.ChainEnd;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.spi.AuditRecorder;
import io.tokenvault.ports.spi.LogItem;
import io.tokenvault.ports.spi.SealStore;
import io.tokenvault.ports.spi.SealedLog;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Copies the log with its seals out of the vault for the operator. It is recorded in the log of
 * each tenant with a chain before anything is given.
 */
public final class DumpLog {

  private final SealedLog log;
  private final SealStore seals;
  private final AuditTrail trail;

  public DumpLog(SealedLog log, SealStore seals, AuditRecorder recorder) {
    this.log = log;
    this.seals = seals;
    this.trail = new AuditTrail(recorder);
  }

  /**
   * @param tenant only this one's; empty: all
   */
  public void run(Optional<TenantId> tenant, Consumer<LogItem> sink) {
    seals.ends().chains().stream()
        .map(ChainEnd::tenantId)
        .filter(each -> tenant.map(each::equals).orElse(true))
        .forEach(this::record);
    log.read(tenant, sink);
  }

  private void record(TenantId tenant) {
    trail.record(
        List.of(
            AuditTrail.systemEntry(
                tenant, EntityType.LOG, AuditEntry.ALL_ENTITIES, Operation.READ, "Log dumped")));
  }
}
