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
 * An endpoint with a tenant of its own, so that all that is written there while it is called comes
 * from these calls.
 */
public final class GuardedEndpoint {

  public static final String PLAINTEXT = "PLAIN-4242-4242";

  /** What tells nothing that a tenant keeps, and so is not recorded. */
  private static final Set<String> UNRECORDED =
      Set.of("GET /permissions", "GET /logs/entity-types");

  /** When an application was last used is noted at any time, and is no change of it. */
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

  public GuardedEndpoint(FaultyVault faulty, Endpoint endpoint, HttpsDestination destination) {
    this.faulty = faulty;
    this.endpoint = endpoint;
    this.destination = destination;
    this.tenant = faulty.vault().newTenant();
    this.owner = tenant.owner();
  }

  /** Makes what the next call is about. */
  public GuardedEndpoint prepare() {
    id = endpoint.path().contains("/tokens") || isAboutData() ? newToken() : "";
    if (endpoint.path().startsWith("/applications")) {
      id = tenant.application("private", "token:use").id();
    }
    if (endpoint.path().startsWith("/proxies")) {
      id = tenant.proxy(proxy()).path("id").asText();
    }
    return this;
  }

  private boolean isAboutData() {
    return endpoint.isProxy() || endpoint.path().equals("/detokenize");
  }

  private String newToken() {
    return owner.token(PLAINTEXT + UUID.randomUUID());
  }

  private ObjectNode proxy() {
    return TenantFixture.proxyDraft(destination.url());
  }

  public boolean isRecorded() {
    return !UNRECORDED.contains(endpoint.toString());
  }

  /** Whether a refusal of it is recorded: there is a permission that can be missing. */
  public boolean canBeDenied() {
    return !endpoint.isOpenTo("any");
  }

  public boolean changesSomething() {
    String name = endpoint.toString();
    return !(endpoint.method().equals("GET")
        || endpoint.isProxy()
        || name.endsWith("/test")
        || name.endsWith("/explain")
        || name.endsWith("/search")
        || name.endsWith("/detokenize"));
  }

  /** As somebody who may. */
  public Response call() {
    return send(entitled());
  }

  /** As somebody who may not. */
  public Response denied() {
    return send(endpoint.concernsTokens() ? tenant.management() : owner);
  }

  /** As nobody. */
  public Response anonymous() {
    return faulty.vault().call(endpoint.method(), endpoint.path().replace("ID", id)).send();
  }

  /** About something that is not there, where it is about one thing. */
  public Optional<Response> toNothing() {
    String nothing = UUID.randomUUID().toString();
    return endpoint.path().contains("ID")
        ? Optional.of(send(entitled(), endpoint.path().replace("ID", nothing)))
        : Optional.empty();
  }

  /** As somebody who may, with another body. */
  public Response withBody(String contentType, String body) {
    return entitled()
        .call(endpoint.method(), endpoint.path().replace("ID", id))
        .body(contentType, body)
        .send();
  }

  private Client entitled() {
    return endpoint.concernsTokens() ? owner : tenant.management();
  }

  /** Its name in the description of the interface. */
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
      case "POST", "PUT" -> call.json(body());
      case "PATCH" -> call.body("application/merge-patch+json", patch().toString());
      default -> {
        // Without a body.
      }
    }
    return call.send();
  }

  private JsonNode patch() {
    return endpoint.concernsTokens()
        ? Json.object("metadata", Json.object("a", "b"))
        : Json.object("name", "changed");
  }

  private JsonNode body() {
    return switch (endpoint.path()) {
      case "/proxies", "/proxies/ID" -> proxy().put("name", "changed");
      case "/applications" -> application().put("type", "private");
      case "/applications/ID" -> application();
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

  private static ObjectNode application() {
    return Json.object("name", "changed", "rules", List.of(rule(1, "/", "mask", "token:read")));
  }

  /** All rows of the tenant but its log. */
  public List<String> state() {
    return faulty.asOwner(STATE.formatted(tenant.id()));
  }

  public int entries() {
    return Integer.parseInt(
        faulty
            .asOwner(
                "SELECT count(*) FROM audit_entry WHERE tenant_id = '%s'".formatted(tenant.id()))
            .get(0));
  }

  @Override
  public String toString() {
    return endpoint.toString();
  }
}
