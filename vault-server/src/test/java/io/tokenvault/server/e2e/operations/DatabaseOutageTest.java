package io.tokenvault.server.e2e.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.adapters.jdbi.embedded.EmbeddedPostgres;
import io.tokenvault.server.crypto.KeysetProtection;
import io.tokenvault.server.crypto.MasterKeyset;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.ConcurrentRequests;
import io.tokenvault.server.e2e.fixture.Eventually;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import io.tokenvault.server.place.FreshPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A database that dies under a running server. */
class DatabaseOutageTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Test
  void requestsAreTurnedAwayToBeTriedAgain() throws IOException {
    Path directory = Files.createTempDirectory(Path.of("target"), "database");
    EmbeddedPostgres database = FreshPostgres.in(directory);
    try (RunningVault vault = RunningVault.start(settings(database, directory));
        HttpsDestination destination = HttpsDestination.start()) {
      TenantFixture tenant = vault.newTenant();
      Client owner = tenant.owner();
      String token = owner.token("secret");
      vault.get("/readyz").expect(200);

      database.close();

      Eventually.holds("not ready", PATIENCE, () -> vault.get("/readyz").status() == 503);
      vault.get("/healthz").expect(200);
      for (Response response :
          ConcurrentRequests.send(
              List.of(
                  () -> tenant.management().get("/applications"),
                  () -> owner.get("/tokens/" + token),
                  () -> owner.post("/tokens", Json.object("type", "token", "data", "x"))))) {
        response.expectProblem(503, "unavailable");
        assertThat(response.header("Retry-After").orElse("")).matches("[0-9]+");
        assertThat(response.text()).doesNotContain("jdbc", "SQL", "Exception");
      }
      Response invocation =
          owner
              .call("POST", "/proxy")
              .header("SVC-PROXY-URL", destination.url())
              .json(Json.object("card", "{{" + token + "}}"))
              .send()
              .expect(503);
      assertThat(invocation.get("proxy_error").path("status").asInt()).isEqualTo(503);
      assertThat(invocation.header("Retry-After")).isPresent();
      assertThat(destination.count()).isZero();
    } finally {
      database.close();
    }
  }

  /** A database of its own: the server would start its embedded one again. */
  private static Map<String, String> settings(EmbeddedPostgres database, Path directory) {
    Path keyset = directory.resolve("keyset.json");
    MasterKeyset.create(keyset, KeysetProtection.clear());
    return Map.of(
        "VAULT_DATABASE_URL",
        database.jdbcUrl(),
        "VAULT_DATABASE_USER",
        database.ownerUser(),
        "VAULT_DATABASE_PASSWORD",
        database.ownerPassword(),
        "VAULT_MASTER_KEYSET_FILE",
        keyset.toString(),
        "VAULT_DATABASE_CONNECT_TIMEOUT_MS",
        "1000",
        "VAULT_DATABASE_POOL_TIMEOUT_MS",
        "1000");
  }
}
