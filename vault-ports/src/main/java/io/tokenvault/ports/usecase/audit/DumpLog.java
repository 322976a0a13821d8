package io.tokenvault.ports.usecase.audit;

import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.audit.ChainedLog;
import io.tokenvault.ports.audit.HashChainStore;
import io.tokenvault.ports.audit.LogItem;
import io.tokenvault.ports.usecase.authorization.AuditTrail;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Copies the audit log with its hash chains out of the vault for the operator. The dump is recorded
 * in the log of each affected tenant before its first entry is copied.
 */
public final class DumpLog {

  private final ChainedLog log;
  private final HashChainStore hashChains;
  private final AuditTrail trail;

  public DumpLog(ChainedLog log, HashChainStore hashChains, AuditRecorder recorder) {
    this.log = log;
    this.hashChains = hashChains;
    this.trail = new AuditTrail(recorder);
  }

  /**
   * Passes the log to the sink item by item.
   *
   * @param tenant restricts the dump to one tenant; empty for all tenants
   */
  public void run(Optional<TenantId> tenant, Consumer<LogItem> sink) {
    Set<TenantId> recorded = new HashSet<>(hashChains.tenants());
    tenant.ifPresent(only -> recorded.removeIf(each -> !each.equals(only)));
    recorded.forEach(this::record);
    log.read(
        tenant,
        item -> {
          owner(item).filter(recorded::add).ifPresent(this::record);
          sink.accept(item);
        });
  }

  /** Returns the tenant of an item, which can have had no entries when the dump began. */
  private static Optional<TenantId> owner(LogItem item) {
    if (item instanceof LogItem.Link link) {
      return Optional.of(link.chainLink().tenantId());
    }
    return item instanceof LogItem.Unchained unchained
        ? Optional.of(unchained.entry().tenantId())
        : Optional.empty();
  }

  private void record(TenantId tenant) {
    trail.record(AuditTrail.logEntry(tenant, Operation.READ, "Log dumped"));
  }
}
