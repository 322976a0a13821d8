package io.tokenvault.server.process.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.process.fixture.DatabaseUnderTest;
import io.tokenvault.server.process.fixture.LoadDriver;
import io.tokenvault.server.process.fixture.ServerUnderLoad;
import io.tokenvault.server.process.fixture.SteppedClock;
import io.tokenvault.server.process.fixture.VaultProcess;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that a wrong or stepping clock of a server has no effect; the database's clock counts. */
@Tag("long")
@Timeout(600)
final class ClockStepsTest {

  private static final Duration SHORT_LIFETIME = Duration.ofSeconds(2);
  private static final Duration MAX_LIFETIME = Duration.ofSeconds(32);
  private static final Duration LARGE_OFFSET = Duration.ofHours(5);

  private final SteppedClock clock = SteppedClock.require();
  private DatabaseUnderTest database;
  @AutoClose private ServerUnderLoad vault;

  @BeforeEach
  void start() {
    clock.setOffset(LARGE_OFFSET);
    database = DatabaseUnderTest.embedded();
    vault = new ServerUnderLoad(database, clock.environment());
  }

  @Test
  void expiryFollowsDatabaseClock() {
    Instant start = database.currentTime();
    assertServerClockOffset(LARGE_OFFSET);
    assertExpiry();
    clock.setOffset(LARGE_OFFSET.negated());
    vault.restart();
    assertServerClockOffset(LARGE_OFFSET.negated());
    assertExpiry();
    String wrongTimes =
        "SELECT count(*) FROM audit_entry WHERE created_at NOT BETWEEN '%s' AND clock_timestamp()";
    assertThat(database.selectLong(wrongTimes.formatted(start.minus(LARGE_OFFSET.dividedBy(2)))))
        .isZero();
    vault.verifyLog();
  }

  /** Checks the time of the last line of the server's log. */
  private void assertServerClockOffset(Duration offset) {
    List<String> lines = vault.server().err().lines().toList();
    Instant time = Instant.parse(lines.get(lines.size() - 1).split(" ")[0]);
    assertThat(time).isCloseTo(Instant.now().plus(offset), within(5, ChronoUnit.MINUTES));
  }

  private void assertExpiry() {
    vault.owner().post("/tokens", token(Duration.ofMinutes(-1))).expect(400);
    Duration hour = Duration.ofHours(1);
    String longLivedToken = vault.owner().post("/tokens", token(hour)).expect(201).text("id");
    String longLivedKey =
        vault.management().post("/applications", application(hour)).expect(201).text("key");
    Instant end = database.currentTime().plus(SHORT_LIFETIME);
    String token = createShortLived(vault.owner(), "/tokens", this::token, "id");
    String key = createShortLived(vault.management(), "/applications", this::application, "key");
    VaultProcess.awaitThat("the token to expire", () -> status(token) == 404);
    assertThat(database.currentTime()).isAfterOrEqualTo(end);
    VaultProcess.awaitThat(
        "the application to expire", () -> new Client(vault.server().url(), key).status() == 401);
    assertThat(status(longLivedToken)).isEqualTo(200);
    assertThat(new Client(vault.server().url(), longLivedKey).status()).isEqualTo(200);
  }

  private int status(String token) {
    return vault.owner().get("/tokens/" + token).status();
  }

  private String token(Duration lifetime) {
    return "{\"type\":\"token\",\"data\":\"x\",\"expires_at\":\"%s\"}"
        .formatted(database.currentTime().plus(lifetime));
  }

  private String application(Duration lifetime) {
    return "{\"name\":\"n\",\"type\":\"expiring\",\"permissions\":[\"token:read\"],\"expires_at\":\"%s\"}"
        .formatted(database.currentTime().plus(lifetime));
  }

  /** Creates a resource; retries with later times, since a busy server may find them expired. */
  private static String createShortLived(
      Client client, String path, Function<Duration, String> json, String field) {
    Duration lifetime = SHORT_LIFETIME;
    Response response = client.post(path, json.apply(lifetime));
    while (response.status() == 400 && lifetime.compareTo(MAX_LIFETIME) < 0) {
      lifetime = lifetime.multipliedBy(2);
      response = client.post(path, json.apply(lifetime));
    }
    return response.expect(201).text(field);
  }

  @Test
  void serverSurvivesStepsOfItsClock() throws Exception {
    vault.assertSurvives(
        "the server's clock steps by hours and weeks",
        load -> {
          for (int hours : List.of(0, -5, 30 * 24, 3, -12 * 24)) {
            clock.setOffset(Duration.ofHours(hours));
            LoadDriver.pause(Duration.ofSeconds(2));
            load.awaitSuccess("with a clock that is off by " + hours + " hours");
          }
          assertThat(load.failures()).isZero();
          return System.nanoTime();
        });
  }
}
