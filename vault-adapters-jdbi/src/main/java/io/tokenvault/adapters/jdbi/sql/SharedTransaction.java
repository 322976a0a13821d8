package io.tokenvault.adapters.jdbi.sql;

import java.sql.SQLException;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleCallback;

/**
 * A transaction that several stores share while a thread performs one operation, such as a request
 * with an idempotency key.
 *
 * <p>Each call of a store is a part with its own savepoint: a part that fails is undone alone, and
 * the operation may continue. The transaction belongs to the thread; others are not affected.
 */
public final class SharedTransaction {

  private final ThreadLocal<Handle> handles = new ThreadLocal<>();
  private final ThreadLocal<Integer> parts = ThreadLocal.withInitial(() -> 0);

  /**
   * Runs work whose calls of stores, on this thread, belong to the transaction of the handle.
   *
   * @throws IllegalStateException if the thread has a shared transaction already
   */
  public <T> T within(Handle handle, HandleCallback<T, RuntimeException> work) {
    if (handles.get() != null) {
      throw new IllegalStateException("a transaction is shared once");
    }
    handles.set(handle);
    try {
      return work.withHandle(handle);
    } finally {
      handles.remove();
      parts.remove();
    }
  }

  /** Returns the handle of this thread's shared transaction, if there is one. */
  public Optional<Handle> current() {
    return Optional.ofNullable(handles.get());
  }

  /** Runs one part behind a savepoint, and rolls back to it if the part fails. */
  <T> T part(Handle handle, HandleCallback<T, SQLException> work) throws SQLException {
    String name = "part_" + parts.get();
    parts.set(parts.get() + 1);
    handle.savepoint(name);
    try {
      T result = work.withHandle(handle);
      handle.releaseSavepoint(name);
      return result;
    } catch (SQLException | RuntimeException | Error failed) {
      handle.rollbackToSavepoint(name);
      throw failed;
    }
  }
}
