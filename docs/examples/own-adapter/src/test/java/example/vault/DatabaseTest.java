package example.vault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.audit.Actor;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.LogFilter;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the suites cannot ask of a database that they do not know. */
final class DatabaseTest {

  private static final TenantId TENANT = new TenantId(new UUID(0, 1));

  @TempDir private Path directory;
  private Database database;

  @BeforeEach
  void open() {
    database = Database.open(directory.resolve("vault.db"), InstantSource.system());
    database.change(
        () -> {
          new Entries(database).add(entry());
          return true;
        });
  }

  private static AuditEntry entry() {
    return new AuditEntry(
        TENANT,
        Actor.system(),
        EntityType.TENANT,
        TENANT.toString(),
        Operation.CREATE,
        "Tenant created");
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void commitsWaitForTheDisk() {
    assertThat(database.query(row -> row.getString(1), "PRAGMA journal_mode")).containsOnly("wal");
    assertThat(database.query(row -> row.getInt(1), "PRAGMA synchronous")).containsOnly(2);
  }

  @Test
  void entryCannotBeUpdatedOrDeleted() {
    assertThatThrownBy(() -> database.update("UPDATE entry SET message = 'nothing'"))
        .isInstanceOf(RefusedException.class);
    assertThatThrownBy(() -> database.update("DELETE FROM entry"))
        .isInstanceOf(RefusedException.class);
    assertThat(entries()).isEqualTo(1);
  }

  @Test
  void failedChangeIsRolledBack() {
    assertThatThrownBy(
            () ->
                database.change(
                    () -> {
                      new Entries(database).add(entry());
                      throw new IllegalStateException("failed");
                    }))
        .isInstanceOf(IllegalStateException.class);
    assertThat(entries()).isEqualTo(1);
  }

  private int entries() {
    return new Entries(database).walk(TENANT, LogFilter.all(), Optional.empty(), 10).size();
  }
}
