package io.tokenvault.server.process.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.process.fixture.LoadDriver;
import io.tokenvault.server.process.fixture.LocalPostgres;
import io.tokenvault.server.process.fixture.PostgresPrograms;
import io.tokenvault.server.process.fixture.ServerUnderLoad;
import io.tokenvault.server.process.fixture.SteppedClock;
import io.tokenvault.server.process.fixture.VaultProcess;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests steps of the database's clock under load, to other months and back: requests, the hash
 * chain, and checkpoints continue, and no audit entry is lost.
 */
@Timeout(600)
@Tag("long")
final class DatabaseClockStepsTest {

  private static final Duration MONTHS = Duration.ofDays(100);

  private final SteppedClock clock = SteppedClock.require();
  private final LocalPostgres database =
      LocalPostgres.start(PostgresPrograms.require().withEnvironment(clock.environment()));
  @AutoClose private final ServerUnderLoad vault = new ServerUnderLoad(database);

  @Test
  void serverAndLogSurviveStepsOfDatabaseClock() throws Exception {
    String token = tokenThatExpiresIn(Duration.ofHours(1));
    vault.assertSurvives(
        "the database's clock steps by hours and months",
        load -> {
          step(load, Duration.ofHours(-3));
          vault.owner().get("/tokens/" + token).expect(200);
          step(load, Duration.ofHours(3));
          vault.owner().get("/tokens/" + token).expect(404);
          step(load, MONTHS);
          assertThat(load.failures()).as("failures so far").isZero();
          assertThat(countInDefaultPartition()).isPositive();
          vault.restart();
          VaultProcess.awaitThat("a partition of that month", () -> countInDefaultPartition() == 0);
          step(load, Duration.ofHours(-30));
          step(load, Duration.ZERO);
          return System.nanoTime();
        });
  }

  /** Steps the clock, and waits until requests, hash chains, and checkpoints have continued. */
  private void step(LoadDriver load, Duration offset) {
    clock.setOffset(offset);
    assertThat(Duration.between(Instant.now(), database.currentTime()))
        .isCloseTo(offset, Duration.ofMinutes(5));
    long seals = countSeals();
    long checkpoints = vault.checkpointCount();
    load.awaitSuccess("with a clock that is off by " + offset);
    VaultProcess.awaitThat("two more seals, by " + offset, () -> countSeals() > seals + 1);
    VaultProcess.awaitThat(
        "another checkpoint, by " + offset, () -> vault.checkpointCount() > checkpoints);
  }

  private long countSeals() {
    return database.selectLong("SELECT count(*) FROM audit_seal");
  }

  private long countInDefaultPartition() {
    return database.selectLong("SELECT count(*) FROM audit_entry_default");
  }

  private String tokenThatExpiresIn(Duration lifetime) {
    String end = database.currentTime().plus(lifetime).toString();
    return vault.owner().token(Json.object("type", "token", "data", "x", "expires_at", end));
  }
}
