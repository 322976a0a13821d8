package io.tokenvault.server.e2e.application;

import static io.tokenvault.server.e2e.fixture.TenantFixture.condition;
import static io.tokenvault.server.e2e.fixture.TenantFixture.conditional;
import static io.tokenvault.server.e2e.fixture.TenantFixture.rule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import io.tokenvault.server.e2e.guarantee.PermissionCatalog;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What a body that makes or changes an application must look like. */
class ApplicationValidationTest {

  private static final String EMOJI = "\uD83D\uDD11";
  private static final String RULE =
      "{'description': 'd', 'priority': 1, 'container': '/', 'transform': 'mask',"
          + " 'permissions': ['token:read']}";
  private static final List<JsonNode> ANY_ID = List.of(condition("id", "starts_with", "tok"));

  private final TenantFixture tenant = RunningVault.shared().newTenant();
  private final Client management = tenant.management();

  @TestFactory
  Stream<DynamicTest> aTypeMayHoldThePermissionsOfTheCatalogueAndNoOther() {
    return PermissionCatalog.PERMISSIONS.stream()
        .flatMap(
            each ->
                PermissionCatalog.APPLICATION_TYPES.stream()
                    .map(
                        type ->
                            dynamicTest(
                                type + " " + each.permission(),
                                () -> tryToGrant(each, type, each.mayBeHeldBy(type)))));
  }

  private void tryToGrant(PermissionCatalog permission, String type, boolean allowed) {
    Response response =
        create(
            Json.object(
                "name", "n", "type", type, "permissions", List.of(permission.permission())));
    if (allowed) {
      response.expect(201);
    } else {
      response.expectErrorsAt("permissions[0]");
      assertThat(response.errorsAt("permissions[0]").get(0)).contains(permission.permission());
    }
  }

  @TestFactory
  Stream<DynamicTest> aRuleMayGrantTheTokenPermissionsOfTheTypeAndNoOther() {
    return Stream.of("private", "public", "expiring")
        .flatMap(
            type ->
                PermissionCatalog.PERMISSIONS.stream()
                    .map(
                        each ->
                            dynamicTest(
                                type + " " + each.permission(),
                                () -> tryToGrantByRule(each, type))));
  }

  private void tryToGrantByRule(PermissionCatalog permission, String type) {
    ObjectNode rule =
        type.equals("expiring")
            ? conditional(1, "mask", ANY_ID, permission.permission())
            : rule(1, "/", "mask", permission.permission());
    Response response = create(Json.object("name", "n", "type", type, "rules", List.of(rule)));
    if (permission.concernsTokens() && permission.mayBeHeldBy(type)) {
      response.expect(201);
    } else {
      response.expectErrorsAt("rules[0].permissions[0]");
    }
  }

  @TestFactory
  Stream<DynamicTest> aNewApplicationIsRefusedWhereItIsWrong() {
    Map<String, String> wrong = new LinkedHashMap<>();
    wrong.put("{'type': 'private', 'permissions': ['token:read']}", "name");
    wrong.put("{'name': null, 'type': 'private', 'permissions': ['token:read']}", "name");
    wrong.put("{'name': '', 'type': 'private', 'permissions': ['token:read']}", "name");
    wrong.put("{'name': ' \\t ', 'type': 'private', 'permissions': ['token:read']}", "name");
    wrong.put("{'name': 7, 'type': 'private', 'permissions': ['token:read']}", "name");
    wrong.put("{'name': ['n'], 'type': 'private', 'permissions': ['token:read']}", "name");
    wrong.put("{'name': 'n', 'permissions': ['token:read']}", "type");
    wrong.put("{'name': 'n', 'type': 'Private', 'permissions': ['token:read']}", "type");
    wrong.put("{'name': 'n', 'type': 'robot', 'permissions': ['token:read']}", "type");
    wrong.put("{'name': 'n', 'type': 1, 'permissions': ['token:read']}", "type");
    wrong.put("{'name': 'n', 'type': 'private'}", "error");
    wrong.put("{'name': 'n', 'type': 'private', 'permissions': [], 'rules': []}", "error");
    wrong.put("{'name': 'n', 'type': 'private', 'permissions': null, 'rules': null}", "error");
    wrong.put(
        "{'name': 'n', 'type': 'private', 'permissions': 'token:read', 'rules': [" + RULE + "]}",
        "permissions");
    wrong.put("{'name': 'n', 'type': 'private', 'permissions': [1]}", "permissions[0]");
    wrong.put("{'name': 'n', 'type': 'private', 'permissions': [null]}", "permissions[0]");
    wrong.put(
        "{'name': 'n', 'type': 'private', 'permissions': ['token:read', 'token:eat']}",
        "permissions[1]");
    wrong.put("{'name': 'n', 'type': 'private', 'permissions': ['Token:Read']}", "permissions[0]");
    wrong.put(
        "{'name': 'n', 'type': 'private', 'permissions': ['token:read'], 'rules': {}}", "rules");
    wrong.put("{'name': 'n', 'type': 'private', 'rules': ['/']}", "rules[0]");
    wrong.put("{'name': 'n', 'type': 'private', 'rules': [null]}", "rules[0]");
    for (String field : List.of("id", "key", "tenant_id", "created_at", "permision")) {
      wrong.put(
          "{'name': 'n', 'type': 'private', 'permissions': ['token:read'], '" + field + "': 'x'}",
          field);
    }
    wrong.put(
        "{'name': 'n', 'type': 'private', 'permissions': ['token:read'],"
            + " 'can_create_expiring_applications': 'true'}",
        "can_create_expiring_applications");
    for (String type : List.of("public", "management", "expiring")) {
      for (boolean flag : List.of(true, false)) {
        wrong.put(
            "{'name': 'n', 'type': '%s', 'permissions': ['%s'],".formatted(type, heldBy(type))
                + " 'can_create_expiring_applications': "
                + flag
                + "}",
            "can_create_expiring_applications");
      }
    }
    return wrong.entrySet().stream()
        .map(
            each ->
                dynamicTest(
                    each.getKey(),
                    () -> create(json(each.getKey())).expectErrorsAt(each.getValue())));
  }

  private static String heldBy(String type) {
    return PermissionCatalog.PERMISSIONS.stream()
        .filter(each -> each.mayBeHeldBy(type))
        .findFirst()
        .orElseThrow()
        .permission();
  }

  @TestFactory
  Stream<DynamicTest> aRuleIsRefusedWhereItIsWrong() {
    Map<String, JsonNode> wrong = new LinkedHashMap<>();
    for (String field :
        List.of("description", "priority", "container", "transform", "permissions")) {
      wrong.put(field + " is missing -> " + field, good().without(field));
      wrong.put(field + " is null -> " + field, good().putNull(field));
      wrong.put(field + " has the wrong type -> " + field, good().set(field, Json.object()));
    }
    wrong.put("blank -> description", good().put("description", " "));
    wrong.put("201 characters -> description", good().put("description", "d".repeat(201)));
    for (String number : List.of("0", "-1", "1.5", "'1'", "99999999999", "true")) {
      wrong.put(number + " -> priority", good().set("priority", json(number)));
    }
    for (String container :
        List.of("", "pci", "/pci", "pci/", "//", "/pci//", "/p ci/", "/pci/*/", "/\u00fc/")) {
      wrong.put("'" + container + "' -> container", good().put("container", container));
    }
    wrong.put("201 characters -> container", good().put("container", path(201)));
    for (String transform : List.of("", "Reveal", "hide")) {
      wrong.put("'" + transform + "' -> transform", good().put("transform", transform));
    }
    wrong.put("none -> permissions", good().set("permissions", Json.of(List.of())));
    wrong.put("unknown -> permissions[0]", good().set("permissions", Json.of(List.of("x"))));
    wrong.put("conditions beside a container -> conditions", good().set("conditions", any()));
    wrong.put("colour -> colour", good().put("colour", "red"));
    return wrong.entrySet().stream()
        .map(
            each ->
                dynamicTest(
                    each.getKey(),
                    () ->
                        create(with("private", each.getValue()))
                            .expectErrorsAt("rules[0]." + each.getKey().split(" -> ")[1])));
  }

  @TestFactory
  Stream<DynamicTest> aRuleOfAnExpiringApplicationIsRefusedWhereItIsWrong() {
    Map<String, JsonNode> wrong = new LinkedHashMap<>();
    wrong.put("missing -> conditions", byCondition().without("conditions"));
    wrong.put("none -> conditions", byCondition().set("conditions", Json.of(List.of())));
    wrong.put("no list -> conditions", byCondition().put("conditions", "id"));
    wrong.put("21 -> conditions", byCondition().set("conditions", times(21)));
    wrong.put("container beside conditions -> container", byCondition().put("container", "/"));
    for (String field : List.of("attribute", "operator", "value")) {
      wrong.put(field + " missing -> conditions[1]." + field, second(field, null));
      wrong.put(field + " of the wrong type -> conditions[1]." + field, second(field, 1));
      wrong.put(field + " empty -> conditions[1]." + field, second(field, ""));
    }
    wrong.put("unknown -> conditions[1].attribute", second("attribute", "type"));
    wrong.put("unknown -> conditions[1].operator", second("operator", "ends_with"));
    wrong.put("upper case -> conditions[1].operator", second("operator", "Equals"));
    wrong.put("more -> conditions[1].more", second("more", "x"));
    return wrong.entrySet().stream()
        .map(
            each ->
                dynamicTest(
                    each.getKey(),
                    () ->
                        create(with("expiring", each.getValue()))
                            .expectErrorsAt("rules[0]." + each.getKey().split(" -> ")[1])));
  }

  @Test
  void aManagementApplicationCannotHaveRules() {
    create(with("management", rule(1, "/", "mask", "token:read"))).expectErrorsAt("rules");
    Client client = tenant.application("management", "log:read");
    management
        .put("/applications/" + client.id(), Json.object("name", "n", "rules", List.of(good())))
        .expectErrorsAt("rules");
  }

  @Test
  void eachRuleNeedsAPriorityOfItsOwn() {
    Response response =
        create(
            Json.object(
                "name",
                "n",
                "type",
                "private",
                "rules",
                List.of(
                    rule(2, "/a/", "mask", "token:read"),
                    rule(1, "/b/", "mask", "token:read"),
                    rule(2, "/c/", "mask", "token:read"))));

    response.expectErrorsAt("rules[2].priority");
  }

  @Test
  void everythingThatIsWrongIsToldAtOnce() {
    Response response =
        create(
            json(
                """
                {'name': '', 'type': 'public', 'permissions': ['token:create', 'log:read'],
                 'rules': [
                   {'description': 'd', 'priority': 0, 'container': '/x/', 'transform': 'show',
                    'permissions': ['token:create']},
                   {'priority': 1, 'conditions': [], 'transform': 'mask',
                    'permissions': ['token:update', 'token:read'], 'extra': 1}],
                 'expires_at': 'soon', 'can_create_expiring_applications': true, 'nmae': 'x'}\
                """));

    response.expectErrorsAt(
        "name",
        "permissions[1]",
        "rules[0].priority",
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
  }

  @Test
  void noMessageRepeatsWhatIsNoName() {
    String secret = "k9-secret-k9";

    Response response =
        create(
            Json.object(
                "name",
                secret.repeat(20),
                "type",
                "private",
                "rules",
                List.of(good().put("container", secret + " ")),
                "expires_at",
                secret));

    response.expect(400);
    assertThat(response.text()).doesNotContain("k9");
  }

  @Test
  void whatDoesNotExistIsNamed() {
    Response response =
        create(
            Json.object(
                "name",
                "n",
                "type",
                "robot",
                "permissions",
                List.of("token:read", "token:eat\u202e", "x".repeat(1000)),
                "rules",
                List.of(
                    good().put("transform", "hide").set("permissions", Json.of(List.of("log:eat"))),
                    second("attribute", "colour").put("priority", 2)),
                "na\u202eme",
                1));

    response.expect(400);
    assertThat(response.errorsAt("type")).first().asString().endsWith(", not 'robot'");
    assertThat(response.errorsAt("permissions[1]"))
        .containsExactly("'token:eat\\u{202e}' is not the name of a permission");
    assertThat(response.errorsAt("permissions[2]"))
        .containsExactly("'" + "x".repeat(50) + "...' is not the name of a permission");
    assertThat(response.errorsAt("rules[0].transform"))
        .containsExactly("must be one of redact, mask, reveal, not 'hide'");
    assertThat(response.errorsAt("rules[0].permissions[0]"))
        .containsExactly("'log:eat' is not the name of a permission");
    assertThat(response.errorsAt("rules[1].conditions[1].attribute"))
        .containsExactly("must be one of id, container, not 'colour'");
    assertThat(response.errorsAt("na\\u{202e}me")).containsExactly("is not a known field");
  }

  /** 3 MB that would be a million violations. */
  @Test
  void aMillionWrongElementsAreOneViolation() {
    for (String field : List.of("permissions", "rules")) {
      String body =
          "{\"name\": \"n\", \"type\": \"private\", \""
              + field
              + "\": [[]"
              + ",[]".repeat(999_999)
              + "]}";

      Response response =
          management.call("POST", "/applications").body("application/json", body).send();

      assertThat(response.expectErrorsAt(field).errorsAt(field))
          .containsExactly("must be at most 50");
    }
  }

  @Test
  void asManyViolationsAsAreReturnedSayThatThereMayBeMore() {
    ObjectNode body = Json.object("name", "n", "type", "private", "permissions", read());
    for (int i = 0; i < 1000; i++) {
      body.put("unknown-" + i, i);
    }

    Response response = create(body).expectProblem(400, "validation-failed");

    assertThat(response.get("errors")).hasSize(101);
    assertThat(response.errorsAt("error"))
        .containsExactly("checking stopped after 100 violations; there may be more");
  }

  @TestFactory
  Stream<DynamicTest> anElementThatIsNullIsRefusedWhateverElseIsThere() {
    Map<String, String> wrong = new LinkedHashMap<>();
    String start = "{'name': 'n', 'type': 'private', 'permissions': ['token:read'";
    wrong.put(start + "], 'rules': [null]}", "rules[0]");
    wrong.put(start + "], 'rules': [" + RULE + ", null]}", "rules[1]");
    wrong.put(start + ", null]}", "permissions[1]");
    wrong.put(
        start + "], 'rules': [" + RULE.replace("['token:read']", "['token:read', null]") + "]}",
        "rules[0].permissions[1]");
    wrong.put(
        "{'name': 'n', 'type': 'expiring', 'rules': [{'description': 'd', 'priority': 1,"
            + " 'conditions': [{'attribute': 'id', 'operator': 'equals', 'value': 'x'}, null],"
            + " 'transform': 'mask', 'permissions': ['token:read']}]}",
        "rules[0].conditions[1]");
    return wrong.entrySet().stream()
        .map(
            each ->
                dynamicTest(
                    each.getKey(),
                    () -> create(json(each.getKey())).expectErrorsAt(each.getValue())));
  }

  @Test
  void namesAreCountedInCodePoints() {
    create(Json.object("name", EMOJI.repeat(200), "type", "private", "permissions", read()))
        .expect(201);
    Response response =
        create(Json.object("name", EMOJI.repeat(201), "type", "private", "permissions", read()));
    response.expectErrorsAt("name");
    String name = "  \u00e4 \u4e16 " + EMOJI + " \\ \" </name> ";
    assertThat(
            create(Json.object("name", name, "type", "private", "permissions", read()))
                .expect(201)
                .text("name"))
        .isEqualTo(name);
  }

  @Test
  void theLargestRulesAndListsAreTaken() {
    List<JsonNode> rules =
        IntStream.rangeClosed(1, 50)
            .<JsonNode>mapToObj(
                i -> rule(i, path(200), "mask", "token:read").put("description", EMOJI.repeat(200)))
            .toList();
    create(Json.object("name", "n", "type", "private", "rules", rules)).expect(201);
    create(with("expiring", byCondition().set("conditions", times(20)))).expect(201);
    create(
            Json.object(
                "name",
                "n",
                "type",
                "private",
                "permissions",
                Collections.nCopies(50, "token:read")))
        .expect(201);
  }

  @Test
  void largerListsAreRefusedAsAWhole() {
    List<JsonNode> rules = new ArrayList<>();
    for (int i = 1; i <= 51; i++) {
      rules.add(rule(i, "/", "mask", "token:read"));
    }
    create(Json.object("name", "n", "type", "private", "rules", rules)).expectErrorsAt("rules");
    create(
            Json.object(
                "name",
                "n",
                "type",
                "private",
                "permissions",
                Collections.nCopies(51, "token:read")))
        .expectErrorsAt("permissions");
  }

  @Test
  void theSamePermissionTwiceCountsOnce() {
    Response response =
        create(
            Json.object(
                "name",
                "n",
                "type",
                "private",
                "permissions",
                List.of("token:use", "token:read", "token:use"),
                "rules",
                List.of(rule(1, "/", "mask", "token:read", "token:read"))));

    assertThat(Json.texts(response.expect(201).get("permissions")))
        .containsExactly("token:use", "token:read");
    assertThat(Json.texts(response.get("rules").get(0).get("permissions")))
        .containsExactly("token:read");
  }

  @Test
  void containersAreKeptInLowerCase() {
    Response response = create(with("public", good().put("container", "/PCI/High_1-x/")));

    assertThat(response.expect(201).get("rules").get(0).get("container").asText())
        .isEqualTo("/pci/high_1-x/");
  }

  @Test
  void anExplicitNullIsTheSameAsLeavingTheFieldOut() {
    Response response =
        create(
            json(
                """
                {'name': 'n', 'type': 'private', 'permissions': ['token:read'], 'rules': null,
                 'expires_at': null, 'can_create_expiring_applications': null}\
                """));

    response.expect(201);
    assertThat(Json.names(response.json()))
        .doesNotContain("expires_at", "can_create_expiring_applications");
    create(with("private", good().putNull("conditions"))).expect(201);
    create(with("expiring", byCondition().putNull("container"))).expect(201);
  }

  @TestFactory
  Stream<DynamicTest> textThatIsNoPlainJsonObjectIsRefused() {
    String good = "{'name': 'n', 'type': 'private', 'permissions': ['token:read']}";
    return Stream.of(
            "",
            " ",
            "{",
            "nothing",
            "[]",
            "'text'",
            "null",
            "1",
            good + " x",
            good + good,
            good.replace("}", ",}"),
            "{'name': 'n', 'name': 'm', 'type': 'private', 'permissions': ['token:read']}",
            good.replace("'n'", "'\\u0000'"),
            good.replace("'n'", "'\\ud83d'"),
            good.replace("'n'", "'\\udd11\\ud83d'"),
            "/* comment */" + good,
            good.replace("'n'", "NaN"),
            "{'name': 'n', 'x': " + "[".repeat(64) + "]".repeat(64) + "}")
        .map(text -> text.replace('\'', '"'))
        .map(
            text ->
                dynamicTest(
                    text.isBlank() ? "'" + text + "'" : text,
                    () -> {
                      Response response =
                          management
                              .call("POST", "/applications")
                              .body("application/json", text)
                              .send()
                              .expectProblem(400, "validation-failed");
                      assertThat(response.get("errors")).isNotEmpty();
                    }));
  }

  @Test
  void aBodyThatIsNotUtf8IsRefused() {
    byte[] latin =
        "{\"name\": \"\u00e9\", \"type\": \"private\"}".getBytes(StandardCharsets.ISO_8859_1);

    management
        .call("POST", "/applications")
        .body("application/json", latin)
        .send()
        .expectProblem(400, "validation-failed");
  }

  @TestFactory
  Stream<DynamicTest> anUpdateIsRefusedWhereItIsWrong() {
    Map<String, String> wrong = new LinkedHashMap<>();
    wrong.put("{'permissions': ['token:read']}", "name");
    wrong.put("{'name': 'n'}", "error");
    wrong.put("{'name': 'n', 'rules': []}", "error");
    wrong.put("{'name': 'n', 'permissions': ['log:read']}", "permissions[0]");
    for (String field : List.of("type", "expires_at", "key", "id", "created_at")) {
      wrong.put("{'name': 'n', 'permissions': ['token:read'], '" + field + "': 'x'}", field);
    }
    wrong.put(
        "{'name': 'n', 'permissions': ['token:read'], 'can_create_expiring_applications': 1}",
        "can_create_expiring_applications");
    wrong.put(
        "{'name': 'n', 'rules': [{'description': 'd', 'priority': 1, 'transform': 'mask',"
            + " 'permissions': ['token:read']}]}",
        "rules[0].container");
    String path = "/applications/" + tenant.application("private", "token:read").id();
    return wrong.entrySet().stream()
        .map(
            each ->
                dynamicTest(
                    each.getKey(),
                    () ->
                        management.put(path, json(each.getKey())).expectErrorsAt(each.getValue())));
  }

  @Test
  void anUpdateMayLeavePermissionsOutOrEmptyThem() {
    String path = "/applications/" + tenant.application("private", "token:read").id();
    List<JsonNode> rules = List.of(good());

    management
        .put(path, Json.object("name", "n", "permissions", List.of(), "rules", rules))
        .expect(200);
    management.put(path, Json.object("name", "n", "rules", rules)).expect(200);
    management.put(path, Json.object("name", "n", "permissions", null, "rules", rules)).expect(200);
  }

  @TestFactory
  Stream<DynamicTest> theFlagCannotBeGivenToAnotherTypeByAnUpdate() {
    return Stream.of("public", "management", "expiring")
        .map(
            type ->
                dynamicTest(
                    type,
                    () -> {
                      Client client = tenant.application(type, heldBy(type));
                      management
                          .put(
                              "/applications/" + client.id(),
                              Json.object(
                                  "name",
                                  "n",
                                  "permissions",
                                  List.of(heldBy(type)),
                                  "can_create_expiring_applications",
                                  true))
                          .expectErrorsAt("can_create_expiring_applications");
                    }));
  }

  @Test
  void aRefusedUpdateChangesNothing() {
    Client client = tenant.application("private", "token:read");
    JsonNode before = management.get("/applications/" + client.id()).json();

    management
        .put("/applications/" + client.id(), json("{'name': 'changed', 'permissions': ['x']}"))
        .expect(400);

    assertThat(management.get("/applications/" + client.id()).json()).isEqualTo(before);
  }

  private Response create(JsonNode body) {
    return management.post("/applications", body);
  }

  private static JsonNode with(String type, JsonNode rule) {
    return Json.object("name", "n", "type", type, "rules", List.of(rule));
  }

  private static ObjectNode good() {
    return rule(1, "/pci/", "mask", "token:create");
  }

  private static ObjectNode byCondition() {
    return conditional(1, "mask", ANY_ID, "token:read");
  }

  private static JsonNode any() {
    return Json.of(ANY_ID);
  }

  private static JsonNode times(int count) {
    return Json.of(Collections.nCopies(count, ANY_ID.get(0)));
  }

  /** An expiring application's rule with something wrong in its second condition. */
  private static ObjectNode second(String field, Object value) {
    ObjectNode wrong = (ObjectNode) condition("container", "equals", "/x/");
    wrong.set(field, Json.of(value));
    ObjectNode rule = byCondition();
    rule.set("conditions", Json.of(List.of(ANY_ID.get(0), wrong)));
    return rule;
  }

  /** A container of a length. */
  private static String path(int length) {
    return IntStream.range(0, length)
        .mapToObj(i -> i == 0 || i == length - 1 ? "/" : "p")
        .collect(Collectors.joining());
  }

  private static List<String> read() {
    return List.of("token:read");
  }

  /** JSON with single quotes, for readers. */
  private static JsonNode json(String text) {
    return Json.parse(text.replace('\'', '"'));
  }
}
