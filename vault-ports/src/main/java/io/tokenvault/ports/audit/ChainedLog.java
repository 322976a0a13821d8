package io.tokenvault.ports.audit;

import io.tokenvault.domain.tenant.TenantId;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads the audit log with its hash chains, from the database or a dump, for verification and
 * export.
 */
public interface ChainedLog {

  /**
   * Passes every item to the reader: first the dropped months; then each tenant's chain links by
   * number; then the entries outside any chain, and last the copies. Regardless of the length of
   * the log, at most one link with its entries is in memory.
   *
   * @param tenant restricts chains and entries to one tenant, but not the months; empty for all
   *     tenants
   */
  void read(Optional<TenantId> tenant, Consumer<LogItem> reader);
}
