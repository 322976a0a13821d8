package example.vault;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.store.Preconditions;
import java.util.List;

/** Writes entries on condition that what was decided on still holds. */
final class Recorder implements AuditRecorder {

  private final Contents contents;

  Recorder(Contents contents) {
    this.contents = contents;
  }

  @Override
  public Outcome record(List<AuditEntry> entries, Preconditions versions) {
    return contents.database.change(
        () -> {
          if (!contents.hold(versions)) {
            return Outcome.STALE;
          }
          contents.entries.add(entries);
          return Outcome.RECORDED;
        });
  }
}
