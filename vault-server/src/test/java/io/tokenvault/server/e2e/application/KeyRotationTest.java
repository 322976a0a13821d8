package io.tokenvault.server.e2e.application;

import static io.tokenvault.server.e2e.fixture.TenantFixture.rule;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Eventually;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** API keys are replaced without an outage, on two nodes that cache callers. */
@Execution(ExecutionMode.CONCURRENT)
final class KeyRotationTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final RunningVault vault = RunningVault.shared();
  private final RunningVault.Node node = RunningVault.sharedNode();
  private final TenantFixture tenant = vault.newTenant();
  private final Client management = tenant.management();
  private final Client client =
      tenant.applicationWithRules(
          rule(1, "/", "reveal", "token:create", "token:read", "token:use"));
  private final String token = client.token("secret");

  private Response regenerate(String query) {
    return management.post("/applications/" + client.id() + "/regenerate" + query);
  }

  private Client clientWithNewKey(String query) {
    return client.withKey(regenerate(query).expect(200).text("key"));
  }

  private Response read(String key) {
    return node.call("GET", "/tokens/" + token).key(key).send();
  }

  @Test
  void oldAndNewKeyWorkOnEveryNodeDuringGracePeriod() {
    read(client.key()).expect(200);

    Client renewed = clientWithNewKey("?grace_seconds=3600");

    for (String key : List.of(client.key(), renewed.key(), client.key())) {
      read(key).expect(200);
      vault.call("GET", "/tokens/" + token).key(key).send().expect(200);
      node.call("POST", "/tokens")
          .key(key)
          .json(Json.object("type", "token", "data", "x"))
          .send()
          .expect(201);
    }
    assertThat(tenant.messages())
        .contains("Application API key regenerated; earlier ones end within 3600 seconds");
  }

  @Test
  void gracePeriodInTheBodyIsRejectedAndNothingChanges() {
    String path = "/applications/" + client.id() + "/regenerate";

    management.post(path, "{\"grace_seconds\":60}").expectErrorsAt("grace_seconds");
    management.post(path, "{").expect(400);

    read(client.key()).expect(200);
    management.post(path, "{}").expect(200);
  }

  @Test
  void regenerationWithoutGracePeriodRevokesCachedOldKeys() {
    Client second = clientWithNewKey("?grace_seconds=3600");
    read(client.key()).expect(200);
    read(second.key()).expect(200);
    read(client.key()).expect(200);

    Client third = clientWithNewKey("");

    read(client.key()).expect(401);
    read(second.key()).expect(401);
    read(third.key()).expect(200);
  }

  @Test
  void deletedApplicationRevokesItsEarlierKeys() {
    Client second = clientWithNewKey("?grace_seconds=3600");
    read(client.key()).expect(200);
    read(second.key()).expect(200);

    management.delete("/applications/" + client.id()).expect(204);

    read(client.key()).expect(401);
    read(second.key()).expect(401);
  }

  @Test
  void expiredOldKeyIsRejectedDespiteCache() {
    Response regenerated = regenerate("?grace_seconds=3").expect(200);
    Instant end = time(regenerated.text("modified_at")).plusSeconds(3);
    read(client.key()).expect(200);

    Eventually.holds("the old key ends", TIMEOUT, () -> read(client.key()).status() == 401);

    for (int i = 0; i < 10; i++) {
      read(client.key()).expect(401);
      vault.call("GET", "/tokens/" + token).key(client.key()).send().expect(401);
    }
    String reads = "operation=read&entity_type=token&actor_id=" + client.id();
    // The key ends a little later than computed, and reads are recorded after the check of the key.
    assertThat(Json.each(tenant.log(reads), "created_at"))
        .isNotEmpty()
        .allMatch(at -> time(at).isBefore(end.plusSeconds(3)));
    read(regenerated.text("key")).expect(200);
  }

  private static Instant time(String text) {
    return OffsetDateTime.parse(text).toInstant();
  }

  @Test
  void lastUseIsReportedToTheMinute() {
    String path = "/applications/" + client.id();
    Client unused = tenant.application("private", "token:read");
    Instant before = Instant.now().truncatedTo(ChronoUnit.MINUTES);
    try (RunningVault.Node other = vault.node(Map.of())) {
      other.call("GET", "/tokens/" + token).key(client.key()).send().expect(200);
    }

    Instant used = time(management.get(path).expect(200).text("last_used_at"));
    assertThat(used).isBetween(before, Instant.now());
    assertThat(used.truncatedTo(ChronoUnit.MINUTES)).isEqualTo(used);
    Response listed = management.get("/applications?id=" + client.id()).expect(200);
    assertThat(time(listed.get("data").get(0).path("last_used_at").asText()))
        .isAfterOrEqualTo(used);
    assertThat(
            management.get("/applications/" + unused.id()).expect(200).json().has("last_used_at"))
        .isFalse();
    String update =
        "{\"name\": \"x\", \"permissions\": [\"token:read\"], \"last_used_at\":"
            + " \"2000-01-01T00:00:00Z\"}";
    management.put(path, update).expect(200);
    assertThat(time(management.get(path).expect(200).text("last_used_at"))).isAfterOrEqualTo(used);
  }
}
