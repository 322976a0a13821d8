package io.tokenvault.ports.audit;

import io.tokenvault.domain.tenant.TenantId;
import java.util.Optional;
import java.util.function.Consumer;

/** The log with its seals, from the database or from a dump, for verifying and for exporting. */
public interface ChainedLog {

  /**
   * Gives everything, item by item: the months that were dropped; then each tenant's seals by
   * number; then the entries without a seal, and at last the copies. However long the log is, what
   * is held in memory is not more than one seal with its entries.
   *
   * @param tenant only this one's, apart from the months; empty: all tenants
   */
  void read(Optional<TenantId> tenant, Consumer<LogItem> reader);
}
