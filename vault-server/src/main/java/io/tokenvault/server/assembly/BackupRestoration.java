package io.tokenvault.server.assembly;

import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.adapters.jdbi.embedded.EmbeddedPostgres;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings;
import io.tokenvault.adapters.jdbi.stores.RestoreTerms;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.KeysetRegistry;
import io.tokenvault.ports.usecase.key.KeysetGuard;
import io.tokenvault.ports.usecase.tenant.BackupRecorder;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.config.OperatorException;
import io.tokenvault.server.crypto.CurrentKeys;
import io.tokenvault.server.files.BackupFile;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;

/**
 * Restores a backup into a database that has no content yet.
 *
 * <p>The file is verified in full before the database is touched, and once more while it is read: a
 * file that changes in between is not restored.
 */
public final class BackupRestoration {

  private BackupRestoration() {}

  /**
   * Verifies a backup file and restores it.
   *
   * @param file the backup, as {@code backup} wrote it
   * @throws IOException if the file cannot be read
   * @throws RuntimeException with a message for the operator if the file is incomplete or belongs
   *     to another keyset, or if the database has content; nothing is restored then
   */
  public static void run(Configuration configuration, SecureRandom randomness, Path file)
      throws IOException {
    CurrentKeys keys = KeysetFile.keysOfCopy(configuration);
    BackupFile backup = BackupFile.verified(file, keys);
    Optional<EmbeddedPostgres> embedded =
        Backend.embeddedIfNeeded(configuration, randomness, EmbeddedPostgres::startOrAttach);
    try (BackupFile.Content content = backup.content()) {
      DatabaseSettings settings = Backend.databaseSettings(configuration, embedded);
      JdbiStores.await(settings, Duration.ZERO);
      restore(settings, keys, randomness, content);
    } finally {
      embedded.ifPresent(EmbeddedPostgres::close);
    }
  }

  /**
   * Restores the content, and translates a refusal of the database into a message for the operator.
   */
  private static void restore(
      DatabaseSettings settings,
      CurrentKeys keys,
      SecureRandom randomness,
      BackupFile.Content content) {
    try {
      JdbiStores.restore(settings, keys, randomness, content.stream(), new Terms(keys, content));
    } catch (IllegalStateException notOurs) {
      throw new OperatorException("Nothing was restored: " + notOurs.getMessage());
    }
  }

  /**
   * The conditions of a restore: the content is the one that was verified, and its keyset decrypts
   * it.
   *
   * @param keys the keyset that the backup was verified with
   * @param content the content that is being restored
   */
  private record Terms(CurrentKeys keys, BackupFile.Content content) implements RestoreTerms {

    @Override
    public AuditEntry entry(TenantId tenant) {
      return BackupRecorder.restored(tenant);
    }

    @Override
    public void check(KeysetRegistry registry) {
      content.requireSame();
      new KeysetGuard(registry).verify(keys.masterKeys());
    }
  }
}
