package example.vault;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.VaultStores;
import io.tokenvault.ports.contract.StoreFixture;
import io.tokenvault.ports.store.document.DocumentStores;
import io.tokenvault.server.json.JacksonJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Provides the contract suites with stores in a new file and with ways to break them. */
final class SqliteFixture implements StoreFixture {

  private static final Path EMPTY = makeEmptyFile();

  private final Path directory;
  private final List<SqliteStorage> crashed = new ArrayList<>();
  private SqliteStorage storage;
  private DocumentStores stores;
  private volatile Duration ahead = Duration.ZERO;

  private SqliteFixture(Path directory) throws IOException {
    this.directory = directory;
    Files.copy(EMPTY, file());
    openFile();
  }

  private void openFile() {
    this.storage = SqliteStorage.open(file(), () -> Instant.now().plus(ahead));
    storage.update("PRAGMA synchronous = OFF");
    this.stores = new DocumentStores(storage, new JacksonJson());
  }

  /** Creates a file with all tables, which each fixture copies. */
  private static Path makeEmptyFile() {
    try {
      Path file = Files.createTempDirectory(Path.of("target"), "vault").resolve("vault.db");
      SqliteStorage.open(file, InstantSource.system()).close();
      return file;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  static SqliteFixture open() {
    try {
      return new SqliteFixture(Files.createTempDirectory(Path.of("target"), "vault"));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private Path file() {
    return directory.resolve("vault.db");
  }

  @Override
  public VaultStores stores() {
    return stores;
  }

  @Override
  public void breakConnection() {
    storage.close();
  }

  @Override
  public void refuseEntries() {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TRIGGER refused BEFORE INSERT ON entry"
              + " BEGIN SELECT RAISE(ABORT, 'no entry can be written'); END");
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  @Override
  public void crash() {
    crashed.add(storage);
    openFile();
  }

  @Override
  public void tryToChangeAnEntry() {
    for (String change : List.of("UPDATE entry SET message = 'changed'", "DELETE FROM entry")) {
      assertThatThrownBy(() -> storage.update(change)).isInstanceOf(RefusedException.class);
    }
  }

  @Override
  public void putClockForward(Instant moment) {
    Duration missing = Duration.between(Instant.now(), moment);
    ahead = missing.compareTo(ahead) > 0 ? missing : ahead;
  }

  @Override
  public void close() {
    storage.close();
    crashed.forEach(SqliteStorage::close);
    try (var files = Files.list(directory)) {
      for (Path each : files.toList()) {
        Files.delete(each);
      }
      Files.delete(directory);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
