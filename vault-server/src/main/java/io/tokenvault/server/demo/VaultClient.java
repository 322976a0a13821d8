package io.tokenvault.server.demo;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import io.tokenvault.ports.api.ServiceHeaders;
import io.tokenvault.server.json.JacksonJson;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** Sends requests to a vault, as any HTTP client would. */
public final class VaultClient {

  private static final int FIRST_ERROR = 400;

  private final HttpClient client = HttpClient.newHttpClient();
  private final JacksonJson json = new JacksonJson();
  private final String baseUrl;

  public VaultClient(String baseUrl) {
    this.baseUrl = baseUrl;
  }

  /**
   * Returns a request with a JSON body.
   *
   * @param headers names and values, alternating
   */
  public HttpRequest post(String path, String body, String... headers) {
    return request(path, headers)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(body))
        .build();
  }

  /** Returns a GET request. */
  public HttpRequest get(String path, String... headers) {
    return request(path, headers).GET().build();
  }

  private HttpRequest.Builder request(String path, String... headers) {
    return HttpRequest.newBuilder(URI.create(baseUrl + path)).headers(headers);
  }

  /**
   * Sends a request and returns the body of the response.
   *
   * @throws IOException if the status is 400 or higher
   */
  public byte[] send(HttpRequest request) throws IOException {
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

  /** Sends a request and returns the JSON of the response, as {@link #send}. */
  public JsonValue read(HttpRequest request) throws IOException {
    return json.read(send(request));
  }

  /** Creates a resource with an API key, and returns the JSON of the response. */
  public JsonValue create(String path, String body, String apiKey) throws IOException {
    return read(post(path, body, ServiceHeaders.DEFAULT.apiKey(), apiKey));
  }

  /** Returns a string field of an object. */
  public static String text(JsonValue object, String name) {
    return ((JsonString) ((JsonObject) object).properties().get(name)).value();
  }
}
