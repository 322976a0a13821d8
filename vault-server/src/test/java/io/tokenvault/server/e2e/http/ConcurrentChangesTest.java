package io.tokenvault.server.e2e.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.ConcurrentRequests;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Concurrent requests that change the same resource. */
class ConcurrentChangesTest {

  private static final int MANY = 8;
  private static final int CROWD = 32;

  private final TenantFixture tenant = RunningVault.shared().newTenant();
  private final Client management = tenant.management();

  /** Whichever request comes first, no created proxy names a deleted application. */
  @RepeatedTest(2)
  void eitherDeletionOfApplicationOrProxiesThatNameItSucceed() {
    String id = tenant.application("private", "token:use").id();
    String existingProxy = tenant.proxy("https://api.example.com").path("id").asText();
    List<Callable<Response>> requests = new ArrayList<>();
    for (int i = 0; i < CROWD / 4; i++) {
      requests.add(() -> management.delete("/applications/" + id));
      requests.add(() -> management.post("/proxies", proxyNaming(id)));
      requests.add(() -> management.post("/proxies", proxyNaming(id)));
      requests.add(() -> management.put("/proxies/" + existingProxy, proxyNaming(id)));
    }

    List<Response> responses = ConcurrentRequests.send(requests);

    Map<Boolean, List<Response>> byDeletion =
        responses.stream()
            .collect(Collectors.partitioningBy(each -> each.request().startsWith("DELETE")));
    List<Integer> deletions = byDeletion.get(true).stream().map(Response::status).toList();
    List<Integer> proxyStatuses = byDeletion.get(false).stream().map(Response::status).toList();
    boolean deleted = management.get("/applications/" + id).status() == 404;
    assertThat(deletions).isSubsetOf(deleted ? List.of(204, 404) : List.of(409));
    assertThat(deletions.stream().filter(status -> status == 204)).hasSize(deleted ? 1 : 0);
    assertThat(proxyStatuses)
        .as("proxies that name it")
        .isSubsetOf(deleted ? List.of(400) : List.of(200, 201));
  }

  private static JsonNode proxyNaming(String id) {
    return TenantFixture.proxyDraft("https://api.example.com").put("application_id", id);
  }

  @Test
  void concurrentCreationsUseTokenIdOnce() {
    Client owner = tenant.owner();

    List<Response> responses =
        ConcurrentRequests.send(
            Collections.nCopies(
                MANY,
                () ->
                    owner.post(
                        "/tokens", Json.object("type", "token", "data", "x", "id", "racing"))));

    assertThat(responses.stream().map(Response::status)).containsOnlyOnce(201).contains(409);
    assertThat(responses.stream().map(Response::status)).containsOnly(201, 409);
  }

  @Test
  void concurrentKeyRegenerationsLeaveOneValidKey() {
    String id = tenant.application("private", "token:read").id();

    List<Response> responses =
        ConcurrentRequests.send(
            Collections.nCopies(
                MANY, () -> management.post("/applications/" + id + "/regenerate")));

    assertThat(responses).allSatisfy(response -> assertThat(response.status()).isIn(200, 409, 503));
    assertThat(
            responses.stream()
                .filter(response -> response.status() == 200)
                .map(response -> new Client(RunningVault.shared(), id, response.text("key")))
                .filter(client -> client.get("/permissions").status() == 200))
        .hasSize(1);
  }
}
