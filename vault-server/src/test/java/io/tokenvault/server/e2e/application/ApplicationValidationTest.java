package io.tokenvault.server.e2e.application;

import static io.tokenvault.server.e2e.fixture.TenantFixture.condition;
import static io.tokenvault.server.e2e.fixture.TenantFixture.conditional;
import static io.tokenvault.server.e2e.fixture.TenantFixture.draft;
import static io.tokenvault.server.e2e.fixture.TenantFixture.rule;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import io.tokenvault.server.e2e.guarantee.PermissionCatalog;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a body that creates or changes an application must look like. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApplicationValidationTest {

  private static final List<JsonNode> ANY_ID = List.of(condition("id", "starts_with", "tok"));

  private final TenantFixture tenant = RunningVault.shared().newTenant();
  private final Client management = tenant.management();

  @ParameterizedTest
  @ValueSource(strings = {"private", "public", "management", "expiring"})
  void typeAllowsExactlyCatalogPermissions(String type) {
    List<String> allowed = names(each -> each.mayBeHeldBy(type));
    List<String> refused = names(each -> !each.mayBeHeldBy(type));

    create(draft(type, allowed.toArray(String[]::new))).expect(201);
    create(draft(type, refused.toArray(String[]::new)))
        .expectErrorsAt(places("permissions[%d]", refused));
  }

  @ParameterizedTest
  @ValueSource(strings = {"private", "public", "expiring"})
  void ruleGrantsTheTokenPermissionsOfTheTypeAndNoOther(String type) {
    List<String> allowed = names(each -> each.concernsTokens() && each.mayBeHeldBy(type));
    List<String> refused = names(each -> !each.concernsTokens() || !each.mayBeHeldBy(type));

    create(ruled(type, granting(type, allowed))).expect(201);
    create(ruled(type, granting(type, refused)))
        .expectErrorsAt(places("rules[0].permissions[%d]", refused));
  }

  private static List<String> names(Predicate<PermissionCatalog> condition) {
    return PermissionCatalog.PERMISSIONS.stream()
        .filter(condition)
        .map(PermissionCatalog::permission)
        .toList();
  }

  private static String[] places(String pattern, List<String> elements) {
    return IntStream.range(0, elements.size()).mapToObj(pattern::formatted).toArray(String[]::new);
  }

  private static ObjectNode granting(String type, List<String> permissions) {
    String[] all = permissions.toArray(String[]::new);
    return type.equals("expiring")
        ? conditional(1, "mask", ANY_ID, all)
        : rule(1, "/", "mask", all);
  }

  @Test
  void everythingThatIsWrongIsReportedAtOnceAndNamesButNoDataAreRepeated() {
    Response response =
        create(
            json(
                """
                {'name': '', 'type': 'public', 'permissions': ['token:create', 'token:eat\\u202e'],
                 'rules': [
                   {'description': 'd', 'priority': 0, 'container': 'k9-secret', 'transform': 'show',
                    'permissions': ['token:create']},
                   {'priority': 1, 'conditions': [], 'transform': 'mask',
                    'permissions': ['token:update', 'token:read'], 'extra': 1}],
                 'expires_at': 'k9-secret', 'can_create_expiring_applications': true, 'nmae': 'x'}\
                """));

    response.expectErrorsAt(
        "name",
        "permissions[1]",
        "rules[0].priority",
        "rules[0].container",
        "rules[0].transform",
        "rules[1].description",
        "rules[1].container",
        "rules[1].conditions",
        "rules[1].permissions[1]",
        "rules[1].extra",
        "expires_at",
        "can_create_expiring_applications",
        "nmae");
    assertThat(response.text("title")).isEqualTo("One or more validation errors occurred.");
    assertThat(response.errorsAt("permissions[1]"))
        .containsExactly("'token:eat\\u{202e}' is not the name of a permission");
    assertThat(response.errorsAt("rules[0].transform"))
        .containsExactly("must be one of redact, mask, reveal, not 'show'");
    assertThat(response.text()).doesNotContain("k9");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'type': 'private', 'permissions': ['token:read']}                    | name
          {'name': 7, 'type': 'private', 'permissions': ['token:read']}         | name
          {'name': 'n', 'permissions': ['token:read']}                          | type
          {'name': 'n', 'type': 'robot', 'permissions': ['token:read']}         | type
          {'name': 'n', 'type': 'private', 'permissions': [], 'rules': null}    | error
          {'name': 'n', 'type': 'private', 'permissions': [null]}               | permissions[0]
          {'name': 'n', 'type': 'private', 'permissions': ['token:read'], 'rules': [null]} | rules[0]
          {'name': 'n', 'type': 'private', 'permissions': ['token:read'], 'key': 'x'} | key
          {'name': 'n', 'type': 'private', 'permissions': ['token:read'], 'expires_at': \
          '2099-01-01T00:00:00Z'} | expires_at
          """)
  void wrongApplicationIsRefused(String body, String path) {
    create(json(body)).expectErrorsAt(path);
  }

  @Test
  void namesAndListsHaveTheirLimits() {
    String emoji = "\uD83D\uDD11";
    ObjectNode application = json("{'type': 'private', 'permissions': ['token:read']}");
    create(application.put("name", emoji.repeat(200))).expect(201);
    create(application.put("name", emoji.repeat(201))).expectErrorsAt("name");
    String container = "/" + "p".repeat(198) + "/";
    ObjectNode[] rules =
        IntStream.rangeClosed(1, 51)
            .mapToObj(i -> rule(i, container, "mask", "token:read"))
            .map(rule -> rule.put("description", emoji.repeat(200)))
            .toArray(ObjectNode[]::new);
    create(ruled("private", Arrays.copyOf(rules, 50))).expect(201);
    create(ruled("private", rules)).expectErrorsAt("rules");
    application.put("name", "n");
    application.set("permissions", Json.of(Collections.nCopies(51, "token:read")));
    create(application).expectErrorsAt("permissions");
  }

  /** 3 MB that would be a million violations. */
  @Test
  void millionWrongElementsAreOneViolation() {
    String rules = "[[]" + ",[]".repeat(999_999) + "]";
    String body = "{\"name\": \"n\", \"type\": \"private\", \"rules\": " + rules + "}";

    Response response =
        management.call("POST", "/applications").body("application/json", body).send();

    assertThat(response.expectErrorsAt("rules").errorsAt("rules"))
        .containsExactly("must be at most 50");
  }

  @Test
  void acceptedValuesAreNormalized() {
    Response response =
        create(
            json(
                """
                {'name': 'n', 'type': 'private', 'permissions': ['token:use', 'token:use'],
                 'expires_at': null, 'can_create_expiring_applications': null, 'rules': [
                   {'description': 'd', 'priority': 1, 'container': '/PCI/High_1-x/',
                    'transform': 'mask', 'permissions': ['token:read', 'token:read']}]}\
                """));

    assertThat(Json.texts(response.expect(201).get("permissions"))).containsExactly("token:use");
    JsonNode rule = response.get("rules").get(0);
    assertThat(Json.texts(rule.get("permissions"))).containsExactly("token:read");
    assertThat(rule.get("container").asText()).isEqualTo("/pci/high_1-x/");
    assertThat(Json.names(response.json()))
        .doesNotContain("expires_at", "can_create_expiring_applications");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'permissions': ['token:read']}                                | name
          {'name': 'n', 'rules': []}                                     | error
          {'name': 'n', 'permissions': ['log:read']}                     | permissions[0]
          {'name': 'n', 'permissions': ['token:read'], 'type': 'public'} | type
          {'name': 'n', 'permissions': ['token:read'], 'expires_at': 'x'} | expires_at
          {'name': 'n', 'permissions': ['token:read'], 'can_create_expiring_applications': 1} \
          | can_create_expiring_applications
          """)
  void wrongUpdateIsRefusedAndChangesNothing(String body, String path) {
    String application = "/applications/" + tenant.application("private", "token:read").id();
    JsonNode before = management.get(application).json();

    management.put(application, json(body)).expectErrorsAt(path);

    assertThat(management.get(application).json()).isEqualTo(before);
  }

  private Response create(JsonNode body) {
    return management.post("/applications", body);
  }

  private static JsonNode ruled(String type, ObjectNode... rules) {
    return draft(type, List.of(rules));
  }

  /** JSON with single quotes, for readers. */
  private static ObjectNode json(String text) {
    return (ObjectNode) Json.parse(text.replace('\'', '"'));
  }
}
