package io.tokenvault.adapters.jdbi.sql;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
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

/** Runs statements, and lets nothing of the driver out. */
public final class Database {

  private static final Duration LONG = Duration.ofMinutes(10);

  private static final String MARKS = "token-vault entry marks";

  private final Jdbi jdbi;
  private final Optional<SharedTransaction> shared;

  /** One that cannot write entries of the log. */
  public Database(DataSource source) {
    shared = Optional.empty();
    jdbi = Jdbi.create(source).installPlugin(new PostgresPlugin());
    jdbi.getConfig(StatementExceptions.class).setMessageRendering(MessageRendering.NONE);
  }

  public Database(DataSource source, EntryMarks marks) {
    this(source);
    jdbi.define(MARKS, marks);
  }

  private Database(Jdbi jdbi, SharedTransaction shared) {
    this.jdbi = jdbi;
    this.shared = Optional.of(shared);
  }

  /** The same over the same connections, but that it takes part in what is shared. */
  public Database sharing(SharedTransaction transaction) {
    return new Database(jdbi, transaction);
  }

  /**
   * What marks the entries that a statement writes.
   *
   * @throws IllegalStateException if the database was given nothing: no entry is without a MAC
   */
  static EntryMarks marks(SqlStatement<?> statement) {
    if (statement.getContext().getAttribute(MARKS) instanceof EntryMarks marks) {
      return marks;
    }
    throw new IllegalStateException("no entry can be written without keys for its MAC");
  }

  /** See {@link EntryMarks}; nothing for a database that writes no entries. */
  public Optional<EntryMarks> marks() {
    return jdbi.getConfig(SqlStatements.class).getAttribute(MARKS) instanceof EntryMarks marks
        ? Optional.of(marks)
        : Optional.empty();
  }

  /** Tells every statement that is run, for counting. */
  public void observe(SqlLogger logger) {
    jdbi.setSqlLogger(logger);
  }

  /** For one statement, which commits by itself. */
  public <T> T run(Function<Handle, T> statement) {
    return translated(statement::apply);
  }

  /** For several statements, which commit together. */
  public <T> T change(Function<Handle, T> statements) {
    return translated(handle -> handle.inTransaction(statements::apply));
  }

  /** For several statements that touch as many rows as there are. */
  public <T> T longChange(Function<Handle, T> statements) {
    return change(
        handle -> {
          allowLong(handle);
          return statements.apply(handle);
        });
  }

  /** For the rest of a transaction that turns out to be a long one. The pool sets it back. */
  public static void allowLong(Handle handle) {
    try {
      handle.getConnection().setNetworkTimeout(Runnable::run, Math.toIntExact(LONG.toMillis()));
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
    handle.execute("SET LOCAL statement_timeout = " + LONG.toMillis());
  }

  /**
   * For queries with cursors, of any length, that see the same state of the database. Who takes
   * what they give may take it slowly.
   */
  public void asOfOneMoment(Consumer<Handle> queries) {
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
}
