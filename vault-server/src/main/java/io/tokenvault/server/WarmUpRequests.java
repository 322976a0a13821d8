package io.tokenvault.server;

import io.tokenvault.ports.api.ServiceHeaders;
import io.tokenvault.server.demo.VaultClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.util.List;

/**
 * The requests that applications send most: proxied requests with a token, and the creation and the
 * reading of tokens.
 */
final class WarmUpRequests {

  private static final ServiceHeaders HEADERS = ServiceHeaders.DEFAULT;

  private final VaultClient client;
  private final List<HttpRequest> requests;

  /** Creates an application, a proxy and a token, which the requests use. */
  WarmUpRequests(String vault, String managementKey, String destination) throws IOException {
    this.client = new VaultClient(vault);
    String application =
        """
        {"name": "Warm-up", "type": "private", "permissions": ["token:create", "token:use"],
         "rules": [{"description": "All", "priority": 1, "container": "/", "transform": "reveal",
                    "permissions": ["token:read"]}]}\
        """;
    String key = create("/applications", application, managementKey, "key");
    String proxy = "{\"name\": \"Warm-up\", \"destination_url\": \"" + destination + "\"}";
    String proxyKey = create("/proxies", proxy, managementKey, "key");
    String card = "{\"type\": \"card_number\", \"data\": \"4242424242424242\"}";
    String token = create("/tokens", card, key, "id");
    HttpRequest creation = client.post("/tokens", card, HEADERS.apiKey(), key);
    HttpRequest read =
        client.get("/tokens/" + token, HEADERS.apiKey(), key, "Accept", "application/json");
    String charge = "{\"card\": \"{{" + token + "}}\", \"note\": \"" + "x".repeat(1000) + "\"}";
    HttpRequest invocation =
        client.post("/proxy", charge, HEADERS.apiKey(), key, HEADERS.proxyKey(), proxyKey);
    this.requests =
        List.of(invocation, invocation, invocation, creation, invocation, invocation, read);
  }

  /** Creates a resource and returns a field of the response. */
  private String create(String path, String body, String key, String field) throws IOException {
    return VaultClient.text(client.read(client.post(path, body, HEADERS.apiKey(), key)), field);
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
        client.send(requests.get(sent % requests.size()));
        sent++;
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    return sent;
  }
}
