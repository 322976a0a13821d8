package io.tokenvault.ports.usecase;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.store.Preconditions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Says stale, changes something, or fails, as often as a test wants; then it records. */
public final class ScriptedRecorder implements AuditRecorder {

  private final AuditRecorder real;
  private final Deque<Runnable> before = new ArrayDeque<>();
  private int stale;
  private boolean failing;

  ScriptedRecorder(AuditRecorder real) {
    this.real = real;
  }

  public void sayStale(int times) {
    stale = times;
  }

  public void fail() {
    failing = true;
  }

  /** From now on it records. */
  public void recover() {
    failing = false;
    before.clear();
  }

  /** Something that happens just before the next record. */
  public void before(Runnable change) {
    before.add(change);
  }

  @Override
  public Outcome record(List<AuditEntry> entries, Preconditions versions) {
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
