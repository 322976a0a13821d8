package io.tokenvault.server.e2e.operations;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.documentation.DocumentationPage;
import io.tokenvault.documentation.DocumentationPage.Message;
import io.tokenvault.documentation.DocumentationPage.Sample;
import io.tokenvault.documentation.SampleMatcher;
import io.tokenvault.server.e2e.fixture.Call;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import mockwebserver3.MockResponse;
import mockwebserver3.RecordedRequest;
import okio.ByteString;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the HTTP samples of the pages in docs in order, each page with a separate tenant. */
class DocumentationPageTest {

  private static final Path PAGES = Path.of("..", "docs");
  private static final String DESTINATION = "https://payments.test";

  /** A number that differs between responses. */
  private static final String DURATION = ".duration_ms";

  private final SampleMatcher samples = SampleMatcher.ofNames();

  @AutoClose
  private final HttpsDestination destination =
      HttpsDestination.start().respond(DocumentationPageTest::echo);

  static List<String> pagesWithSamples() throws IOException {
    try (Stream<Path> pages = Files.list(PAGES);
        Stream<Path> reference = Files.list(PAGES.resolve("api"))) {
      return Stream.concat(pages, reference)
          .filter(page -> page.toString().endsWith(".md"))
          .filter(page -> !DocumentationPage.samples(page).isEmpty())
          .map(page -> PAGES.relativize(page).toString())
          .sorted()
          .toList();
    }
  }

  @Test
  void tokenAndProxyPagesHaveSamples() throws IOException {
    assertThat(pagesWithSamples()).contains("api/tokens.md", "tokens.md", "proxy.md");
    assertThat(DocumentationPage.samples(PAGES.resolve("proxy.md"))).hasSizeGreaterThan(5);
    assertThat(DocumentationPage.samples(PAGES.resolve("api/tokens.md"))).hasSizeGreaterThan(5);
    assertThat(DocumentationPage.samples(PAGES.resolve("tokens.md"))).hasSizeGreaterThan(10);
  }

  @ParameterizedTest
  @MethodSource("pagesWithSamples")
  void everySampleRunsAsDocumented(String page) {
    TenantFixture tenant = RunningVault.shared().newTenant();
    samples.bind("management_key", tenant.management().key());
    samples.bind("management_id", tenant.management().id());
    samples.bind("tenant_id", tenant.id());
    if (page.startsWith("api")) {
      Client owner = tenant.owner();
      samples.bind("owner_key", owner.key());
      samples.bind("owner_id", owner.id());
    }
    DocumentationPage.samples(PAGES.resolve(page)).forEach(this::run);
  }

  private static MockResponse echo(RecordedRequest request) {
    return new MockResponse.Builder()
        .addHeader("Content-Type", "application/json")
        .body(Optional.ofNullable(request.getBody()).map(ByteString::utf8).orElse(""))
        .build();
  }

  private void run(Sample sample) {
    Response response = send(sample.request());
    Message expected = sample.answer();
    response.expect(Integer.parseInt(expected.firstWord()));
    expected
        .headers()
        .forEach(
            (name, value) ->
                samples.expect(
                    name + " of " + response,
                    value + "<text>",
                    response.header(name).orElse("none")));
    compareBody(expected.body(), response);
  }

  private Response send(Message request) {
    Call call = RunningVault.shared().call(request.firstWord(), samples.fill(request.secondWord()));
    request.headers().forEach((name, value) -> call.header(name, fillIn(value)));
    if (!request.body().isEmpty()) {
      if (!request.headers().containsKey("Content-Type")) {
        call.header("Content-Type", "application/json");
      }
      call.untypedBody(fillIn(request.body()).getBytes(StandardCharsets.UTF_8));
    }
    return call.send();
  }

  /** Fills in a sample, including the port of the test's destination. */
  private String fillIn(String text) {
    return samples.fill(text).replace(DESTINATION, DESTINATION + ":" + destination.port());
  }

  private void compareBody(String expected, Response response) {
    if (!expected.startsWith("{") && !expected.startsWith("[")) {
      assertThat(response.text()).isEqualTo(samples.fill(expected));
      return;
    }
    compare("", Json.parse(expected), response.json(), response);
  }

  private void compare(String path, JsonNode expected, JsonNode actual, Response response) {
    assertThat(actual.getNodeType())
        .as("%s of %s", path, response)
        .isEqualTo(expected.getNodeType());
    if (expected.isObject()) {
      assertThat(Json.names(actual))
          .as("properties of %s in %s", path, response)
          .isEqualTo(Json.names(expected));
      Json.names(expected)
          .forEach(
              name -> compare(path + "." + name, expected.get(name), actual.get(name), response));
    } else if (expected.isArray()) {
      assertThat(actual).as("%s of %s", path, response).hasSameSizeAs(expected);
      for (int i = 0; i < expected.size(); i++) {
        compare(path + "[" + i + "]", expected.get(i), actual.get(i), response);
      }
    } else if (!path.endsWith(DURATION)) {
      samples.expect(path + " of " + response, fillIn(expected.asText()), actual.asText());
    }
  }
}
