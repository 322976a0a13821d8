package io.tokenvault.server.e2e;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A request that is being put together. Nothing is in it but what is asked for. */
final class Call {

  private static final HttpClient CLIENT =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .followRedirects(HttpClient.Redirect.NEVER)
          .connectTimeout(Duration.ofSeconds(10))
          .build();
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final String method;
  private final URI uri;
  private final HttpRequest.Builder request;
  private BodyPublisher body = BodyPublishers.noBody();

  Call(String method, URI uri) {
    this.method = method;
    this.uri = uri;
    this.request = HttpRequest.newBuilder(uri).timeout(PATIENCE);
  }

  /** Adds a header; a name may come again. */
  Call header(String name, String value) {
    request.header(name, value);
    return this;
  }

  Call key(String apiKey) {
    return header("SVC-API-KEY", apiKey);
  }

  /** A JSON body, with its content type. */
  Call json(Object json) {
    return body("application/json", json.toString());
  }

  Call body(String contentType, String text) {
    return body(contentType, text.getBytes(StandardCharsets.UTF_8));
  }

  Call body(String contentType, byte[] bytes) {
    return header("Content-Type", contentType).bareBody(bytes);
  }

  /** A body whose length is not announced. */
  Call chunkedBody(String contentType, byte[] bytes) {
    body = BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(bytes));
    return header("Content-Type", contentType);
  }

  /** A body without a content type. */
  Call bareBody(byte[] bytes) {
    body = BodyPublishers.ofByteArray(bytes);
    return this;
  }

  Answer send() {
    try {
      HttpResponse<byte[]> response =
          CLIENT.send(request.method(method, body).build(), BodyHandlers.ofByteArray());
      return new Answer(
          method + " " + uri.getRawPath() + query(),
          response.statusCode(),
          response.headers(),
          response.body());
    } catch (IOException failed) {
      throw new UncheckedIOException(method + " " + uri, failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }

  private String query() {
    return uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
  }
}
