package io.tokenvault.server.e2e.token;

import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Eventually;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The endpoints of tokens, for an application that may do and see everything. */
class TokensTest {

  private static final int MAX_DATA = 1 << 20;

  private final TenantFixture tenant = RunningVault.shared().newTenant();
  private final Client owner = tenant.owner();

  @Test
  void creatingAnswersWithTheWholeTokenAndItsLocation() {
    OffsetDateTime expiry = OffsetDateTime.now(UTC).plusDays(400).withNano(654_321_000);
    Response created =
        create(
                token("secret")
                    .put("id", "order:17.customer@shop")
                    .put("expires_at", expiry.toString())
                    .<ObjectNode>set("containers", Json.of(List.of("/A/b/", "/c/")))
                    .set("metadata", Json.object("order", "17", "\u00fc", "")))
            .expect(201);

    assertThat(created.header("Location")).isPresent();
    assertThat(owner.get(created.header("Location").orElseThrow()).expect(200).json())
        .isEqualTo(created.json());
    assertThat(Json.names(created.json()))
        .containsExactlyInAnyOrder(
            "id",
            "tenant_id",
            "type",
            "data",
            "fingerprint",
            "containers",
            "metadata",
            "created_by",
            "created_at",
            "expires_at");
    assertThat(created.text("id")).isEqualTo("order:17.customer@shop");
    assertThat(created.text("tenant_id")).isEqualTo(tenant.id());
    assertThat(created.text("type")).isEqualTo("token");
    assertThat(created.text("data")).isEqualTo("secret");
    assertThat(Json.texts(created.get("containers"))).containsExactly("/a/b/", "/c/");
    assertThat(created.get("metadata")).isEqualTo(Json.object("order", "17", "\u00fc", ""));
    assertThat(created.text("created_by")).isEqualTo(owner.id());
    assertThat(OffsetDateTime.parse(created.text("expires_at"))).isEqualTo(expiry);
  }

  @Test
  void anIdIsAUuidUnlessGiven() {
    Response created = create(token("secret")).expect(201);

    assertThat(UUID.fromString(created.text("id"))).isNotNull();
    assertThat(Json.names(created.json()))
        .doesNotContain("expires_at", "modified_by", "modified_at");
  }

  @TestFactory
  Stream<DynamicTest> everyTypeHasAContainerOfItsOwn() {
    Map<String, String> containers = new LinkedHashMap<>();
    containers.put("{\"type\": \"token\", \"data\": \"x\"}", "/general/high/");
    containers.put(
        """
        {"type": "card", "data": {"number": "4242424242424242", "expiration_month": 12,
         "expiration_year": 2030, "cvc": "123"}}\
        """,
        "/pci/high/");
    containers.put(
        """
        {"type": "bank", "data": {"routing_number": "021000021", "account_number": "12345678"}}\
        """,
        "/bank/high/");
    containers.put("{\"type\": \"card_number\", \"data\": \"4242424242424242\"}", "/pci/high/");
    containers.put("{\"type\": \"us_bank_account_number\", \"data\": \"12345678\"}", "/bank/high/");
    containers.put("{\"type\": \"us_bank_routing_number\", \"data\": \"021000021\"}", "/bank/low/");
    containers.put(
        "{\"type\": \"social_security_number\", \"data\": \"078-05-1120\"}", "/pii/high/");
    containers.put("{\"type\": \"employer_id_number\", \"data\": \"12-3456789\"}", "/pii/high/");
    return containers.entrySet().stream()
        .map(
            each ->
                dynamicTest(
                    each.getKey(),
                    () ->
                        assertThat(
                                Json.texts(
                                    create(Json.parse(each.getKey()))
                                        .expect(201)
                                        .get("containers")))
                            .containsExactly(each.getValue())));
  }

  @TestFactory
  Stream<DynamicTest> dataOfAnyKindComesBackAsItWas() {
    return Stream.of(
            "\"\"",
            "\"text\"",
            "\"\u00fc \u4e16 \uD83D\uDD11 \\\" \\\\ / \\n \\u0001 </script>\"",
            "0",
            "-12",
            "12345678901234567890123456789012345678901234567890",
            "0.1",
            "-1.25e-300",
            "true",
            "false",
            "[]",
            "{}",
            "[1, \"2\", null, [true, {}]]",
            "{\"number\": \"4242\", \"nested\": {\"a\": [null], \"\": 1}, \"z\": 0, \"a\": 0}",
            "\"{{some-token}}\"",
            "[".repeat(63) + "]".repeat(63))
        .map(
            data ->
                dynamicTest(
                    data,
                    () -> {
                      String id =
                          create("{\"type\": \"token\", \"data\": " + data + "}")
                              .expect(201)
                              .text("id");
                      assertThat(owner.get("/tokens/" + id).expect(200).get("data"))
                          .isEqualTo(Json.parse(data));
                    }));
  }

  @TestFactory
  Stream<DynamicTest> numbersComeBackAsTheyWereWritten() {
    return Stream.of("1.10", "-0", "-0.0", "1e400", "1E-7", "1e1000000000", "100000000000000000000")
        .map(
            number ->
                dynamicTest(
                    number,
                    () -> {
                      String id = create("{\"type\":\"token\",\"data\":" + number + "}").text("id");
                      assertThat(owner.get("/tokens/" + id).expect(200).text())
                          .containsPattern("\"data\": ?" + Pattern.quote(number) + "[,}]");
                    }));
  }

  @TestFactory
  Stream<DynamicTest> dataThatIsNoSoundJsonIsRefused() {
    return Stream.of(
            "{\"a\": 1, \"a\": 1}",
            "[{\"a\": {\"b\": 1, \"b\": 2}}]",
            "{\"a\": 1, \"\\u0061\": 2}",
            "\"\\u0000\"",
            "[\"x\\u0000\"]",
            "{\"\\u0000\": 1}",
            "\"\\ud800\"",
            "{\"\\udc00\": 1}",
            "01",
            "+1",
            "1.",
            ".5",
            "Infinity",
            "0x10",
            "'x'",
            "[1,]",
            "\"tab\tin text\"",
            "True")
        .map(
            data ->
                dynamicTest(
                    data,
                    () ->
                        create("{\"type\": \"token\", \"data\": " + data + "}")
                            .expectProblem(400, "validation-failed")));
  }

  @Test
  void theOrderOfDataIsKept() {
    String id = create("{\"type\":\"token\",\"data\":{\"z\":1,\"a\":2,\"m\":3}}").text("id");

    assertThat(owner.get("/tokens/" + id).text()).contains("{\"z\":1,\"a\":2,\"m\":3}");
  }

  @Test
  void bodiesNestAtMost64Deep() {
    create("{\"type\": \"token\", \"data\": " + "[".repeat(64) + "]".repeat(64) + "}")
        .expectProblem(400, "validation-failed");
  }

  @Test
  void dataIsAtMostOneMebibyteOfJson() {
    String largest = "d".repeat(MAX_DATA - 2);

    String id = create(token(largest)).expect(201).text("id");

    assertThat(owner.get("/tokens/" + id).expect(200).text("data")).isEqualTo(largest);
    create(token(largest + "d")).expectErrorsAt("data");
  }

  @TestFactory
  Stream<DynamicTest> aNewTokenIsRefusedWhereItIsWrong() {
    Map<String, JsonNode> wrong = new LinkedHashMap<>();
    wrong.put("missing -> type", token("x").without("type"));
    wrong.put("unknown -> type", token("x").put("type", "Card"));
    wrong.put("missing -> data", token("x").without("data"));
    wrong.put("null -> data", token("x").putNull("data"));
    wrong.put("number -> id", token("x").put("id", 123));
    for (String id : wrongIds()) {
      wrong.put("'" + id + "' -> id", token("x").put("id", id));
    }
    wrong.put("none -> containers", token("x").set("containers", Json.of(List.of())));
    wrong.put("text -> containers", token("x").put("containers", "/a/"));
    wrong.put("shape -> containers[1]", in("/a/", "b"));
    wrong.put("null -> containers[0]", in((String) null));
    wrong.put("too long -> containers[0]", in("/" + "c".repeat(199) + "/"));
    wrong.put("21 -> containers", in(numbered(21)));
    wrong.put("number -> metadata.a", token("x").set("metadata", Json.object("a", 1)));
    wrong.put("text -> metadata", token("x").put("metadata", "a"));
    wrong.put("51 entries -> metadata", token("x").set("metadata", entries(51)));
    wrong.put("past -> expires_at", token("x").put("expires_at", "2020-01-01T00:00:00Z"));
    wrong.put("no time -> expires_at", token("x").put("expires_at", "never"));
    wrong.put("misspelt -> containres", token("x").put("containres", "/a/"));
    return wrong.entrySet().stream()
        .map(
            each ->
                dynamicTest(
                    each.getKey(),
                    () -> create(each.getValue()).expectErrorsAt(each.getKey().split(" -> ")[1])));
  }

  private static List<String> wrongIds() {
    Stream<String> forbidden =
        "#/\\+?[]|&=%<>{}^\"'` \t\n\u00a0\u2003\u202e\u200b\ufeff\udb40\udc41\u0378"
            .codePoints()
            .mapToObj(each -> "id" + Character.toString(each) + "id");
    return Stream.concat(forbidden, Stream.of("", "ab", "i".repeat(201))).toList();
  }

  @TestFactory
  Stream<DynamicTest> anIdMayBeAnyOtherText() {
    return Stream.of("abc", "i".repeat(200), "a:b;c,d@e.f!g$h(i)*~_-", "\u00fc\u4e16\u754c", "...")
        .map(
            id ->
                dynamicTest(
                    id,
                    () -> {
                      assertThat(create(token("x").put("id", id)).expect(201).text("id"))
                          .isEqualTo(id);
                      if (!id.equals("...")) {
                        String path = "/tokens/" + encoded(id);
                        assertThat(owner.get(path).expect(200).text("id")).isEqualTo(id);
                        owner.delete(path).expect(204);
                      }
                    }));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Test
  void anIdIsTakenOnceInATenant() {
    create(token("first").put("id", "taken")).expect(201);

    create(token("second").put("id", "taken")).expectProblem(409, "token-id-taken");

    assertThat(owner.get("/tokens/taken").text("data")).isEqualTo("first");
    create(token("third").put("id", "Taken")).expect(201);
    RunningVault.shared()
        .newTenant()
        .owner()
        .post("/tokens", token("other").put("id", "taken"))
        .expect(201);
    assertThat(owner.get("/tokens/taken").text("data")).isEqualTo("first");
  }

  @Test
  void deletingEndsTheToken() {
    String id = owner.token("secret");

    assertThat(owner.delete("/tokens/" + id).expect(204).bytes()).isEmpty();

    owner.get("/tokens/" + id).expectProblem(404, "not-found");
    owner.delete("/tokens/" + id).expectProblem(404, "not-found");
    assertThat(owner.get("/tokens").get("data")).isEmpty();
  }

  @Test
  void idsThatNameNothingAreNotFound() {
    for (String id : List.of(UUID.randomUUID().toString(), "nothing", "x", "%C3%BC%20")) {
      owner.get("/tokens/" + id).expectProblem(404, "not-found");
      owner.delete("/tokens/" + id).expectProblem(404, "not-found");
    }
  }

  @Test
  void fromItsExpiryOnATokenIsNotFound() {
    String soon = OffsetDateTime.now(UTC).plus(Duration.ofSeconds(5)).toString();
    String id = owner.token(token("secret").put("expires_at", soon));
    owner.get("/tokens/" + id).expect(200);

    Eventually.holds(
        "the token is not found",
        Duration.ofSeconds(20),
        () -> owner.get("/tokens/" + id).status() == 404);

    owner.delete("/tokens/" + id).expectProblem(404, "not-found");
    assertThat(owner.get("/tokens").get("pagination").get("total_items").asInt()).isZero();
  }

  @Test
  void theListIsNewestFirstAndPaged() {
    List<String> ids = Stream.of("1", "2", "3").map(owner::token).toList();

    Response first = owner.get("/tokens?size=2").expect(200);

    assertThat(Json.each(first.get("data"), "id")).containsExactly(ids.get(2), ids.get(1));
    assertThat(Json.each(first.get("data"), "data")).containsExactly("3", "2");
    assertThat(listed("?size=2&page=2")).containsExactly(ids.get(0));
    assertThat(listed("?size=2&page=3")).isEmpty();
    assertThat(first.get("pagination"))
        .isEqualTo(
            Json.parse(
                """
                {"total_items": 3, "page_number": 1, "page_size": 2, "total_pages": 2}\
                """));
  }

  @Test
  void theListIsFilteredByIdsTypesContainerAndMetadata() {
    String a = owner.token(in("/pci/high/", "/x/").put("id", "tok-a"));
    String b = owner.token(in("/pci2/").set("metadata", Json.object("k", "v", "l", "w")));
    String c =
        owner.token(
            Json.object("type", "social_security_number", "data", "078-05-1120")
                .set("metadata", Json.object("k", "v")));

    assertThat(listed("?id=" + a + "&id=" + c)).containsExactly(c, a);
    assertThat(listed("?id=tok-unknown")).isEmpty();
    assertThat(listed("?type=social_security_number")).containsExactly(c);
    assertThat(listed("?type=token&type=card")).containsExactly(b, a);
    assertThat(listed("?container=/pci/")).containsExactly(a);
    assertThat(listed("?container=/X/")).containsExactly(a);
    assertThat(listed("?container=/")).containsExactly(c, b, a);
    assertThat(listed("?metadata.k=v")).containsExactly(c, b);
    assertThat(listed("?metadata.k=v&metadata.l=w")).containsExactly(b);
    assertThat(listed("?metadata.k=V")).isEmpty();
    assertThat(listed("?metadata.k=v&type=token")).containsExactly(b);
    assertThat(owner.get("/tokens?metadata.k=v").get("pagination").get("total_items").asInt())
        .isEqualTo(2);
    owner.get("/tokens?type=robot").expectErrorsAt("type");
    owner.get("/tokens?container=pci").expectErrorsAt("container");
  }

  @Test
  void theLargestMetadataAndContainersAreKept() {
    JsonNode metadata = entries(50);
    ObjectNode token = in(numbered(20));

    String id = owner.token(token.set("metadata", metadata));

    Response found = owner.get("/tokens/" + id).expect(200);
    assertThat(found.get("metadata")).isEqualTo(metadata);
    assertThat(Json.texts(found.get("containers"))).containsExactlyInAnyOrder(numbered(20));
  }

  private List<String> listed(String query) {
    return Json.each(owner.get("/tokens" + query).expect(200).get("data"), "id");
  }

  private Response create(Object body) {
    return owner.post("/tokens", body);
  }

  private static ObjectNode token(String data) {
    return Json.object("type", "token", "data", data);
  }

  private static ObjectNode in(String... containers) {
    return token("x").set("containers", Json.of(containers));
  }

  private static String[] numbered(int count) {
    return IntStream.range(0, count).mapToObj(i -> "/c" + i + "/").toArray(String[]::new);
  }

  private static JsonNode entries(int count) {
    return Json.of(
        IntStream.range(0, count)
            .boxed()
            .collect(Collectors.toMap(i -> "name " + i, i -> "value " + i)));
  }
}
