package io.tokenvault.server.e2e.token;

import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The token endpoints, for an application with all permissions on all tokens. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TokensTest {

  private final TenantFixture tenant = RunningVault.shared().newTenant();
  private final Client owner = tenant.owner();

  @Test
  void createdTokenIsReadAtItsLocation() {
    OffsetDateTime expiry = OffsetDateTime.now(UTC).plusDays(400).withNano(654_321_000);
    ObjectNode token = tokenIn("/A/b/", "/c/");
    token.put("id", "order:17.customer@shop").put("expires_at", expiry.toString());
    token.set("metadata", Json.object("order", "17", "\u00fc", ""));

    Response created = create(token).expect(201);

    assertThat(owner.get(created.header("Location").orElseThrow()).expect(200).json())
        .isEqualTo(created.json());
    assertThat(created.text("id")).isEqualTo("order:17.customer@shop");
    assertThat(Json.texts(created.get("containers"))).containsExactly("/a/b/", "/c/");
    assertThat(created.get("metadata")).isEqualTo(Json.object("order", "17", "\u00fc", ""));
    assertThat(OffsetDateTime.parse(created.text("expires_at"))).isEqualTo(expiry);
  }

  @Test
  void expressionsAreReturnedOnlyWithRevealedData() {
    ObjectNode token =
        Json.object("type", "token", "data", Json.object("a", "secret"))
            .put("fingerprint_expression", "{{ data.a }}secret");
    token.set("mask", Json.object("a", "{{ data.a | reveal_last: 2 }}"));
    token.set("search_indexes", Json.of(List.of("{{ data.a }}secret")));
    String path = "/tokens/" + owner.token(token.put("id", "with-expressions"));

    Response masked =
        tenant
            .applicationWithRules(TenantFixture.rule(1, "/", "mask", "token:read"))
            .get(path)
            .expect(200);

    assertThat(Json.names(owner.get(path).expect(200).json()))
        .contains("mask", "search_indexes", "fingerprint_expression");
    assertThat(Json.names(masked.json()))
        .doesNotContain("mask", "search_indexes", "fingerprint_expression");
    assertThat(masked.get("data")).isEqualTo(Json.object("a", "XXXXet"));
    assertThat(masked.text()).doesNotContain("secret");
  }

  @Test
  void dataOfAnyTypePreservesDigitsAndOrder() {
    for (String data :
        List.of(
            "\"\"",
            "\"\u00fc \u4e16 \uD83D\uDD11 \\\" \\\\ / \\n \\u0001 </script>\"",
            "12345678901234567890123456789012345678901234567890",
            "-1.25e-300",
            "true",
            "[]",
            "[1, \"2\", null, [true, {}]]",
            "{\"number\": \"4242\", \"nested\": {\"a\": [null], \"\": 1}}",
            "\"{{some-token}}\"",
            "[".repeat(63) + "]".repeat(63))) {
      String id = create(withData(data)).expect(201).text("id");
      assertThat(owner.get("/tokens/" + id).expect(200).get("data")).isEqualTo(Json.parse(data));
    }
    for (String exact :
        List.of("1.10", "-0", "-0.0", "1e400", "1E-7", "1e1000000000", "{\"z\":1,\"a\":2}")) {
      String id = create(withData(exact)).expect(201).text("id");
      assertThat(owner.get("/tokens/" + id).expect(200).text())
          .containsPattern("\"data\": ?" + Pattern.quote(exact) + "[,}]");
    }
  }

  @Test
  void unusualIdsAreAccepted() {
    for (String id :
        List.of("abc", "i".repeat(200), "a:b;c,d@e.f!g$h(i)*~_-", "\u00fc\u4e16\u754c")) {
      assertThat(create(token("x").put("id", id)).expect(201).text("id")).isEqualTo(id);
      String path = "/tokens/" + URLEncoder.encode(id, StandardCharsets.UTF_8);
      assertThat(owner.get(path).expect(200).text("id")).isEqualTo(id);
      owner.delete(path).expect(204);
    }
  }

  @Test
  void listIsNewestFirstAndPaged() {
    List<String> ids = Stream.of("1", "2", "3").map(each -> owner.token(each, "/paged/")).toList();

    Response first = owner.get("/tokens?container=/paged/&size=2").expect(200);

    assertThat(Json.each(first.get("data"), "id")).containsExactly(ids.get(2), ids.get(1));
    assertThat(Json.each(first.get("data"), "data")).containsExactly("3", "2");
    assertThat(listed("?container=/paged/&size=2&page=2")).containsExactly(ids.get(0));
    assertThat(listed("?container=/paged/&size=2&page=3")).isEmpty();
    first.expectPage(1, 2, 3, 2);
  }

  @Test
  void listIsFilteredByIdsTypesContainerAndMetadata() {
    String a = owner.token(tokenIn("/pci/high/", "/x/").put("id", "tok-a"));
    String b = owner.token(tokenIn("/pci2/").set("metadata", Json.object("k", "v", "l", "w")));
    ObjectNode number = Json.object("type", "social_security_number", "data", "078-05-1120");
    String c = owner.token(number.set("metadata", Json.object("k", "v")));

    assertThat(listed("?id=" + a + "&id=" + c)).containsExactly(c, a);
    assertThat(listed("?id=tok-unknown")).isEmpty();
    assertThat(listed("?type=social_security_number&type=card")).containsExactly(c);
    assertThat(listed("?container=/pci/")).containsExactly(a);
    assertThat(listed("?container=/X/")).containsExactly(a);
    assertThat(listed("?metadata.k=v")).containsExactly(c, b);
    assertThat(listed("?metadata.k=v&metadata.l=w")).containsExactly(b);
    assertThat(listed("?metadata.k=V")).isEmpty();
    assertThat(listed("?metadata.k=v&type=token")).containsExactly(b);
    owner.get("/tokens?type=robot").expectErrorsAt("type");
    owner.get("/tokens?container=pci").expectErrorsAt("container");
  }

  private List<String> listed(String query) {
    return Json.each(owner.get("/tokens" + query).expect(200).get("data"), "id");
  }

  private Response create(Object body) {
    return owner.post("/tokens", body);
  }

  private static String withData(String data) {
    return "{\"type\": \"token\", \"data\": " + data + "}";
  }

  private static ObjectNode token(String data) {
    return Json.object("type", "token", "data", data);
  }

  private static ObjectNode tokenIn(String... containers) {
    return token("x").set("containers", Json.of(containers));
  }
}
