package io.tokenvault.server.process.fault;

import io.tokenvault.server.process.fixture.PatroniPostgres;
import io.tokenvault.server.process.fixture.ReplicatedPostgres;
import io.tokenvault.server.process.fixture.ServerUnderLoad;
import io.tokenvault.server.process.fixture.VaultProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the failover from a lost primary to a standby under load. */
@Timeout(600)
@Tag("long")
final class FailoverTest {

  @Test
  void vaultSurvivesFailoverToStandby() throws Exception {
    ReplicatedPostgres pair = ReplicatedPostgres.start();
    try (ServerUnderLoad vault = new ServerUnderLoad(pair)) {
      vault.assertSurvives("failover to a standby", load -> pair.failOver());
    }
  }

  @Test
  void vaultSurvivesLossOfPatroniLeader() throws Exception {
    PatroniPostgres cluster = PatroniPostgres.start();
    try (ServerUnderLoad vault = new ServerUnderLoad(cluster)) {
      vault.assertSurvives(
          "loss of the leader under Patroni",
          load -> {
            VaultProcess.awaitThat("many tokens", () -> load.created().size() > 100);
            return cluster.killLeader();
          });
    }
  }
}
