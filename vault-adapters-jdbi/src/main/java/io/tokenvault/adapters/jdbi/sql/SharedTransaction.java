package io.tokenvault.adapters.jdbi.sql;

import java.sql.SQLException;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleCallback;

/**
 * The transaction that what a thread does through several stores belongs to, while there is one.
 * Each of them undoes its own part if it fails; the rest can go on.
 */
public final class SharedTransaction {

  private final ThreadLocal<Handle> handles = new ThreadLocal<>();
  private final ThreadLocal<Integer> parts = ThreadLocal.withInitial(() -> 0);

  /** What this thread does until it ends belongs to the transaction of the handle. */
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

  /** Empty if this thread has none. */
  public Optional<Handle> current() {
    return Optional.ofNullable(handles.get());
  }

  /** A part of it. */
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
