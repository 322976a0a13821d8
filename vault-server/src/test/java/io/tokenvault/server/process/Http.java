package io.tokenvault.server.process;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Requests to a server. */
final class Http {

  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final JsonMapper MAPPER = new JsonMapper();

  private final String url;
  private final String key;

  Http(VaultProcess server, String key) {
    this(server.url(), key);
  }

  /** Wherever the server runs. */
  Http(String url, String key) {
    this.url = url;
    this.key = key;
  }

  HttpResponse<String> get(String path) {
    return send(request(path).GET());
  }

  HttpResponse<String> post(String path, String json) {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json)));
  }

  /** An invocation of the proxy, with a header for the destination. */
  HttpResponse<String> invoke(String destinationUrl, String authorization, String json) {
    return send(
        request("/proxy")
            .header("SVC-PROXY-URL", destinationUrl)
            .header("Authorization", authorization)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json)));
  }

  /** An invocation of the proxy that has this key. */
  HttpResponse<String> invokeByKey(String proxyKey, String json) {
    return send(
        request("/proxy")
            .header("SVC-PROXY-KEY", proxyKey)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json)));
  }

  /** The status of a request that any good key may make. */
  int status() {
    return get("/permissions").statusCode();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(url + path))
        .timeout(PATIENCE)
        .header("SVC-API-KEY", key);
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return CLIENT.send(request.build(), BodyHandlers.ofString());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }

  static JsonNode json(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException invalid) {
      throw new AssertionError("not JSON: " + text, invalid);
    }
  }
}
