package io.tokenvault.server.process.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.process.fixture.DataDirectories;
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

  private static final Duration LOAD_TIME = Duration.ofSeconds(1);

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
      LoadDriver load = runLoad(vault);
      vault.awaitHashChain();
      String asOf = lost.currentTime().toString();
      String dump = DataDirectories.fresh().toString();
      vault.command("audit", "dump", "--output", dump);
      vault.awaitHashChain();
      vault.restartWithDatabase(backup.apply(lost));
      String checkpoints = vault.checkpointFile().toString();
      vault.command(
          "audit", "verify", "--dump", dump, "--checkpoints", checkpoints, "--as-of", asOf);
      vault.assertNothingLost(load);
      LoadDriver later = runLoad(vault);
      vault.assertNothingLost(load);
      vault.assertNothingLost(later);
      assertThat(later.failures()).isZero();
    }
  }

  private static LoadDriver runLoad(ServerUnderLoad vault) {
    LoadDriver load = vault.startLoad(2);
    try (load) {
      LoadDriver.pause(LOAD_TIME);
    }
    assertThat(load.created()).isNotEmpty();
    return load;
  }
}
