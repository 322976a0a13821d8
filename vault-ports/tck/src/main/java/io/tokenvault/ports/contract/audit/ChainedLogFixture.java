package io.tokenvault.ports.contract.audit;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.audit.HashChainStore;
import io.tokenvault.ports.audit.LogFeed;
import io.tokenvault.ports.audit.LogMonths;
import java.time.Instant;

/** A fixture through which the suites use the chained log of an adapter. */
public interface ChainedLogFixture extends AutoCloseable {

  /** Opens fixtures. It is an interface so that suites can share an implementation. */
  interface Source {
    /** Opens a fixture. The log may contain entries of earlier tests. */
    ChainedLogFixture openFixture();
  }

  AuditRecorder recorder();

  HashChainStore hashChains();

  /** Returns the store of another process with the same log. */
  HashChainStore hashChainsOfAnotherNode();

  LogFeed feed();

  LogMonths months();

  /** Writes an entry with a time in the past. */
  void plant(TenantId tenantId, Instant time, String message);

  /** Disconnects the ports from their data until {@link #close}. */
  void breakConnection();

  @Override
  void close();
}
