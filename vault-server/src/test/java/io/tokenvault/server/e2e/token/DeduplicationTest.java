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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fingerprints, and tokens that are given instead of new ones. */
final class DeduplicationTest {

  private static final int MANY = 16;

  private final TenantFixture tenant = RunningVault.shared().newTenant();
  private final Client owner = tenant.owner();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          token | "secret" | "secret"
          token | {"a": 1, "b": [2]} | {"a": 1, "b": [2]}
          card  | {"number": "4242424242424242", "cvc": "123"} | {"number": "4242424242424242"}
          bank  | {"routing_number": "021000021", "account_number": "12345678"} | \
          {"account_number": "12345678", "routing_number": "021000021"}
          social_security_number | "078-05-1120" | "078051120"
          employer_id_number | "12-3456789" | "123456789"
          """)
  void equalContentHasIdenticalFingerprint(String type, String one, String other) {
    assertThat(fingerprint(type, one)).isEqualTo(fingerprint(type, other));
  }

  @Test
  void otherContentOtherTypesAndOtherTenantsHaveOthers() {
    List<String> fingerprints =
        List.of(
            fingerprint("token", "\"078051120\""),
            fingerprint("token", "78051120"),
            fingerprint("social_security_number", "\"078051120\""),
            fingerprint("employer_id_number", "\"078051120\""),
            RunningVault.shared()
                .newTenant()
                .owner()
                .post("/tokens", token("token", "\"078051120\""))
                .text("fingerprint"));

    assertThat(fingerprints).doesNotHaveDuplicates();
  }

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
  void foreignTokenIsNeverReturned() {
    deduplicated(owner, "\"secret\"").expect(201);

    deduplicated(RunningVault.shared().newTenant().owner(), "\"secret\"").expect(201);
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

  private Response create(String type, String data) {
    return owner.post("/tokens", token(type, data));
  }

  private static Response deduplicated(Client client, String data) {
    return client.post("/tokens", token("token", data).put("deduplicate_token", true));
  }

  private String fingerprint(String type, String data) {
    return create(type, data).expect(201).text("fingerprint");
  }

  private static ObjectNode token(String type, String data) {
    return Json.object("type", type, "data", Json.parse(data));
  }
}
