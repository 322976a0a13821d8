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
import io.tokenvault.server.backup.BackupFile;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.crypto.CurrentKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;

/** Puts a backup into a database that has no content yet. */
public final class BackupRestoration {

  private final Configuration configuration;
  private final SecureRandom randomness;

  public BackupRestoration(Configuration configuration, SecureRandom randomness) {
    this.configuration = configuration;
    this.randomness = randomness;
  }

  /**
   * @throws IOException if the file cannot be read
   * @throws RuntimeException with a message for the operator if the file is no whole backup of this
   *     keyset's, or the database has content; nothing is restored then
   */
  public void run(Path file) throws IOException {
    CurrentKeys keys = KeysetFile.keysOfBackup(configuration);
    BackupFile backup = BackupFile.verified(file, keys);
    Optional<EmbeddedPostgres> embedded =
        Backend.embeddedIfNeeded(
            configuration,
            () -> EmbeddedPostgres.startOrAttach(configuration.dataDirectory(), randomness));
    try (BackupFile.Content content = backup.content()) {
      DatabaseSettings settings = DatabaseAddress.of(configuration, embedded);
      JdbiStores.await(settings, Duration.ZERO);
      restore(settings, keys, content);
    } finally {
      embedded.ifPresent(EmbeddedPostgres::close);
    }
  }

  private void restore(DatabaseSettings settings, CurrentKeys keys, BackupFile.Content content) {
    try {
      JdbiStores.restore(settings, keys, randomness, content.stream(), new Terms(keys, content));
    } catch (IllegalStateException notOurs) {
      throw new StartException("Nothing was restored: " + notOurs.getMessage());
    }
  }

  /** The content is the one that was verified, and the keyset opens it. */
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
