package io.tokenvault.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.tenant.TenantId;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;

/**
 * A tenant of its own, so that tests do not see each other.
 *
 * @param management holds every management permission
 */
record TenantFixture(RunningVault vault, String id, Client management) {

  /** Makes an application of any type with these permissions. */
  Client application(String type, String... permissions) {
    return application(
        Json.object("name", type + " test", "type", type, "permissions", List.of(permissions)));
  }

  /** Makes a private application with access rules and no direct permission. */
  Client ruled(ObjectNode... rules) {
    return application(Json.object("name", "ruled", "type", "private", "rules", List.of(rules)));
  }

  Client application(JsonNode body) {
    return Client.of(vault, management.post("/applications", body).expect(201));
  }

  /**
   * A private application that may do everything with tokens, and sees all of them in the clear.
   */
  Client owner() {
    return ruled(
        rule(1, "/", "reveal", "token:create", "token:read", "token:search", "token:delete"),
        rule(2, "/", "reveal", "token:update", "token:use"));
  }

  /** A private application that reads and searches all tokens under one transform. */
  Client reader(String transform) {
    return ruled(rule(1, "/", transform, "token:read", "token:search"));
  }

  /** Makes a proxy to a destination, and gives it as it was answered. */
  JsonNode proxy(String destinationUrl) {
    return proxy(Json.object("name", "proxy", "destination_url", destinationUrl));
  }

  JsonNode proxy(JsonNode body) {
    return management.post("/proxies", body).expect(201).json();
  }

  /** Changes where the tenant's tokens may go, as a command of the operator does. */
  void changeEgress(UnaryOperator<TenantEgress> change) {
    assertThat(
            vault
                .backend()
                .manageTenants()
                .changeEgress(new TenantId(UUID.fromString(id)), change, "Destinations changed"))
        .isPresent();
  }

  /** The log's entries, newest first, at most 10000. */
  JsonNode log() {
    return management.get("/logs?size=10000").expect(200).get("data");
  }

  /** A rule of a public or private application. */
  static ObjectNode rule(int priority, String container, String transform, String... permissions) {
    return Json.object(
        "description",
        "rule " + priority,
        "priority",
        priority,
        "container",
        container,
        "transform",
        transform,
        "permissions",
        List.of(permissions));
  }

  /** A rule of an expiring application, with conditions made by {@link #condition}. */
  static ObjectNode conditional(
      int priority, String transform, List<JsonNode> conditions, String... permissions) {
    return Json.object(
        "description",
        "rule " + priority,
        "priority",
        priority,
        "conditions",
        conditions,
        "transform",
        transform,
        "permissions",
        List.of(permissions));
  }

  static JsonNode condition(String attribute, String operator, String value) {
    return Json.object("attribute", attribute, "operator", operator, "value", value);
  }
}
