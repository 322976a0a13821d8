package io.tokenvault.server.process.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.faults.PostgresRelay;
import io.tokenvault.server.process.fixture.DatabaseUnderTest;
import io.tokenvault.server.process.fixture.Directories;
import io.tokenvault.server.process.fixture.LoadDriver;
import io.tokenvault.server.process.fixture.LoadedServer;
import io.tokenvault.server.process.fixture.VaultProcess;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * Faults of processes and networks while clients go on: what was acknowledged is there, nothing is
 * half done, and the service is back by itself. How long that took is printed.
 */
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class FaultsUnderLoadTest {

  private static final int CLIENTS = 4;
  private static final Duration AWHILE = Duration.ofSeconds(1);

  private final Path directory = Directories.fresh();
  private DatabaseUnderTest.Embedded database;
  private PostgresRelay relay;
  private LoadedServer vault;

  @BeforeAll
  void start() {
    database = DatabaseUnderTest.embedded(directory);
    relay = PostgresRelay.to(URI.create(database.jdbcUrl().substring("jdbc:".length())).getPort());
    vault = new LoadedServer(database, directory, relay.through(database.jdbcUrl()));
  }

  @AfterAll
  void stop() {
    vault.close();
    relay.close();
    database.close();
  }

  /** A fault; returns the moment at which its cause has ended. */
  interface Fault {
    long strike(LoadDriver load) throws Exception;
  }

  private void survives(String name, Fault fault) throws Exception {
    survives(vault, name, fault);
  }

  static void survives(LoadedServer vault, String name, Fault fault) throws Exception {
    LoadDriver load = vault.load(CLIENTS);
    long end;
    Duration back;
    try (load) {
      LoadDriver.pause(AWHILE);
      end = fault.strike(load);
      load.awaitSuccess("after the fault");
      back = Duration.ofNanos(System.nanoTime() - end);
      LoadDriver.pause(AWHILE);
      load.awaitSuccess("a while after the fault");
    }
    System.out.printf(
        "%s: first success %d ms after the cause's end, last failure %d ms after it; %s%n",
        name, back.toMillis(), load.failuresAfter(end).toMillis(), load);
    vault.check(load);
    assertThat(load.created()).isNotEmpty();
  }

  @Tag("long")
  @Test
  void vaultSurvivesKilledServer() throws Exception {
    survives(
        "kill -9 of the server",
        load -> {
          vault.server().kill();
          long end = System.nanoTime();
          vault.start();
          return end;
        });
  }

  @Tag("long")
  @Test
  void vaultSurvivesKilledDatabase() throws Exception {
    survives(
        "kill -9 of PostgreSQL",
        load -> {
          database.kill();
          LoadDriver.pause(Duration.ofMillis(500));
          VaultProcess.awaitThat("PostgreSQL runs again", database::answers);
          return System.nanoTime();
        });
  }

  @Test
  @Tag("long")
  void vaultSurvivesNetworkCutToDatabase() throws Exception {
    survives("network cut for 3 s", load -> cut(Duration.ofSeconds(3)));
  }

  @Test
  @Tag("long")
  void vaultSurvivesLongerNetworkCutToDatabase() throws Exception {
    survives("network cut for 30 s", load -> cut(Duration.ofSeconds(30)));
  }

  private long cut(Duration time) {
    relay.cut();
    LoadDriver.pause(time);
    relay.restore();
    return System.nanoTime();
  }

  @Test
  @Tag("long")
  void vaultSurvivesSlowDatabase() throws Exception {
    survives(
        "database slower by 300 ms a round trip for 5 s",
        load -> {
          relay.delay(Duration.ofMillis(300));
          LoadDriver.pause(Duration.ofSeconds(5));
          relay.delay(Duration.ZERO);
          return System.nanoTime();
        });
  }
}
