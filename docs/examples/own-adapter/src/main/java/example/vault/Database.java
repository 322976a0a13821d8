package example.vault;

import io.tokenvault.domain.failure.RefusedException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * One SQLite file. All work is done one after the other, each in a transaction of its own: that is
 * what makes the laws of the ports easy to keep. What has committed was written to the disk
 * (fsync), and there is one clock.
 */
final class Database implements AutoCloseable {

  private static final int SCHEMA = 1;
  private static final List<String> SETTINGS =
      List.of(
          "PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "PRAGMA busy_timeout = 10000");

  private static final Instant EARLIEST = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

  private final Connection connection;
  private final InstantSource clock;
  private final ReentrantLock turn = new ReentrantLock(true);

  private Database(Connection connection, InstantSource clock) {
    this.connection = connection;
    this.clock = clock;
  }

  /** Opens the file, or makes it. */
  static Database open(Path file, InstantSource clock) {
    try {
      Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
      Database database = new Database(connection, clock);
      SETTINGS.forEach(database::execute);
      database.execute(schema());
      database.execute("PRAGMA user_version = " + SCHEMA);
      return database;
    } catch (SQLException failed) {
      throw unavailable(failed);
    }
  }

  private static String schema() {
    try (InputStream schema = Database.class.getResourceAsStream("schema.sql")) {
      return new String(schema.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new IllegalStateException("the schema cannot be read", unreadable);
    }
  }

  /** Reads a row. */
  interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** Reads in one transaction, on a consistent snapshot. */
  <T> T read(Supplier<T> work) {
    return inTransaction("BEGIN", work);
  }

  /** Runs work in one transaction, which is committed as a whole or not at all. */
  <T> T change(Supplier<T> work) {
    return inTransaction("BEGIN IMMEDIATE", work);
  }

  private <T> T inTransaction(String begin, Supplier<T> work) {
    turn.lock();
    try {
      return turn.getHoldCount() > 1 ? work.get() : committed(begin, work);
    } finally {
      turn.unlock();
    }
  }

  private <T> T committed(String begin, Supplier<T> work) {
    execute(begin);
    boolean done = false;
    try {
      T result = work.get();
      execute("COMMIT");
      done = true;
      return result;
    } finally {
      if (!done) {
        rollBack();
      }
    }
  }

  /**
   * Rolls back. Its failure is ignored: the caller reports the first one, and nothing was
   * committed.
   */
  private void rollBack() {
    try (Statement statement = connection.createStatement()) {
      statement.execute("ROLLBACK");
    } catch (SQLException alreadyOver) {
      return;
    }
  }

  private void execute(String sql) {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    } catch (SQLException failed) {
      throw unavailable(failed);
    }
  }

  /** Executes a change and returns the number of changed rows. */
  int update(String sql, Object... arguments) {
    try (PreparedStatement statement = prepare(sql, arguments)) {
      return statement.executeUpdate();
    } catch (SQLException failed) {
      throw unavailable(failed);
    }
  }

  <T> List<T> query(RowReader<T> reader, String sql, Object... arguments) {
    try (PreparedStatement statement = prepare(sql, arguments);
        ResultSet rows = statement.executeQuery()) {
      List<T> found = new ArrayList<>();
      while (rows.next()) {
        found.add(reader.read(rows));
      }
      return found;
    } catch (SQLException failed) {
      throw unavailable(failed);
    }
  }

  private PreparedStatement prepare(String sql, Object... arguments) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int i = 0; i < arguments.length; i++) {
      statement.setObject(i + 1, arguments[i]);
    }
    return statement;
  }

  /** With the number of the error only: a message of SQLite's may repeat what was to be stored. */
  private static RefusedException unavailable(SQLException failed) {
    return RefusedException.unavailable(
        new SQLException("SQLite error " + failed.getErrorCode(), failed.getSQLState()));
  }

  /** The clock that all times come from, to the microsecond. */
  Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  boolean isOver(Optional<Instant> end) {
    return end.map(time -> !time.isAfter(now())).orElse(false);
  }

  /** As it is stored; never before the moment itself, unless that is beyond what is kept. */
  static Long micros(Instant wanted) {
    Instant moment =
        wanted.isBefore(EARLIEST) ? EARLIEST : wanted.isAfter(LATEST) ? LATEST : wanted;
    return moment.getEpochSecond() * 1_000_000 + (moment.getNano() + 999) / 1000;
  }

  static Optional<Instant> instant(ResultSet row, String column) throws SQLException {
    long micros = row.getLong(column);
    return row.wasNull()
        ? Optional.empty()
        : Optional.of(Instant.EPOCH.plus(micros, ChronoUnit.MICROS));
  }

  /** Whether the file can be read and has the schema of this version. */
  boolean isReady() {
    try {
      return read(() -> query(row -> row.getInt(1), "PRAGMA user_version")).equals(List.of(SCHEMA));
    } catch (RefusedException unavailable) {
      return false;
    }
  }

  @Override
  public void close() {
    turn.lock();
    try {
      connection.close();
    } catch (SQLException failed) {
      throw unavailable(failed);
    } finally {
      turn.unlock();
    }
  }
}
