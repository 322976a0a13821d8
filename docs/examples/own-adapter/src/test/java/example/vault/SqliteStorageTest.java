package example.vault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.contract.StorageContract;
import io.tokenvault.ports.store.document.Storage;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the contract suite of {@link Storage} on {@link SqliteStorage}. */
final class SqliteStorageTest extends StorageContract {

  @TempDir private Path directory;

  @Override
  protected SqliteStorage openStorage() {
    return SqliteStorage.open(directory.resolve("vault.db"), InstantSource.system());
  }

  @Override
  protected void closeStorage(Storage opened) {
    ((SqliteStorage) opened).close();
  }

  @Override
  protected Storage reopen(Storage crashed) {
    return openStorage();
  }

  @Override
  protected void tamperWithLog(Storage opened) {
    SqliteStorage storage = (SqliteStorage) opened;
    assertThatThrownBy(() -> storage.update("UPDATE entry SET message = 'nothing'"))
        .isInstanceOf(RefusedException.class);
    assertThatThrownBy(() -> storage.update("DELETE FROM entry"))
        .isInstanceOf(RefusedException.class);
  }

  @Test
  void commitsWaitForTheDisk() {
    try (SqliteStorage storage = openStorage()) {
      assertThat(storage.query(row -> row.getString(1), "PRAGMA journal_mode")).containsOnly("wal");
      assertThat(storage.query(row -> row.getInt(1), "PRAGMA synchronous")).containsOnly(2);
    }
  }
}
