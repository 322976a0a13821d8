package io.tokenvault.server.e2e.token;

import static io.tokenvault.server.e2e.fixture.TenantFixture.rule;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.ConcurrentRequests;
import io.tokenvault.server.e2e.fixture.Eventually;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
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

  @Test
  void aFingerprintIs64HexadecimalDigitsThatSayNothing() {
    Response created = create("token", "\"secret\"").expect(201);

    assertThat(created.text("fingerprint")).matches("[0-9a-f]{64}");
    assertThat(tenant.reader("redact").get("/tokens/" + created.text("id")).text("fingerprint"))
        .isEqualTo(created.text("fingerprint"));
  }

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
  void theSameContentHasTheSameFingerprint(String type, String one, String other) {
    assertThat(fingerprint(type, one)).isEqualTo(fingerprint(type, other));
  }

  @Test
  void anotherExpressionNeverGivesTheFingerprintOfOtherContent() {
    Response planted =
        owner
            .post(
                "/tokens",
                Json.object(
                    "type", "card_number",
                    "data", "5555555555554444",
                    "fingerprint_expression", "4242424242424242"))
            .expect(201);

    Response made =
        owner
            .post(
                "/tokens",
                Json.object(
                    "type", "card_number", "data", "4242424242424242", "deduplicate_token", true))
            .expect(201);

    assertThat(made.text("id")).isNotEqualTo(planted.text("id"));
    assertThat(made.text("fingerprint")).isNotEqualTo(planted.text("fingerprint"));
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
  void anExpressionOfItsOwnTellsWhatIsEqual() {
    ObjectNode one = token("token", "{\"a\": \"X\", \"b\": 1}");
    ObjectNode other = token("token", "{\"a\": \"x\", \"b\": 2}");
    ObjectNode third = other.deepCopy();
    one.put("fingerprint_expression", "{{ data.a | downcase }}");
    other.put("fingerprint_expression", "{{ data.a | downcase }}");
    third.put("fingerprint_expression", "{{ data.a | downcase }}{{ metadata.k }}");
    third.set("metadata", Json.object("k", "v"));

    String fingerprint = owner.post("/tokens", one).expect(201).text("fingerprint");

    assertThat(owner.post("/tokens", other).expect(201).text("fingerprint")).isEqualTo(fingerprint);
    assertThat(owner.post("/tokens", third).expect(201).text("fingerprint"))
        .isNotEqualTo(fingerprint);
    owner
        .post("/tokens", other.put("fingerprint_expression", "{{ data.c }}"))
        .expectErrorsAt("fingerprint_expression");
  }

  @Test
  void theExistingTokenIsGiven() {
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
  void itIsGivenToThoseOnlyWhoAskForIt() {
    String first = deduplicated(owner, "\"secret\"").expect(201).text("id");

    assertThat(create("token", "\"secret\"").expect(201).text("id")).isNotEqualTo(first);
    assertThat(
            owner
                .post("/tokens", token("token", "\"secret\"").put("deduplicate_token", false))
                .expect(201)
                .text("id"))
        .isNotEqualTo(first);
    assertThat(deduplicated(owner, "\"other\"").expect(201).text("id")).isNotEqualTo(first);
    assertThat(deduplicated(owner, "\"secret\"").expect(200).text("id")).isEqualTo(first);
    owner
        .post("/tokens", token("token", "\"x\"").put("deduplicate_token", "true"))
        .expectErrorsAt("deduplicate_token");
  }

  @Test
  void anotherTenantsTokenIsNeverGiven() {
    deduplicated(owner, "\"secret\"").expect(201);

    deduplicated(RunningVault.shared().newTenant().owner(), "\"secret\"").expect(201);
  }

  @Test
  void whoMayNotCreateInItsContainersGetsANewOne() {
    Client creator = tenant.ruled(rule(1, "/general/", "reveal", "token:create", "token:read"));
    String elsewhere = owner.token(secret().set("containers", Json.of(List.of("/other/"))));
    String both = owner.token(secret().set("containers", Json.of(List.of("/general/", "/other/"))));

    String made = deduplicated(creator, "\"secret\"").expect(201).text("id");

    assertThat(made).isNotIn(elsewhere, both);
    assertThat(deduplicated(creator, "\"secret\"").expect(200).text("id")).isEqualTo(made);
  }

  @Test
  void withoutReadLittleIsToldOfTheExistingOne() {
    Client creator = tenant.ruled(rule(1, "/", "reveal", "token:create"));
    Response existing =
        owner.post("/tokens", secret().set("metadata", Json.object("k", "planted"))).expect(201);

    Response given = deduplicated(creator, "\"secret\"").expect(200);

    assertThat(Json.names(given.json()))
        .containsExactlyInAnyOrder("id", "type", "fingerprint", "containers");
    assertThat(given.text("id")).isEqualTo(existing.text("id"));
  }

  @Test
  void withReadItIsShownUnderTheWeakerOfCreateAndRead() {
    Client reader =
        tenant.ruled(rule(1, "/", "reveal", "token:create"), rule(2, "/", "mask", "token:read"));
    owner.post("/tokens", secret().put("mask", "{{ data | reveal_last: 2 }}")).expect(201);

    assertThat(deduplicated(reader, "\"secret\"").expect(200).text("data")).isEqualTo("XXXXet");
  }

  @Test
  void anExpiredOrDeletedTokenIsNotGiven() {
    String deleted = deduplicated(owner, "\"secret\"").expect(201).text("id");
    owner.delete("/tokens/" + deleted).expect(204);
    String soon = OffsetDateTime.now(ZoneOffset.UTC).plus(Duration.ofSeconds(5)).toString();
    String expiring = owner.token(secret().put("expires_at", soon));
    Eventually.holds(
        "the token is not found",
        Duration.ofSeconds(20),
        () -> owner.get("/tokens/" + expiring).status() == 404);

    assertThat(deduplicated(owner, "\"secret\"").expect(201).text("id")).isNotIn(deleted, expiring);
  }

  @Test
  void ofManyAtTheSameTimeOneIsMade() {
    List<Response> responses =
        ConcurrentRequests.send(Collections.nCopies(MANY, () -> deduplicated(owner, "\"secret\"")));

    assertThat(responses.stream().map(Response::status))
        .containsOnlyOnce(201)
        .containsOnly(200, 201);
    assertThat(responses.stream().map(response -> response.text("id")).distinct()).hasSize(1);
    assertThat(count()).isEqualTo(1);
  }

  private int count() {
    return owner.get("/tokens").get("pagination").path("total_items").asInt();
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

  private static ObjectNode secret() {
    return token("token", "\"secret\"");
  }

  private static ObjectNode token(String type, String data) {
    return Json.object("type", type, "data", Json.parse(data));
  }
}
