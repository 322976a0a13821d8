package io.tokenvault.server;

import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import io.tokenvault.ports.api.ServiceHeaders;
import io.tokenvault.server.json.JacksonJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;

/**
 * The requests that applications send most: proxied requests with a token, and the creation and the
 * reading of tokens.
 */
final class WarmUpRequests {

  private static final ServiceHeaders HEADERS = ServiceHeaders.DEFAULT;
  private static final int FIRST_ERROR = 400;

  private final HttpClient client = HttpClient.newHttpClient();
  private final String vault;
  private final List<HttpRequest> requests;

  /** Creates an application, a proxy and a token, which the requests use. */
  WarmUpRequests(String vault, String managementKey, String destination) throws IOException {
    this.vault = vault;
    String application =
        """
        {"name": "Warm-up", "type": "private", "permissions": ["token:create", "token:use"],
         "rules": [{"description": "All", "priority": 1, "container": "/", "transform": "reveal",
                    "permissions": ["token:read"]}]}""";
    String key = field("key", post("/applications", application, managementKey));
    String proxy = "{\"name\": \"Warm-up\", \"destination_url\": \"" + destination + "\"}";
    String proxyKey = field("key", post("/proxies", proxy, managementKey));
    HttpRequest creation =
        post("/tokens", "{\"type\": \"card_number\", \"data\": \"4242424242424242\"}", key);
    String token = field("id", creation);
    HttpRequest read = request("/tokens/" + token, key, "Accept", "application/json").GET().build();
    String charge = "{\"card\": \"{{" + token + "}}\", \"note\": \"" + "x".repeat(1000) + "\"}";
    HttpRequest invocation =
        request("/proxy", key, HEADERS.proxyKey(), proxyKey, "Content-Type", "application/json")
            .POST(BodyPublishers.ofString(charge))
            .build();
    this.requests =
        List.of(invocation, invocation, invocation, creation, invocation, invocation, read);
  }

  /**
   * Sends requests one after the other.
   *
   * @param end the time of {@link System#nanoTime} at which it stops
   * @return the number of requests
   */
  long sendUntil(long end) {
    int sent = 0;
    try {
      while (System.nanoTime() < end) {
        send(requests.get(sent % requests.size()));
        sent++;
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    return sent;
  }

  private HttpRequest post(String path, String body, String key) {
    return request(path, key, "Content-Type", "application/json")
        .POST(BodyPublishers.ofString(body))
        .build();
  }

  private HttpRequest.Builder request(String path, String key, String... headers) {
    return HttpRequest.newBuilder(URI.create(vault + path))
        .header(HEADERS.apiKey(), key)
        .headers(headers);
  }

  private String field(String name, HttpRequest request) throws IOException {
    JsonObject object = (JsonObject) new JacksonJson().read(send(request));
    return ((JsonString) object.members().get(name)).value();
  }

  private byte[] send(HttpRequest request) throws IOException {
    try {
      HttpResponse<byte[]> response = client.send(request, BodyHandlers.ofByteArray());
      if (response.statusCode() >= FIRST_ERROR) {
        throw new IOException("the vault returned " + response.statusCode());
      }
      return response.body();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    }
  }
}
