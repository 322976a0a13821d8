package io.tokenvault.server.e2e.token;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.ConcurrentRequests;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Existing tokens that are returned instead of new ones. */
final class DeduplicationTest {

  private static final int MANY = 16;

  private final TenantFixture tenant = RunningVault.shared().newTenant();
  private final Client owner = tenant.owner();

  @Test
  void existingTokenIsReturned() {
    Response first = createDeduplicated(owner).expect(201);

    ObjectNode other = token().put("id", "another-id").set("metadata", Json.object("k", "v"));
    Response second = owner.post("/tokens", other).expect(200);

    assertThat(second.json()).isEqualTo(first.json());
    assertThat(second.header("Location")).isEmpty();
    assertThat(second.header("Content-Location")).hasValue("/tokens/" + first.text("id"));
    assertThat(count()).isEqualTo(1);
    owner.get("/tokens/another-id").expect(404);
  }

  @Test
  void existingTokenIsMinimalWithoutReadPermission() {
    createDeduplicated(owner).expect(201);

    Response found = createDeduplicated(tenant.application("private", "token:create")).expect(200);

    assertThat(Json.names(found.json())).containsExactly("id", "type", "fingerprint", "containers");
  }

  @Test
  void concurrentRequestsCreateOneToken() {
    List<Response> responses =
        ConcurrentRequests.send(Collections.nCopies(MANY, () -> createDeduplicated(owner)));

    assertThat(responses.stream().map(Response::status))
        .containsOnlyOnce(201)
        .containsOnly(200, 201);
    assertThat(responses.stream().map(response -> response.text("id")).distinct()).hasSize(1);
    assertThat(count()).isEqualTo(1);
  }

  private int count() {
    return owner.get("/tokens").totalItems();
  }

  private static Response createDeduplicated(Client client) {
    return client.post("/tokens", token());
  }

  private static ObjectNode token() {
    return Json.object("type", "token", "data", "secret", "deduplicate_token", true);
  }
}
