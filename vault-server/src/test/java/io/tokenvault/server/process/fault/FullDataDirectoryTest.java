package io.tokenvault.server.process.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.faults.SmallDisk;
import io.tokenvault.server.process.fixture.DatabaseUnderTest;
import io.tokenvault.server.process.fixture.LoadDriver;
import io.tokenvault.server.process.fixture.ServerUnderLoad;
import io.tokenvault.server.process.fixture.VaultProcess;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests a full disk with all data of PostgreSQL, including its write-ahead log. PostgreSQL exits
 * then and cannot start again.
 */
@Timeout(600)
@Tag("long")
final class FullDataDirectoryTest {

  private static final int MEBIBYTES = 256;
  private static final Duration OBSERVATION_TIME = Duration.ofSeconds(8);

  @Test
  void serviceRecoversOnceDiskHasSpace() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(MEBIBYTES);
        DatabaseUnderTest database = DatabaseUnderTest.embedded(disk.directory().resolve("data"));
        ServerUnderLoad vault = new ServerUnderLoad(database)) {
      vault.assertSurvives(
          "no byte left on the disk of PostgreSQL",
          load -> {
            disk.fill();
            VaultProcess.awaitThat("PostgreSQL to end", () -> !canWrite(database));
            assertNoRequestIsForwarded(vault, load);
            disk.freeSpace();
            return System.nanoTime();
          });
    }
  }

  /** Returns whether PostgreSQL can write to its write-ahead log. */
  private static boolean canWrite(DatabaseUnderTest database) {
    try {
      database.selectLong("SELECT (pg_create_restore_point('full') <= pg_switch_wal())::integer");
      return true;
    } catch (IllegalStateException refused) {
      return false;
    }
  }

  private static void assertNoRequestIsForwarded(ServerUnderLoad vault, LoadDriver load)
      throws IOException {
    // Requests in flight end within a second.
    LoadDriver.pause(Duration.ofSeconds(1));
    int forwarded = vault.destinationRequests();
    int acknowledged = load.created().size();
    LoadDriver.pause(OBSERVATION_TIME);
    assertThat(vault.destinationRequests()).as("requests at the destination").isEqualTo(forwarded);
    assertThat(load.created()).as("created tokens").hasSize(acknowledged);
    assertThat(vault.owner().status()).isEqualTo(503);
    vault.owner().get("/healthz").expect(200);
    vault.owner().get("/readyz").expect(503);
  }
}
