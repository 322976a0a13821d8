package io.tokenvault.server.e2e.application;

import static io.tokenvault.server.e2e.fixture.TenantFixture.rule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every endpoint with every permission, and with every kind of bad key. */
class AuthorizationMatrixTest {

  private static TenantFixture tenant;

  /** An application for each permission, which holds that one only. */
  private static final Map<String, Client> HOLDERS = new LinkedHashMap<>();

  private static String replacedKey;

  @BeforeAll
  static void makeApplications() {
    tenant = RunningVault.shared().newTenant();
    for (PermissionCatalog each : PermissionCatalog.PERMISSIONS) {
      HOLDERS.put(each.permission(), tenant.application(each.types().get(0), each.permission()));
    }
    Client replaced = tenant.application("private", "token:read", "token:use", "token:create");
    tenant.management().post("/applications/" + replaced.id() + "/regenerate").expect(200);
    replacedKey = replaced.key();
  }

  @TestFactory
  Stream<DynamicContainer> anEndpointIsOpenToItsPermissionAndNoOther() {
    return Endpoint.ALL.stream()
        .map(
            endpoint ->
                dynamicContainer(
                    endpoint.toString(),
                    HOLDERS.entrySet().stream()
                        .map(
                            holder ->
                                dynamicTest(
                                    holder.getKey(),
                                    () -> tryWith(endpoint, holder.getKey(), holder.getValue())))));
  }

  private static void tryWith(Endpoint endpoint, String permission, Client holder) {
    Response response = endpoint.call().key(holder.key()).send();
    if (endpoint.isOpenTo(permission)) {
      assertThat(response.status()).as("%s", response).isIn(200, 400, 404);
    } else {
      expect(response, endpoint, 403, "forbidden");
    }
  }

  @TestFactory
  Stream<DynamicContainer> anEndpointIsClosedWithoutOneGoodKey() {
    String good = tenant.management().key();
    Client owner = tenant.owner();
    Map<String, List<String>> bad = new LinkedHashMap<>();
    bad.put("no key", List.of());
    bad.put("an empty key", List.of(""));
    bad.put("text that is no key", List.of("letmein"));
    bad.put(
        "a key that was never issued",
        List.of(IssuedKeyLine.text(ApiKey.generate(new SecureRandom()))));
    bad.put("a key with a changed character", List.of(changed(good)));
    bad.put("a key in upper case", List.of(good.toUpperCase(Locale.ROOT)));
    bad.put("a key with more behind it", List.of(good + "0"));
    bad.put("a replaced key", List.of(replacedKey));
    bad.put("a good key sent twice", List.of(good, good));
    bad.put("two good keys", List.of(good, owner.key()));
    bad.put("two good keys in one header", List.of(good + "," + owner.key()));
    return Endpoint.ALL.stream()
        .map(
            endpoint ->
                dynamicContainer(
                    endpoint.toString(),
                    bad.entrySet().stream()
                        .map(
                            each ->
                                dynamicTest(
                                    each.getKey(), () -> closed(endpoint, each.getValue())))));
  }

  private static void closed(Endpoint endpoint, List<String> keys) {
    Call call = endpoint.call();
    keys.forEach(call::key);
    expect(call.send(), endpoint, 401, "unauthenticated");
  }

  @TestFactory
  Stream<DynamicTest> aKeyIsNotTakenFromAnywhereElse() {
    String key = tenant.management().key();
    return Stream.of("SVC-API-KEY", "svc-api-key", "api_key", "key")
        .map(
            parameter ->
                dynamicTest(
                    parameter,
                    () ->
                        RunningVault.shared()
                            .get("/applications?" + parameter + "=" + key)
                            .expectProblem(401, "unauthenticated")));
  }

  @Test
  void aKeyIsNotTakenFromOtherHeaders() {
    String key = tenant.management().key();

    RunningVault.shared()
        .call("GET", "/applications")
        .header("Authorization", "Bearer " + key)
        .header("X-API-KEY", key)
        .header("Cookie", "SVC-API-KEY=" + key)
        .send()
        .expectProblem(401, "unauthenticated");
  }

  @Test
  void theKeysHeaderIsReadInAnyCase() {
    RunningVault.shared()
        .call("GET", "/applications")
        .header("svc-Api-Key", tenant.management().key())
        .send()
        .expect(200);
  }

  @TestFactory
  Stream<DynamicTest> aPermissionInARuleOpensAnEndpointToo() {
    return Stream.of("token:create", "token:read", "token:search", "token:delete", "token:use")
        .map(
            permission ->
                dynamicTest(
                    permission,
                    () -> {
                      Client holder = tenant.ruled(rule(1, "/nowhere/", "redact", permission));
                      Endpoint.ALL.forEach(each -> tryWith(each, permission, holder));
                    }));
  }

  @Test
  void keyAndPermissionComeBeforeTheBodyAndItsType() {
    Client reader = HOLDERS.get("log:read");

    reader.call("POST", "/applications").body("text/plain", "{").send().expect(403);
    reader.post("/proxies", "not json").expect(403);
    RunningVault.shared()
        .call("POST", "/tokens")
        .body("application/json", "not json")
        .send()
        .expect(401);
  }

  private static void expect(Response response, Endpoint endpoint, int status, String type) {
    response.expect(status);
    JsonNode problem = endpoint.isProxy() ? response.get("proxy_error") : response.json();
    assertThat(problem.path("type").asText()).isEqualTo("urn:tokenvault:problem:" + type);
    assertThat(problem.path("status").asInt()).isEqualTo(status);
  }

  private static String changed(String key) {
    char last = key.charAt(20);
    return key.substring(0, 20) + (last == 'a' ? 'b' : 'a') + key.substring(21);
  }
}
