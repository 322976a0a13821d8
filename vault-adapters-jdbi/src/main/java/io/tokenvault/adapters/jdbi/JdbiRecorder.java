package io.tokenvault.adapters.jdbi;

import io.tokenvault.adapters.jdbi.DatabaseSettings.Limits;
import io.tokenvault.adapters.jdbi.RecordBatch.Call;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.ports.spi.AuditRecorder;
import io.tokenvault.ports.spi.Versions;
import java.util.List;

/** Writes the entries of concurrent calls together. */
final class JdbiRecorder implements AuditRecorder, AutoCloseable {

  private final Database database;
  private final WrittenBatches written = new WrittenBatches();
  private final BatchWriter<Call, Outcome> writer;

  JdbiRecorder(Database database, Limits limits) {
    this.database = database;
    this.writer = new BatchWriter<>("audit-writer", limits, this::write, Call::size);
  }

  WrittenBatches written() {
    return written;
  }

  @Override
  public Outcome record(List<AuditEntry> entries, Versions versions) {
    return writer.write(new Call(entries, versions));
  }

  @Override
  public boolean recordSoon(List<AuditEntry> entries) {
    return writer.writeSoon(new Call(entries, Versions.none(entries.get(0).tenantId())));
  }

  private List<Outcome> write(List<Call> calls) {
    List<Outcome> outcomes = database.run(new RecordBatch(calls)::write);
    written.add(calls);
    return outcomes;
  }

  /** Writes what waits, for a while. */
  @Override
  public void close() {
    writer.close();
  }
}
