package io.tokenvault.ports.usecase;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.spi.AuditRecorder;
import io.tokenvault.ports.spi.Versions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Says stale, changes something, or fails, as often as a test wants; then it records. */
final class ScriptedRecorder implements AuditRecorder {

  private final AuditRecorder real;
  private final Deque<Runnable> before = new ArrayDeque<>();
  private int stale;
  private boolean failing;

  ScriptedRecorder(AuditRecorder real) {
    this.real = real;
  }

  void sayStale(int times) {
    stale = times;
  }

  void fail() {
    failing = true;
  }

  /** From now on it records. */
  void recover() {
    failing = false;
    before.clear();
  }

  /** Something that happens just before the next record. */
  void before(Runnable change) {
    before.add(change);
  }

  @Override
  public Outcome record(List<AuditEntry> entries, Versions versions) {
    if (!before.isEmpty()) {
      before.remove().run();
    }
    if (failing) {
      throw RefusedException.unavailable(null);
    }
    if (stale > 0) {
      stale--;
      return Outcome.STALE;
    }
    return real.record(entries, versions);
  }
}
