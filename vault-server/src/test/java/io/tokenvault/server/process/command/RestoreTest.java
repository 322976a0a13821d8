package io.tokenvault.server.process.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.process.fixture.Directories;
import io.tokenvault.server.process.fixture.LoadDriver;
import io.tokenvault.server.process.fixture.LocalPostgres;
import io.tokenvault.server.process.fixture.PostgresPrograms;
import io.tokenvault.server.process.fixture.ServerUnderLoad;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests the recovery in docs/operations.md: a restored database has all tokens, and its audit log
 * matches the checkpoints and a dump from before the loss.
 */
@Timeout(600)
@Tag("long")
final class RestoreTest {

  private static final Duration AWHILE = Duration.ofSeconds(1);

  @Test
  void dumpIsRestoredIntoAnotherCluster() {
    restore(LocalPostgres::startFromDump);
  }

  @Test
  void baseBackupIsRestored() {
    restore(LocalPostgres::startFromBaseBackup);
  }

  private static void restore(UnaryOperator<LocalPostgres> backup) {
    LocalPostgres lost = LocalPostgres.start(PostgresPrograms.require());
    try (ServerUnderLoad vault = new ServerUnderLoad(lost)) {
      LoadDriver load = work(vault);
      vault.awaitChain();
      String asOf = lost.time().toString();
      String dump = Directories.fresh().toString();
      vault.command("audit", "dump", "--output", dump);
      vault.awaitChain();
      vault.restartOn(backup.apply(lost));
      String checkpoints = vault.checkpointFile().toString();
      vault.command(
          "audit", "verify", "--dump", dump, "--checkpoints", checkpoints, "--as-of", asOf);
      vault.check(load);
      LoadDriver later = work(vault);
      vault.check(load);
      vault.check(later);
      assertThat(later.failures()).isZero();
    }
  }

  private static LoadDriver work(ServerUnderLoad vault) {
    LoadDriver load = vault.load(2);
    try (load) {
      LoadDriver.pause(AWHILE);
    }
    assertThat(load.created()).isNotEmpty();
    return load;
  }
}
