package example.vault;

import io.tokenvault.domain.audit.Actor;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.audit.RecordedEntry;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.LogFilter;
import io.tokenvault.ports.audit.LogPosition;
import io.tokenvault.ports.store.document.Storage;
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
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Stores a vault in one SQLite file. Transactions run one at a time, and a commit waits for the
 * disk.
 */
public final class SqliteStorage implements Storage, AutoCloseable {

  private static final int SCHEMA = 3;

  private final Connection connection;
  private final InstantSource clock;
  private final Contents contents = new Contents();
  private final ReentrantLock turn = new ReentrantLock(true);

  private SqliteStorage(Connection connection, InstantSource clock) {
    this.connection = connection;
    this.clock = clock;
  }

  /** Opens or creates a file; the clock provides all times. */
  public static SqliteStorage open(Path file, InstantSource clock) {
    try {
      Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
      SqliteStorage storage = new SqliteStorage(connection, clock);
      storage.execute(schema());
      return storage;
    } catch (SQLException failed) {
      throw unavailable(failed);
    }
  }

  private static String schema() {
    try (InputStream schema = SqliteStorage.class.getResourceAsStream("schema.sql")) {
      return new String(schema.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new IllegalStateException("the schema cannot be read", unreadable);
    }
  }

  @Override
  public boolean isReady() {
    try {
      return read(unused -> query(row -> row.getInt(1), "PRAGMA user_version"))
          .equals(List.of(SCHEMA));
    } catch (RefusedException unavailable) {
      return false;
    }
  }

  @Override
  public <T> T read(Function<Snapshot, T> work) {
    return inTransaction("BEGIN", () -> work.apply(contents));
  }

  @Override
  public <T> T write(Function<Transaction, T> work) {
    return inTransaction("BEGIN IMMEDIATE", () -> work.apply(contents));
  }

  private <T> T inTransaction(String begin, Supplier<T> work) {
    turn.lock();
    try {
      execute(begin);
      try {
        T result = work.get();
        execute("COMMIT");
        return result;
      } catch (RuntimeException | Error failed) {
        rollBack();
        throw failed;
      }
    } finally {
      turn.unlock();
    }
  }

  /** Rolls back. A failure is ignored, since nothing was committed and the caller rethrows. */
  private void rollBack() {
    try {
      execute("ROLLBACK");
    } catch (RefusedException alreadyOver) {
      return;
    }
  }

  /** Reads and writes the tables in the transaction of the current thread. */
  private final class Contents implements Transaction {

    @Override
    public Instant now() {
      return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }

    @Override
    public Optional<String> find(DocumentKey key) {
      return one(row -> row.getString(1), "SELECT body", key);
    }

    @Override
    public long size(DocumentKey key) {
      return one(row -> row.getLong(1), "SELECT length(body)", key).orElse(0L);
    }

    private <T> Optional<T> one(RowReader<T> reader, String select, DocumentKey key) {
      String sql = select + " FROM document WHERE kind = ? AND tenant = ? AND id = ?";
      return query(reader, sql, key.kind(), key.tenantId().toString(), key.id()).stream()
          .findFirst();
    }

    @Override
    public void scan(Selection selection, Predicate<String> visitor) {
      StringBuilder sql = new StringBuilder("SELECT body FROM document");
      List<Object> arguments = new ArrayList<>();
      selection.term().ifPresent(term -> sql.append(" JOIN term USING (kind, tenant, id)"));
      restrict(" WHERE kind = ?", Optional.of(selection.kind()), sql, arguments);
      restrict(" AND term = ?", selection.term(), sql, arguments);
      restrict(" AND tenant = ?", selection.tenantId().map(TenantId::toString), sql, arguments);
      restrict(
          " AND due <= ? ORDER BY due",
          selection.dueBy().map(SqliteStorage::micros),
          sql,
          arguments);
      visit(row -> row.getString(1), visitor, sql.toString(), arguments.toArray());
    }

    private void restrict(
        String clause, Optional<?> argument, StringBuilder sql, List<Object> arguments) {
      argument.ifPresent(present -> sql.append(clause));
      argument.ifPresent(arguments::add);
    }

    @Override
    public void scanLog(
        TenantId tenantId,
        LogFilter filter,
        Optional<LogPosition> after,
        Predicate<RecordedEntry> visitor) {
      visit(
          SqliteStorage::entry,
          visitor,
          """
          SELECT * FROM entry WHERE tenant = ?1 AND (?2 IS NULL OR entity_id = ?2)
            AND (?3 IS NULL OR (created, sequence) < (?3, ?4))
          ORDER BY created DESC, sequence DESC
          """,
          tenantId.toString(),
          filter.entityId().orElse(null),
          after.map(LogPosition::createdAt).map(SqliteStorage::micros).orElse(null),
          after.map(LogPosition::sequence).orElse(null));
    }

    @Override
    public void put(Document document) {
      DocumentKey key = document.key();
      String tenant = key.tenantId().toString();
      Long due = document.due().map(SqliteStorage::micros).orElse(null);
      delete(key);
      String sql = "INSERT INTO document (kind, tenant, id, due, body) VALUES (?, ?, ?, ?, ?)";
      update(sql, key.kind(), tenant, key.id(), due, document.body());
      for (String term : document.terms()) {
        String index = "INSERT INTO term (kind, tenant, id, term) VALUES (?, ?, ?, ?)";
        update(index, key.kind(), tenant, key.id(), term);
      }
    }

    @Override
    public boolean delete(DocumentKey key) {
      String where = " WHERE kind = ? AND tenant = ? AND id = ?";
      String tenant = key.tenantId().toString();
      update("DELETE FROM term" + where, key.kind(), tenant, key.id());
      return update("DELETE FROM document" + where, key.kind(), tenant, key.id()) > 0;
    }

    @Override
    public void deleteAll(TenantId tenantId) {
      update("DELETE FROM term WHERE tenant = ?", tenantId.toString());
      update("DELETE FROM document WHERE tenant = ?", tenantId.toString());
    }

    @Override
    public void append(List<AuditEntry> entries) {
      long now = micros(now());
      for (AuditEntry entry : entries) {
        update(
            """
            INSERT INTO entry (tenant, created, actor_id, actor_type, entity_type, entity_id,
              operation, message, trace_id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            entry.tenantId().toString(),
            now,
            entry.actor().id().map(UUID::toString).orElse(null),
            entry.actor().type().orElse(null),
            entry.entityType().value(),
            entry.entityId(),
            entry.operation().name(),
            entry.message(),
            entry.traceId().orElse(null));
      }
    }
  }

  private static long micros(Instant time) {
    return time.getEpochSecond() * 1_000_000 + time.getNano() / 1000;
  }

  private static RecordedEntry entry(ResultSet row) throws SQLException {
    Optional<UUID> actor = Optional.ofNullable(row.getString("actor_id")).map(UUID::fromString);
    AuditEntry entry =
        new AuditEntry(
            new TenantId(UUID.fromString(row.getString("tenant"))),
            new Actor(actor, Optional.ofNullable(row.getString("actor_type"))),
            entityType(row.getString("entity_type")),
            row.getString("entity_id"),
            Operation.valueOf(row.getString("operation")),
            row.getString("message"),
            Optional.ofNullable(row.getString("trace_id")));
    Instant created = Instant.EPOCH.plus(row.getLong("created"), ChronoUnit.MICROS);
    return new RecordedEntry(entry, created, row.getLong("sequence"));
  }

  private static EntityType entityType(String value) {
    return EntityType.all().stream()
        .filter(type -> type.value().equals(value))
        .findFirst()
        .orElseGet(() -> new EntityType(value, value));
  }

  /** Reads a row. */
  interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  <T> List<T> query(RowReader<T> reader, String sql, Object... arguments) {
    List<T> found = new ArrayList<>();
    visit(reader, found::add, sql, arguments);
    return found;
  }

  private <T> void visit(
      RowReader<T> reader, Predicate<T> visitor, String sql, Object... arguments) {
    try (PreparedStatement statement = prepare(sql, arguments);
        ResultSet rows = statement.executeQuery()) {
      boolean goesOn = true;
      while (goesOn && rows.next()) {
        goesOn = visitor.test(reader.read(rows));
      }
    } catch (SQLException failed) {
      throw unavailable(failed);
    }
  }

  /** Executes an update and returns the number of rows. */
  int update(String sql, Object... arguments) {
    try (PreparedStatement statement = prepare(sql, arguments)) {
      return statement.executeUpdate();
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

  private void execute(String sql) {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    } catch (SQLException failed) {
      throw unavailable(failed);
    }
  }

  /** Returns a failure with the error code only: messages of SQLite may contain values. */
  private static RefusedException unavailable(SQLException failed) {
    return RefusedException.unavailable(
        new SQLException("SQLite error " + failed.getErrorCode(), failed.getSQLState()));
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
