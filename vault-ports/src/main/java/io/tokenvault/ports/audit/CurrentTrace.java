package io.tokenvault.ports.audit;

import io.tokenvault.domain.audit.AuditEntry;
import java.util.Optional;

/**
 * The trace id of the request that the current thread serves. {@code AuditTrail} puts it into the
 * entries that use cases create.
 *
 * <p>Whoever receives a request sets it, and clears it when the thread is done; a thread that works
 * for another one's request takes it over.
 */
public final class CurrentTrace {

  private static final ThreadLocal<Optional<String>> ID = ThreadLocal.withInitial(Optional::empty);

  private CurrentTrace() {}

  /** Returns the trace id; empty if the thread serves no request. */
  public static Optional<String> id() {
    return ID.get();
  }

  /**
   * Sets the trace id of this thread.
   *
   * @param id at most {@link AuditEntry#MAX_TRACE_ID_LENGTH} printable characters; empty if the
   *     request has none
   */
  public static void set(Optional<String> id) {
    ID.set(id);
  }

  /** Removes the trace id of this thread. */
  public static void clear() {
    ID.remove();
  }
}
