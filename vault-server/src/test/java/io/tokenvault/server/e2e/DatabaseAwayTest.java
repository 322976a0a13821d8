package io.tokenvault.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A database that dies under a running server. */
class DatabaseAwayTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Test
  void requestsAreTurnedAwayToBeTriedAgain() throws IOException {
    try (RunningVault vault = RunningVault.start(Map.of());
        HttpsDestination destination = HttpsDestination.start()) {
      TenantFixture tenant = vault.newTenant();
      Client owner = tenant.owner();
      String token = owner.token("secret");
      vault.get("/readyz").expect(200);

      endDatabase(vault.dataDirectory());

      Eventually.holds("not ready", PATIENCE, () -> vault.get("/readyz").status() == 503);
      vault.get("/healthz").expect(200);
      for (Answer answer :
          List.of(
              tenant.management().get("/applications"),
              owner.get("/tokens/" + token),
              owner.post("/tokens", Json.object("type", "token", "data", "x")))) {
        answer.expectProblem(503, "unavailable");
        assertThat(answer.header("Retry-After").orElse("")).matches("[0-9]+");
        assertThat(answer.text()).doesNotContain("jdbc", "SQL", "Exception");
      }
      Answer invocation =
          owner
              .call("POST", "/proxy")
              .header("SVC-PROXY-URL", destination.url())
              .json(Json.object("card", "{{" + token + "}}"))
              .send()
              .expect(503);
      assertThat(invocation.get("proxy_error").path("status").asInt()).isEqualTo(503);
      assertThat(invocation.header("Retry-After")).isPresent();
      assertThat(destination.count()).isZero();
    }
  }

  private static void endDatabase(Path dataDirectory) throws IOException {
    long server = Long.parseLong(Files.readAllLines(pidFile(dataDirectory)).get(0).strip());
    ProcessHandle process = ProcessHandle.of(server).orElseThrow();
    process.destroyForcibly();
    Eventually.holds("the database is gone", PATIENCE, () -> !process.isAlive());
  }

  private static Path pidFile(Path dataDirectory) throws IOException {
    try (Stream<Path> files = Files.walk(dataDirectory)) {
      return files.filter(file -> file.endsWith("postmaster.pid")).findFirst().orElseThrow();
    }
  }
}
