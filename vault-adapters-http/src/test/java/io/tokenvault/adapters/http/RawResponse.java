package io.tokenvault.adapters.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import io.tokenvault.ports.memory.SmallJsonCodec;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A response as received.
 *
 * @param head status line and headers, one character for each byte
 */
public record RawResponse(String head, byte[] bodyBytes) {

  public int status() {
    return Integer.parseInt(head.split(" ", 3)[1]);
  }

  /** Returns all values of a header, in order. */
  public List<String> values(String name) {
    return head.lines()
        .skip(1)
        .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
        .map(line -> line.substring(name.length() + 1).strip())
        .toList();
  }

  /** Returns the header lines as received. */
  List<String> headerLines() {
    return head.lines().skip(1).map(String::stripTrailing).toList();
  }

  public String header(String name) {
    List<String> values = values(name);
    assertThat(values).as(name + " of " + head).hasSize(1);
    return values.get(0);
  }

  public String body() {
    return new String(bodyBytes, StandardCharsets.ISO_8859_1);
  }

  public JsonObject json() {
    JsonValue value = new SmallJsonCodec().read(bodyBytes);
    assertThat(value).isInstanceOf(JsonObject.class);
    return (JsonObject) value;
  }

  /** Asserts that this is a complete problem response. */
  public RawResponse isProblem(int status, String name) {
    assertThat(status()).as(this::toString).isEqualTo(status);
    assertThat(header("Content-Type")).isEqualTo("application/problem+json");
    return isProblem(json(), status, name);
  }

  /** Asserts that this is a problem response, wrapped as a proxy error. */
  public RawResponse isProxyError(int status, String name) {
    assertThat(status()).as(this::toString).isEqualTo(status);
    assertThat(header("Content-Type")).isEqualTo("application/json");
    assertThat(json().properties()).containsOnlyKeys("proxy_error");
    return isProblem((JsonObject) json().properties().get("proxy_error"), status, name);
  }

  private RawResponse isProblem(JsonObject problem, int status, String name) {
    assertThat(problem.properties())
        .containsKeys("title", "detail")
        .containsEntry("type", JsonValue.of("urn:tokenvault:problem:" + name))
        .containsEntry("status", JsonValue.of(status));
    assertThat(((JsonString) problem.properties().get("instance")).value())
        .isEqualTo("urn:tokenvault:trace:" + header("SVC-TRACE-ID"));
    isFromVault();
    return this;
  }

  /** Asserts that this has the vault's own headers and does not reveal the server software. */
  public RawResponse isFromVault() {
    assertThat(header("Cache-Control")).isEqualTo("no-store");
    assertThat(header("X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(header("SVC-TRACE-ID")).matches("[ -~]{1,100}");
    assertThat(values("Server")).isEmpty();
    assertThat(toString().toLowerCase(java.util.Locale.ROOT)).doesNotContain("jetty", "<html");
    return this;
  }

  @Override
  public String toString() {
    return head + "\n\n" + body();
  }
}
