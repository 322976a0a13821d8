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

/** Fingerprints, and tokens that are given instead of new ones. */
final class DeduplicationTest {

  private static final int MANY = 16;

  private final TenantFixture tenant = RunningVault.shared().newTenant();
  private final Client owner = tenant.owner();

  @Test
  void existingTokenIsReturned() {
    Response first = deduplicated(owner, "\"secret\"").expect(201);

    Response second =
        owner
            .post(
                "/tokens",
                token("token", "\"secret\"")
                    .put("deduplicate_token", true)
                    .put("id", "another-id")
                    .set("metadata", Json.object("k", "v")))
            .expect(200);

    assertThat(second.json()).isEqualTo(first.json());
    assertThat(count()).isEqualTo(1);
    owner.get("/tokens/another-id").expect(404);
  }

  @Test
  void concurrentRequestsCreateOneToken() {
    List<Response> responses =
        ConcurrentRequests.send(Collections.nCopies(MANY, () -> deduplicated(owner, "\"secret\"")));

    assertThat(responses.stream().map(Response::status))
        .containsOnlyOnce(201)
        .containsOnly(200, 201);
    assertThat(responses.stream().map(response -> response.text("id")).distinct()).hasSize(1);
    assertThat(count()).isEqualTo(1);
  }

  private int count() {
    return owner.get("/tokens").totalItems();
  }

  private static Response deduplicated(Client client, String data) {
    return client.post("/tokens", token("token", data).put("deduplicate_token", true));
  }

  private static ObjectNode token(String type, String data) {
    return Json.object("type", type, "data", Json.parse(data));
  }
}
