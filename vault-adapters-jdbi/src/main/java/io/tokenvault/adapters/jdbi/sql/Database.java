package io.tokenvault.adapters.jdbi.sql;

import io.tokenvault.ports.runtime.MemoryReservation;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.SqlLogger;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jdbi.v3.core.statement.StatementExceptions;
import org.jdbi.v3.core.statement.StatementExceptions.MessageRendering;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.jdbi.v3.postgres.PostgresPlugin;

/**
 * Runs statements on one pool, in a transaction where asked, and translates all failures.
 *
 * <p>Exceptions of JDBI and of the driver never leave this class: they become {@link
 * io.tokenvault.domain.failure.RefusedException} or {@link IllegalStateException} without their
 * text, see {@link SqlFailures}. Use {@link #run} for one statement and {@link #change} for
 * several. An instance is safe for use by many threads.
 */
public final class Database {

  /** Time limit of statements that touch as many rows as a table has. */
  private static final Duration LONG = Duration.ofMinutes(10);

  /** Bytes that are read without a reservation. */
  private static final long UNRESERVED_BYTES = 256 << 10;

  /** Name of the JDBI attribute that holds the {@link EntryMarks}. */
  private static final String MARKS = "token-vault entry marks";

  private final Jdbi jdbi;
  private final Optional<SharedTransaction> shared;

  /** Creates a database that cannot write audit entries. */
  public Database(DataSource source) {
    shared = Optional.empty();
    jdbi = Jdbi.create(source).installPlugin(new PostgresPlugin());
    jdbi.getConfig(StatementExceptions.class).setMessageRendering(MessageRendering.NONE);
  }

  /** Creates a database whose audit entries get ids and MACs. */
  public Database(DataSource source, EntryMarks marks) {
    this(source);
    jdbi.define(MARKS, marks);
  }

  private Database(Jdbi jdbi, SharedTransaction shared) {
    this.jdbi = jdbi;
    this.shared = Optional.of(shared);
  }

  /**
   * Returns a database over the same connections that takes part in a shared transaction: while a
   * thread has one, its statements run as a part of it.
   */
  public Database sharing(SharedTransaction transaction) {
    return new Database(jdbi, transaction);
  }

  /**
   * Returns the source of ids and MACs for the entries that a statement writes.
   *
   * @throws IllegalStateException if the database has none, since every entry needs a MAC
   */
  static EntryMarks marks(SqlStatement<?> statement) {
    if (statement.getContext().getAttribute(MARKS) instanceof EntryMarks marks) {
      return marks;
    }
    throw new IllegalStateException("no entry can be written without keys for its MAC");
  }

  /**
   * Returns the source of ids and MACs for entries; empty for a database that writes no entries.
   */
  public Optional<EntryMarks> marks() {
    return jdbi.getConfig(SqlStatements.class).getAttribute(MARKS) instanceof EntryMarks marks
        ? Optional.of(marks)
        : Optional.empty();
  }

  /** Reports every statement that runs to a logger, for counting. */
  public void observe(SqlLogger logger) {
    jdbi.setSqlLogger(logger);
  }

  /**
   * Runs one statement, which commits on its own unless the thread has a shared transaction.
   *
   * @param statement must not keep the handle
   * @throws io.tokenvault.domain.failure.RefusedException if the database is unavailable
   */
  public <T> T run(Function<Handle, T> statement) {
    return translated(statement::apply);
  }

  /**
   * Runs several statements in one transaction. It is rolled back if the function throws.
   *
   * @throws io.tokenvault.domain.failure.RefusedException if the database is unavailable
   */
  public <T> T change(Function<Handle, T> statements) {
    return translated(handle -> handle.inTransaction(statements::apply));
  }

  /**
   * Runs several statements in one transaction with a time limit of ten minutes, for statements
   * that touch as many rows as a table has.
   */
  public <T> T longChange(Function<Handle, T> statements) {
    return change(
        handle -> {
          allowLong(handle);
          return statements.apply(handle);
        });
  }

  /**
   * Raises the time limit for the rest of a transaction to ten minutes. The pool resets the limit
   * of the connection afterwards.
   */
  public static void allowLong(Handle handle) {
    try {
      handle.getConnection().setNetworkTimeout(Runnable::run, Math.toIntExact(LONG.toMillis()));
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
    handle.execute("SET LOCAL statement_timeout = " + LONG.toMillis());
  }

  /**
   * Runs read-only queries on one snapshot of the database, without a time limit. The queries may
   * use cursors, and their results may be consumed slowly.
   */
  public void useSnapshot(Consumer<Handle> queries) {
    translated(
        handle -> {
          handle.getConnection().setNetworkTimeout(Runnable::run, 0);
          handle.useTransaction(
              TransactionIsolationLevel.REPEATABLE_READ,
              transaction -> {
                transaction.execute("SET TRANSACTION READ ONLY");
                transaction.execute("SET LOCAL statement_timeout = 0");
                transaction.execute("SET LOCAL idle_in_transaction_session_timeout = 0");
                queries.accept(transaction);
              });
          return handle;
        });
  }

  /**
   * Reads data that can be large, only after memory is reserved for it: a first statement reads it
   * if it is at most 256 KiB, and otherwise only its size. A second one reads it once the
   * reservation was granted, so that a few large rows cannot exhaust the memory.
   *
   * @param reading runs the statement with a number of bytes: it returns all large columns if they
   *     have at most so many, and none of them otherwise
   * @param size returns the size of the large columns, whether they were read or not
   * @param reservation the reservation, which is increased by that size
   * @throws io.tokenvault.domain.failure.RefusedException if the memory is not available
   */
  public static <T> T readReserved(
      LongFunction<T> reading, ToLongFunction<T> size, MemoryReservation reservation) {
    long granted = UNRESERVED_BYTES;
    T read = reading.apply(granted);
    long needed = size.applyAsLong(read);
    reservation.take(needed);
    while (needed > granted) {
      granted = needed;
      read = reading.apply(granted);
      needed = size.applyAsLong(read);
      // The data may have grown between the two statements.
      reservation.take(Math.max(0, needed - granted));
    }
    return read;
  }

  /**
   * Runs work on the shared transaction's handle if the thread has one, and otherwise on a
   * connection of the pool. Translates its failures.
   */
  private <T> T translated(HandleCallback<T, SQLException> work) {
    try {
      Optional<Handle> handle = shared.flatMap(SharedTransaction::current);
      return handle.isPresent() ? shared.get().part(handle.get(), work) : jdbi.withHandle(work);
    } catch (SQLException failure) {
      throw SqlFailures.translate(new IllegalStateException(failure));
    } catch (RuntimeException failure) {
      throw SqlFailures.translate(failure);
    }
  }

  /**
   * A transaction that several stores share while a thread performs one operation, such as a
   * request with an idempotency key.
   *
   * <p>Each call of a store is a part with its own savepoint: a part that fails is undone alone,
   * and the operation may continue. The transaction belongs to the thread; others are not affected.
   */
  public static final class SharedTransaction {

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
}
