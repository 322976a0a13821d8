package io.tokenvault.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import mockwebserver3.RecordedRequest;

/** A tenant with a caller who may use tokens, and a destination that its requests go to. */
final class ProxyFixture implements AutoCloseable {

  static final String DESTINATION_STATUS = "SVC-PROXY-DESTINATION-STATUS";

  final RunningVault vault = RunningVault.shared();
  final TenantFixture tenant = vault.newTenant();
  final Client caller = tenant.application("private", "token:create", "token:use");
  final HttpsDestination destination;

  ProxyFixture() {
    this(HttpsDestination.start());
  }

  ProxyFixture(HttpsDestination destination) {
    this.destination = destination;
  }

  /** A request to the destination by its URL. */
  Call call(String method, String pathAndQuery) {
    return call(caller, method, pathAndQuery);
  }

  Call call(Client client, String method, String pathAndQuery) {
    return client.call(method, "/proxy" + pathAndQuery).header("SVC-PROXY-URL", destination.url());
  }

  Call post() {
    return call("POST", "/");
  }

  /** An invocation of a proxy, on another node of the vault. */
  Call through(RunningVault.Node node, JsonNode proxy) {
    return node.call("POST", "/proxy")
        .key(caller.key())
        .header("SVC-PROXY-KEY", proxy.path("key").asText());
  }

  /** A request to the destination by its URL, on another node of the vault. */
  Call byUrl(RunningVault.Node node) {
    return node.call("POST", "/proxy").key(caller.key()).header("SVC-PROXY-URL", destination.url());
  }

  /** A request byte for byte, to the destination by its URL. */
  Answer raw(String method, String pathAndQuery, String... headers) {
    String[] lines = new String[headers.length + 3];
    lines[0] = method + " /proxy" + pathAndQuery + " HTTP/1.1";
    lines[1] = "SVC-API-KEY: " + caller.key();
    lines[2] = "SVC-PROXY-URL: " + destination.url();
    System.arraycopy(headers, 0, lines, 3, headers.length);
    return Wire.exchange(vault, lines);
  }

  /** Makes a token of the data, which the caller may use. */
  String token(Object data) {
    return caller.token(data);
  }

  /** A proxy to the destination. */
  JsonNode proxy() {
    return tenant.proxy(destination.url());
  }

  /** A proxy to the destination that needs no API key. */
  JsonNode anonymousProxy() {
    return tenant.proxy(
        Json.object(
            "name", "anonymous", "destination_url", destination.url(), "require_auth", false));
  }

  /** What the destination received as body, having answered. */
  String receivedBody() {
    return receivedBody(destination.received());
  }

  static String receivedBody(RecordedRequest request) {
    return request.getBody() == null ? "" : request.getBody().string(StandardCharsets.UTF_8);
  }

  /** Sends a body with an expression of the caller's and gives what arrived. */
  String passed(String contentType, String body) {
    post().body(contentType, body).send().expect(200);
    return receivedBody();
  }

  /** An error of the proxy's own (interface, section 7), of this type. */
  JsonNode refused(Answer answer, int status, String type) {
    answer.expect(status);
    assertThat(answer.header("Content-Type").orElse(""))
        .as("%s", answer)
        .isEqualTo("application/json");
    assertThat(answer.header(DESTINATION_STATUS)).as("%s", answer).isEmpty();
    assertThat(Json.names(answer.json())).containsExactly("proxy_error");
    JsonNode problem = answer.get("proxy_error");
    assertThat(problem.path("type").asText())
        .as("%s", answer)
        .isEqualTo("urn:tokenvault:problem:" + type);
    assertThat(problem.path("status").asInt()).isEqualTo(status);
    return problem;
  }

  /** The same, and nothing has left the vault. */
  JsonNode refusedBeforeAnythingLeft(Answer answer, int status, String type) {
    JsonNode problem = refused(answer, status, type);
    assertThat(destination.count()).as("requests at the destination").isZero();
    return problem;
  }

  @Override
  public void close() {
    destination.close();
  }
}
