package io.tokenvault.server.process.nodes;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.process.fixture.Http;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;

/** Requests of one caller to one URL, that of a node or of what is in front of nodes. */
final class Calls {

  private static final HttpClient CLIENT =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(10))
          .build();
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final String url;
  private final String key;

  /**
   * @param key empty: none is sent
   */
  Calls(String url, String key) {
    this.url = url;
    this.key = key;
  }

  HttpResponse<String> get(String path) {
    return send(request(path).GET());
  }

  HttpResponse<String> delete(String path) {
    return send(request(path).DELETE());
  }

  HttpResponse<String> post(String path, String json) {
    return send(withJson(path, "application/json").POST(BodyPublishers.ofString(json)));
  }

  HttpResponse<String> put(String path, String json) {
    return send(withJson(path, "application/json").PUT(BodyPublishers.ofString(json)));
  }

  HttpResponse<String> patch(String path, String json) {
    return send(
        withJson(path, "application/merge-patch+json")
            .method("PATCH", BodyPublishers.ofString(json)));
  }

  /** An invocation of the proxy, with this header and value. */
  HttpResponse<String> invoke(String header, String value, String body) {
    return send(
        withJson("/proxy", "application/json")
            .header(header, value)
            .POST(BodyPublishers.ofString(body)));
  }

  /** What was made, which has to succeed. */
  JsonNode made(String path, String json) {
    return expect(201, post(path, json));
  }

  static JsonNode expect(int status, HttpResponse<String> response) {
    if (response.statusCode() != status) {
      throw new AssertionError(
          "not "
              + status
              + " but "
              + response.statusCode()
              + " "
              + response.body()
              + " of "
              + response.request().method()
              + " "
              + response.uri());
    }
    return response.body().isEmpty() ? null : Http.json(response.body());
  }

  /** Empty if there was no answer. */
  Optional<HttpResponse<String>> tryGet(String path) {
    try {
      return Optional.of(get(path));
    } catch (UncheckedIOException none) {
      return Optional.empty();
    }
  }

  private HttpRequest.Builder withJson(String path, String type) {
    return request(path).header("Content-Type", type);
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path)).timeout(PATIENCE);
    return key.isEmpty() ? request : request.header("SVC-API-KEY", key);
  }

  private HttpResponse<String> send(HttpRequest.Builder builder) {
    HttpRequest request = builder.build();
    try {
      return CLIENT.send(request, BodyHandlers.ofString());
    } catch (IOException failed) {
      throw new UncheckedIOException(request.method() + " " + request.uri(), failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }
}
