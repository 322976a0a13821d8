package io.tokenvault.benchmark.program;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tokenvault.server.environment.Unchecked;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;

/** A client of the API that throws unless a response has status 2xx. */
public final class ApiClient {

  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static final JsonMapper MAPPER = new JsonMapper();

  private final String url;
  private final Map<String, String> headers;

  public ApiClient(String url, Map<String, String> headers) {
    this.url = url;
    this.headers = headers;
  }

  public JsonNode post(String path, Object body) {
    return json(postText(path, text(body)));
  }

  public String postText(String path, String body) {
    return send(request(path).POST(BodyPublishers.ofString(body)));
  }

  public JsonNode get(String path) {
    return json(send(request(path).GET()));
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path));
    request.setHeader("Content-Type", "application/json");
    headers.forEach(request::setHeader);
    return request;
  }

  private static String send(HttpRequest.Builder request) {
    HttpResponse<String> response =
        Unchecked.get(() -> CLIENT.send(request.build(), BodyHandlers.ofString()));
    if (response.statusCode() / 100 != 2) {
      throw new IllegalStateException(response + ": " + response.body());
    }
    return response.body();
  }

  public static JsonNode json(String text) {
    return Unchecked.get(() -> MAPPER.readTree(text));
  }

  public static String text(Object value) {
    return Unchecked.get(() -> MAPPER.writeValueAsString(value));
  }
}
