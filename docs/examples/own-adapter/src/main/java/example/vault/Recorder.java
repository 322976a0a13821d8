package example.vault;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.ports.spi.AuditRecorder;
import io.tokenvault.ports.spi.Versions;
import java.util.List;

/** Writes entries on condition that what was decided on still holds. */
final class Recorder implements AuditRecorder {

  private final Contents contents;

  Recorder(Contents contents) {
    this.contents = contents;
  }

  @Override
  public Outcome record(List<AuditEntry> entries, Versions versions) {
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
