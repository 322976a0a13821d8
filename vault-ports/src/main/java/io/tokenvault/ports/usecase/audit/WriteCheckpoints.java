package io.tokenvault.ports.usecase.audit;

import io.tokenvault.domain.audit.integrity.ChainEnd;
import io.tokenvault.domain.audit.integrity.Checkpoint;
import io.tokenvault.domain.audit.integrity.LogEncoding;
import io.tokenvault.domain.audit.integrity.LogHash;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.CheckpointSink;
import io.tokenvault.ports.audit.HashChainStore;
import io.tokenvault.ports.crypto.CheckpointKeys;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Writes a signed checkpoint whenever a hash chain was extended. Runs of one instance are
 * serialized; each node can have its own instance.
 */
public final class WriteCheckpoints {

  private final HashChainStore store;
  private final CheckpointKeys keys;
  private final CheckpointSink sink;
  private final UUID writer;

  private final Map<TenantId, ChainEnd> written = new HashMap<>();
  private LogHash previous = LogHash.NONE;
  private long number;
  private Optional<Checkpoint> unconfirmed = Optional.empty();

  /**
   * Creates a writer of checkpoints.
   *
   * @param writer a new random id
   */
  public WriteCheckpoints(
      HashChainStore store, CheckpointKeys keys, CheckpointSink sink, UUID writer) {
    this.store = store;
    this.keys = keys;
    this.sink = sink;
    this.writer = writer;
  }

  /**
   * Writes a checkpoint of all chains that were extended since the last one, if any was.
   *
   * @throws java.io.UncheckedIOException if it cannot be written; the next run writes it again
   *     before any other
   */
  public synchronized void run() {
    // It may have been written although that failed: another one of its number would seem forged.
    unconfirmed.ifPresent(this::write);
    HashChainStore.Ends now = store.ends();
    List<ChainEnd> extended =
        now.chains().stream().filter(end -> !end.equals(written.get(end.tenantId()))).toList();
    if (!extended.isEmpty()) {
      write(signed(now, extended));
    }
  }

  private void write(Checkpoint checkpoint) {
    unconfirmed = Optional.of(checkpoint);
    sink.write(checkpoint);
    unconfirmed = Optional.empty();
    checkpoint.ends().forEach(end -> written.put(end.tenantId(), end));
    previous = checkpoint.hash();
    number = checkpoint.number();
  }

  private Checkpoint signed(HashChainStore.Ends now, List<ChainEnd> extended) {
    int tenants = now.chains().size();
    byte[] content =
        LogEncoding.checkpoint(writer, number + 1, now.time(), previous, tenants, extended);
    return new Checkpoint(
        writer, number + 1, now.time(), previous, tenants, extended, keys.sign(content));
  }
}
