package example.vault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.audit.Actor;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.audit.RecordedEntry;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.LogFilter;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks settings and triggers, which no contract suite knows. */
final class SqliteStorageTest {

  private static final TenantId TENANT = new TenantId(new UUID(0, 1));
  private static final AuditEntry ENTRY =
      new AuditEntry(
          TENANT,
          Actor.system(),
          EntityType.TENANT,
          TENANT.toString(),
          Operation.CREATE,
          "Tenant created");

  @TempDir private Path directory;
  private SqliteStorage storage;

  @BeforeEach
  void openWithOneEntry() {
    storage = SqliteStorage.open(directory.resolve("vault.db"), InstantSource.system());
    storage.write(
        transaction -> {
          transaction.append(List.of(ENTRY));
          return ENTRY;
        });
  }

  @AfterEach
  void close() {
    storage.close();
  }

  @Test
  void commitsWaitForTheDisk() {
    assertThat(storage.query(row -> row.getString(1), "PRAGMA journal_mode")).containsOnly("wal");
    assertThat(storage.query(row -> row.getInt(1), "PRAGMA synchronous")).containsOnly(2);
  }

  @Test
  void entryCannotBeChangedOrDeleted() {
    assertThatThrownBy(() -> storage.update("UPDATE entry SET message = 'nothing'"))
        .isInstanceOf(RefusedException.class);
    assertThatThrownBy(() -> storage.update("DELETE FROM entry"))
        .isInstanceOf(RefusedException.class);
    assertThat(entries()).isEqualTo(1);
  }

  @Test
  void failedTransactionChangesNothing() {
    assertThatThrownBy(
            () ->
                storage.write(
                    transaction -> {
                      transaction.append(List.of(ENTRY));
                      throw new IllegalStateException("failed");
                    }))
        .isInstanceOf(IllegalStateException.class);
    assertThat(entries()).isEqualTo(1);
  }

  private int entries() {
    List<RecordedEntry> found = new ArrayList<>();
    storage.read(
        snapshot -> {
          snapshot.scanLog(TENANT, LogFilter.all(), Optional.empty(), found::add);
          return found;
        });
    return found.size();
  }
}
