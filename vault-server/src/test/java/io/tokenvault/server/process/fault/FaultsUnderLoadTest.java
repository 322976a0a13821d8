package io.tokenvault.server.process.fault;

import io.tokenvault.server.faults.PostgresRelay;
import io.tokenvault.server.process.fixture.DatabaseUnderTest;
import io.tokenvault.server.process.fixture.LoadDriver;
import io.tokenvault.server.process.fixture.ServerUnderLoad;
import io.tokenvault.server.process.fixture.VaultProcess;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests faults of processes and networks under load: nothing acknowledged is lost, nothing is half
 * done, and the service recovers on its own. Prints how long the recovery took.
 */
@Tag("long")
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class FaultsUnderLoadTest {

  private DatabaseUnderTest.Embedded database;
  private PostgresRelay relay;
  private ServerUnderLoad vault;

  @BeforeAll
  void start() {
    database = DatabaseUnderTest.embedded();
    String url = database.address().jdbcUrl();
    relay = PostgresRelay.to(URI.create(url.substring("jdbc:".length())).getPort());
    vault = new ServerUnderLoad(database, Map.of("VAULT_DATABASE_URL", relay.through(url)));
  }

  @AfterAll
  void stop() {
    vault.close();
    relay.close();
  }

  @Test
  void vaultSurvivesKilledServer() throws Exception {
    vault.assertSurvives(
        "kill -9 of the server",
        load -> {
          vault.server().kill();
          long end = System.nanoTime();
          vault.start();
          return end;
        });
  }

  @Test
  void vaultSurvivesKilledDatabase() throws Exception {
    vault.assertSurvives(
        "kill -9 of PostgreSQL",
        load -> {
          database.kill();
          LoadDriver.pause(Duration.ofMillis(500));
          VaultProcess.awaitThat("PostgreSQL to run again", database::isReachable);
          return System.nanoTime();
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 30})
  void vaultSurvivesNetworkCutToDatabase(int seconds) throws Exception {
    vault.assertSurvives(
        "network cut for " + seconds + " s",
        load -> {
          relay.cut();
          LoadDriver.pause(Duration.ofSeconds(seconds));
          relay.restore();
          return System.nanoTime();
        });
  }

  @Test
  void vaultSurvivesSlowDatabase() throws Exception {
    vault.assertSurvives(
        "database slower by 300 ms a round trip for 5 s",
        load -> {
          relay.setDelay(Duration.ofMillis(300));
          LoadDriver.pause(Duration.ofSeconds(5));
          relay.setDelay(Duration.ZERO);
          return System.nanoTime();
        });
  }
}
