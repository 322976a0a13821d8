package io.tokenvault.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** What came back. Assertions that fail show it all. */
record Answer(String request, int status, HttpHeaders headers, byte[] bytes) {

  String text() {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** The text but for its trace id, which may have any digits in it. */
  String told() {
    return text().replaceAll("urn:tokenvault:trace:[0-9a-f-]+", "");
  }

  JsonNode json() {
    return Json.parse(text());
  }

  /** A member of the body, which is an object. */
  JsonNode get(String member) {
    return json().path(member);
  }

  /** A member of the body as text. */
  String text(String member) {
    assertThat(json().has(member)).as("%s has %s", this, member).isTrue();
    return get(member).asText();
  }

  Optional<String> header(String name) {
    return headers.firstValue(name);
  }

  Answer expect(int expected) {
    assertThat(status).as("%s", this).isEqualTo(expected);
    return this;
  }

  /** A problem of this status and type ({@code urn:tokenvault:problem:TYPE}). */
  Answer expectProblem(int expected, String type) {
    expect(expected);
    assertThat(header("Content-Type").orElse("")).startsWith("application/problem+json");
    assertThat(text("type")).isEqualTo("urn:tokenvault:problem:" + type);
    return this;
  }

  /** A failed validation with errors at exactly these paths, in any order. */
  Answer expectErrorsAt(String... paths) {
    expectProblem(400, "validation-failed");
    assertThat(Json.names(get("errors"))).as("%s", this).containsExactlyInAnyOrder(paths);
    return this;
  }

  /** The messages at a path of a failed validation. */
  List<String> errorsAt(String path) {
    return Json.texts(get("errors").path(path));
  }

  @Override
  public String toString() {
    return request + " -> " + status + " " + text();
  }
}
