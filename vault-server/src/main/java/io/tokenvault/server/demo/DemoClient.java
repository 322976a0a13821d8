package io.tokenvault.server.demo;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import io.tokenvault.ports.runtime.JsonCodec;
import io.tokenvault.server.json.JacksonJson;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** Sends the requests of the demo to the vault, as any HTTP client would. */
final class DemoClient {

  private static final int FIRST_ERROR = 400;

  private final HttpClient client = HttpClient.newHttpClient();
  private final JsonCodec json = new JacksonJson();
  private final String baseUrl;

  DemoClient(String baseUrl) {
    this.baseUrl = baseUrl;
  }

  /**
   * Sends JSON and returns the response.
   *
   * @param headers names and values, alternating
   * @throws IOException if the status is 400 or higher
   */
  JsonValue post(String path, String body, String... headers)
      throws IOException, InterruptedException {
    return send(
        request(path, headers)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body)));
  }

  /**
   * Returns the JSON response to a GET request.
   *
   * @throws IOException if the status is 400 or higher
   */
  JsonValue get(String path, String... headers) throws IOException, InterruptedException {
    return send(request(path, headers).GET());
  }

  private HttpRequest.Builder request(String path, String... headers) {
    return HttpRequest.newBuilder(URI.create(baseUrl + path)).headers(headers);
  }

  private JsonValue send(HttpRequest.Builder request) throws IOException, InterruptedException {
    HttpResponse<byte[]> response = client.send(request.build(), BodyHandlers.ofByteArray());
    if (response.statusCode() >= FIRST_ERROR) {
      throw new IOException("the vault answered " + response.statusCode());
    }
    return json.read(response.body());
  }

  /** Returns a string field of an object. */
  static String text(JsonValue object, String member) {
    return ((JsonString) ((JsonObject) object).members().get(member)).value();
  }
}
