package io.tokenvault.server.tracing;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.runtime.Tracer;
import io.tokenvault.ports.store.Preconditions;
import java.util.List;

/** Shows how long requests wait until their audit entries are durable. */
record TracedRecorder(AuditRecorder recorder, Tracer tracer) implements AuditRecorder {

  @Override
  public Outcome record(List<AuditEntry> entries, Preconditions versions) {
    return tracer.trace(Tracer.RECORD, () -> recorder.record(entries, versions));
  }

  @Override
  public boolean recordSoon(List<AuditEntry> entries) {
    return recorder.recordSoon(entries);
  }
}
