package io.tokenvault.server.e2e.guarantee;

import static io.tokenvault.server.e2e.fixture.TenantFixture.rule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.server.e2e.fixture.Call;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Calls an endpoint in a separate tenant, whose rows and audit entries are written by these calls
 * only.
 */
public final class EndpointFixture {

  public static final String PLAINTEXT = "PLAIN-4242-4242";

  /** Endpoints that return no data of the tenant and are therefore not recorded. */
  private static final Set<String> UNRECORDED =
      Set.of("GET /permissions", "GET /logs/entity-types");

  /** Selects the tenant's rows without the time of a key's last use, which changes at any time. */
  private static final String STATE =
      Stream.concat(
              Stream.of("tenant", "application", "proxy", "token", "container_binding")
                  .map("SELECT t::text FROM %s t WHERE tenant_id = '%%1$s'"::formatted),
              Stream.of(
                  "SELECT (key_hash, hash_version, kind, owner_id, ends_at)::text FROM credential"
                      + " WHERE tenant_id = '%1$s'"))
          .collect(Collectors.joining(" UNION ALL ", "", " ORDER BY 1"));

  private final FaultyVault faulty;
  private final Endpoint endpoint;
  private final HttpsDestination destination;
  private final TenantFixture tenant;
  private final Client owner;
  private String id;

  public EndpointFixture(FaultyVault faulty, Endpoint endpoint, HttpsDestination destination) {
    this.faulty = faulty;
    this.endpoint = endpoint;
    this.destination = destination;
    this.tenant = faulty.vault().newTenant();
    this.owner = tenant.owner();
  }

  /** Creates the resource that the next call uses. */
  public EndpointFixture prepare() {
    id = endpoint.path().contains("/tokens") || usesTokenData() ? newToken() : "";
    if (endpoint.path().startsWith("/applications")) {
      id = tenant.application("private", "token:use").id();
    }
    if (endpoint.path().startsWith("/proxies")) {
      id = tenant.proxy(proxyBody()).path("id").asText();
    }
    return this;
  }

  private boolean usesTokenData() {
    return endpoint.isProxy() || endpoint.path().equals("/detokenize");
  }

  private String newToken() {
    return owner.token(PLAINTEXT + UUID.randomUUID());
  }

  private ObjectNode proxyBody() {
    return TenantFixture.proxyDraft(destination.url());
  }

  public boolean isRecorded() {
    return !UNRECORDED.contains(endpoint.toString());
  }

  /** Returns whether the endpoint requires a permission, so that denials are recorded. */
  public boolean canBeDenied() {
    return !endpoint.allows("any");
  }

  public boolean changesState() {
    String name = endpoint.toString();
    return !(endpoint.method().equals("GET")
        || endpoint.isProxy()
        || name.endsWith("/test")
        || name.endsWith("/explain")
        || name.endsWith("/search")
        || name.endsWith("/detokenize"));
  }

  /** Calls the endpoint with the required permission. */
  public Response call() {
    return send(permittedClient());
  }

  /** Calls the endpoint without the required permission. */
  public Response callDenied() {
    return send(endpoint.concernsTokens() ? tenant.management() : owner);
  }

  public Response callAnonymously() {
    return faulty.vault().call(endpoint.method(), endpoint.path().replace("ID", id)).send();
  }

  /** Calls the endpoint with an unknown id if its path contains one. */
  public Optional<Response> callWithUnknownId() {
    String unknownId = UUID.randomUUID().toString();
    return endpoint.path().contains("ID")
        ? Optional.of(send(permittedClient(), endpoint.path().replace("ID", unknownId)))
        : Optional.empty();
  }

  /** Calls the endpoint with a parameter that no endpoint has. */
  public Response callWithUnknownParameter() {
    return send(permittedClient(), endpoint.path().replace("ID", id) + "?unknown=1");
  }

  /** Calls the endpoint with the required permission and another body. */
  public Response callWithBody(String contentType, String body) {
    return permittedClient()
        .call(endpoint.method(), endpoint.path().replace("ID", id))
        .body(contentType, body)
        .send();
  }

  private Client permittedClient() {
    return endpoint.concernsTokens() ? owner : tenant.management();
  }

  /** Returns its method and path in the OpenAPI document. */
  public String operation() {
    return endpoint.method()
        + " "
        + (endpoint.isProxy() ? "/proxy" : endpoint.path().replace("ID", "{id}"));
  }

  private Response send(Client client) {
    return send(client, endpoint.path().replace("ID", id));
  }

  private Response send(Client client, String path) {
    Call call = client.call(endpoint.method(), path);
    if (endpoint.isProxy()) {
      call.to(destination.url()).header("X-Card", "{{" + id + "}}");
    }
    switch (endpoint.method()) {
      case "POST", "PUT" -> call.json(requestBody());
      case "PATCH" -> call.body("application/merge-patch+json", patchBody().toString());
      default -> {
        // No body.
      }
    }
    return call.send();
  }

  private JsonNode patchBody() {
    return endpoint.concernsTokens()
        ? Json.object("metadata", Json.object("a", "b"))
        : Json.object("name", "changed");
  }

  private JsonNode requestBody() {
    return switch (endpoint.path()) {
      case "/proxies", "/proxies/ID" -> proxyBody().put("name", "changed");
      case "/applications" -> applicationBody().put("type", "private");
      case "/applications/ID" -> applicationBody();
      case "/tokens" -> Json.object("type", "token", "data", "new");
      case "/tokenize" -> Json.object("a", Json.object("type", "token", "data", "new"));
      case "/proxies/ID/test" ->
          Json.object("request", Json.object("method", "POST", "path", "/", "body", "x"));
      case "/applications/ID/regenerate" -> Json.object();
      case "/access/explain" ->
          Json.object("permission", "token:read", "container", "/pci/")
              .put("application_id", tenant.management().id());
      case "/tokens/search" -> Json.object("query", "type:token");
      default -> Json.object("card", "{{" + id + "}}");
    };
  }

  private static ObjectNode applicationBody() {
    return Json.object("name", "changed", "rules", List.of(rule(1, "/", "mask", "token:read")));
  }

  /** Returns all rows of the tenant except its audit log. */
  public List<String> state() {
    return faulty.runSql(STATE.formatted(tenant.id()));
  }

  public int entryCount() {
    return Integer.parseInt(
        faulty
            .runSql(
                "SELECT count(*) FROM audit_entry WHERE tenant_id = '%s'".formatted(tenant.id()))
            .get(0));
  }

  @Override
  public String toString() {
    return endpoint.toString();
  }
}
