package io.tokenvault.ports.memory;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.audit.HashChainStore;
import io.tokenvault.ports.audit.LogFeed;
import io.tokenvault.ports.audit.LogMonths;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.contract.audit.ChainedLogFixture;
import io.tokenvault.ports.store.Preconditions;
import io.tokenvault.ports.store.document.DocumentStores;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/** An in-memory audit log with hash chains. */
final class InMemoryChainedLogFixture implements ChainedLogFixture {

  private final MemoryStorage memory = new MemoryStorage(this::now);
  private final InMemoryChainedLog log;
  private Instant entryTime;

  /** Creates an empty log with an adapter that may violate the contract. */
  InMemoryChainedLogFixture(Function<MemoryStorage, InMemoryChainedLog> adapter) {
    this.log = adapter.apply(memory);
  }

  private Instant now() {
    return entryTime == null ? Instant.now() : entryTime;
  }

  @Override
  public AuditRecorder recorder() {
    return new DocumentStores(memory, new SmallJsonCodec()).recorder();
  }

  @Override
  public HashChainStore hashChains() {
    return log;
  }

  @Override
  public HashChainStore hashChainsOfAnotherNode() {
    return log;
  }

  @Override
  public LogFeed feed() {
    return log;
  }

  @Override
  public LogMonths months() {
    return log;
  }

  @Override
  public void plant(TenantId tenantId, Instant time, String message) {
    entryTime = time;
    recorder().record(List.of(Samples.entry(tenantId, message)), Preconditions.none(tenantId));
    entryTime = null;
  }

  @Override
  public void breakConnection() {
    memory.breakConnection();
  }

  @Override
  public void close() {
    memory.clearFaults();
  }
}
