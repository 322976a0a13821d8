package io.tokenvault.ports.contract.audit;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.audit.HashChainStore;
import io.tokenvault.ports.audit.LogFeed;
import io.tokenvault.ports.audit.LogMonths;
import java.time.Instant;

/** What an adapter's author supplies to run the suites over the sealed log. */
public interface ChainedLogFixture extends AutoCloseable {

  /** What each suite asks for: an interface, so that suites can share its implementation. */
  interface Source {
    /** Entries of earlier tests may be there. */
    ChainedLogFixture openFixture();
  }

  AuditRecorder recorder();

  HashChainStore hashChains();

  /** The same log, of another process. */
  HashChainStore hashChainsOfAnotherNode();

  LogFeed feed();

  LogMonths months();

  /** Writes an entry as of a time in the past. */
  void plant(TenantId tenantId, Instant time, String message);

  /** From now on the ports cannot reach their data. {@link #close} mends it. */
  void breakConnection();

  @Override
  void close();
}
