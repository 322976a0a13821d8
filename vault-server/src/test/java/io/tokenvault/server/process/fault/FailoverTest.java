package io.tokenvault.server.process.fault;

import io.tokenvault.server.process.fixture.Directories;
import io.tokenvault.server.process.fixture.LoadedServer;
import io.tokenvault.server.process.fixture.PatroniPostgres;
import io.tokenvault.server.process.fixture.ReplicatedPostgres;
import io.tokenvault.server.process.fixture.VaultProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The primary is lost under load, and a standby takes its place. */
@Timeout(600)
@Tag("long")
final class FailoverTest {

  @Test
  void vaultSurvivesFailoverToStandby() throws Exception {
    try (ReplicatedPostgres pair = ReplicatedPostgres.start();
        LoadedServer vault = new LoadedServer(pair, Directories.fresh(), pair.jdbcUrl())) {
      FaultsUnderLoadTest.survives(vault, "failover to a standby", load -> pair.failOver());
    }
  }

  @Test
  void patroniReplacesALeaderThatIsLost() throws Exception {
    try (PatroniPostgres cluster = PatroniPostgres.start();
        LoadedServer vault = new LoadedServer(cluster, Directories.fresh(), cluster.jdbcUrl())) {
      FaultsUnderLoadTest.survives(
          vault,
          "loss of the leader under Patroni",
          load -> {
            VaultProcess.awaitThat("many tokens", () -> load.created().size() > 100);
            return cluster.loseLeader();
          });
    }
  }
}
