package io.tokenvault.server.e2e.application;

import static io.tokenvault.server.e2e.fixture.TenantFixture.rule;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.server.assembly.IssuedKeyLine;
import io.tokenvault.server.e2e.fixture.Call;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import io.tokenvault.server.e2e.guarantee.Endpoint;
import io.tokenvault.server.e2e.guarantee.PermissionCatalog;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Calls every endpoint with each permission that allows it, with all other permissions together,
 * and with every kind of invalid key.
 */
class AuthorizationMatrixTest {

  private static TenantFixture tenant;
  private static String replacedKey;

  @BeforeAll
  static void createApplications() {
    tenant = RunningVault.shared().newTenant();
    Client replaced = tenant.application("private", "token:read", "token:use", "token:create");
    tenant.management().post("/applications/" + replaced.id() + "/regenerate").expect(200);
    replacedKey = replaced.key();
  }

  private static Stream<Endpoint> endpoints() {
    return Endpoint.ALL.stream();
  }

  @ParameterizedTest
  @MethodSource("endpoints")
  void endpointAllowsOnlyItsPermissions(Endpoint endpoint) {
    Map<String, List<String>> others = new TreeMap<>();
    for (PermissionCatalog each : PermissionCatalog.PERMISSIONS) {
      String type = each.isAllowedFor("private") ? "private" : "management";
      if (endpoint.allows(each.permission())) {
        assertAllowed(endpoint, tenant.application(type, each.permission()));
      } else {
        others.computeIfAbsent(type, any -> new ArrayList<>()).add(each.permission());
      }
    }
    others.forEach(
        (type, permissions) ->
            assertDenied(endpoint, tenant.application(type, permissions.toArray(String[]::new))));
  }

  private static void assertAllowed(Endpoint endpoint, Client holder) {
    Response response = endpoint.call().key(holder.key()).send();
    assertThat(response.status()).as("%s", response).isIn(200, 400, 404);
  }

  private static void assertDenied(Endpoint endpoint, Client holder) {
    assertProblem(endpoint.call().key(holder.key()).send(), endpoint, 403, "forbidden");
  }

  @ParameterizedTest
  @MethodSource("endpoints")
  void missingAndUnknownKeysAreRejected(Endpoint endpoint) {
    assertRejected(endpoint, List.of());
    assertRejected(endpoint, List.of(IssuedKeyLine.text(ApiKey.generate(new SecureRandom()))));
  }

  @ParameterizedTest
  @MethodSource("invalidKeys")
  void invalidKeysAreRejected(List<String> keys) {
    endpoints()
        .filter(each -> List.of("GET /permissions", "GET /proxy").contains(each.toString()))
        .forEach(endpoint -> assertRejected(endpoint, keys));
  }

  static Stream<List<String>> invalidKeys() {
    String valid = tenant.management().key();
    String other = tenant.owner().key();
    char character = valid.charAt(20);
    String changed = valid.substring(0, 20) + (character == 'a' ? 'b' : 'a') + valid.substring(21);
    return Stream.of(
        List.of(""),
        List.of("letmein"),
        List.of(changed),
        List.of(valid.toUpperCase(Locale.ROOT)),
        List.of(valid + "0"),
        List.of(replacedKey),
        List.of(valid, valid),
        List.of(valid, other),
        List.of(valid + "," + other));
  }

  private static void assertRejected(Endpoint endpoint, List<String> keys) {
    Call call = endpoint.call();
    keys.forEach(call::key);
    assertProblem(call.send(), endpoint, 401, "unauthenticated");
  }

  @Test
  void keyIsReadOnlyFromItsHeaderInAnyCase() {
    String key = tenant.management().key();
    RunningVault vault = RunningVault.shared();

    vault.call("GET", "/applications").header("svc-Api-Key", key).send().expect(200);
    for (String parameter : List.of("SVC-API-KEY", "svc-api-key", "api_key", "key")) {
      vault.get("/applications?" + parameter + "=" + key).expectProblem(401, "unauthenticated");
      vault.get("/proxy?" + parameter + "=" + key).expect(401);
    }
    vault
        .call("GET", "/applications")
        .header("Authorization", "Bearer " + key)
        .header("X-API-KEY", key)
        .header("Cookie", "SVC-API-KEY=" + key)
        .send()
        .expectProblem(401, "unauthenticated");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"token:create", "token:read", "token:search", "token:delete", "token:use"})
  void permissionInRuleAllowsEndpoint(String permission) {
    Client holder = tenant.applicationWithRules(rule(1, "/nowhere/", "redact", permission));

    endpoints()
        .filter(each -> each.allows(permission))
        .forEach(each -> assertAllowed(each, holder));
    endpoints()
        .filter(each -> !each.allows(permission))
        .filter(each -> each.concernsTokens() || each.path().equals("/logs"))
        .forEach(each -> assertDenied(each, holder));
  }

  @Test
  void keyAndPermissionAreCheckedBeforeBodyAndItsType() {
    Client reader = tenant.application("management", "log:read");

    reader.call("POST", "/applications").body("text/plain", "{").send().expect(403);
    reader.post("/proxies", "not json").expect(403);
    Call anonymous = RunningVault.shared().call("POST", "/tokens");
    anonymous.body("application/json", "not json").send().expect(401);
  }

  private static void assertProblem(Response response, Endpoint endpoint, int status, String type) {
    response.expect(status);
    JsonNode problem = endpoint.isProxy() ? response.get("proxy_error") : response.json();
    assertThat(problem.path("type").asText()).isEqualTo("urn:tokenvault:problem:" + type);
    assertThat(problem.path("status").asInt()).isEqualTo(status);
  }
}
