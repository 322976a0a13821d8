package io.tokenvault.adapters.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.adapters.http.response.RejectedRequestException;
import io.tokenvault.domain.failure.FailureCause;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pages list every route and every problem type of this module and the domain. */
class ApiPageTest {

  private static final Path DOCS = Path.of("..", "docs");
  private static final Path SOURCES = Path.of("src/main/java/io/tokenvault/adapters/http");
  private static final Pattern ROUTE =
      Pattern.compile("\\.(get|post|put|patch|delete|open)(?:Once)?\\(\\s*\"(/[^\"]*)\"");
  private static final Pattern ENDPOINT = Pattern.compile("`(GET|POST|PUT|PATCH|DELETE) (/[^`]*)`");
  private static final Pattern CAUSE = Pattern.compile("(?m)^\\| (\\d{3}) \\| `([a-z-]+)` \\|");

  @Test
  void everyRouteIsListed() throws IOException {
    assertThat(listedEndpoints()).containsExactlyInAnyOrderElementsOf(routes());
  }

  @Test
  void everyCauseIsListedWithItsStatus() throws IOException {
    List<String> listed =
        CAUSE
            .matcher(Files.readString(DOCS.resolve("problems.md")))
            .results()
            .map(row -> row.group(1) + " " + row.group(2))
            .toList();
    assertThat(listed).containsExactlyInAnyOrderElementsOf(causes());
  }

  private static List<String> listedEndpoints() throws IOException {
    return Files.readAllLines(DOCS.resolve("api/README.md")).stream()
        .filter(line -> line.startsWith("| `"))
        .flatMap(line -> ENDPOINT.matcher(line.split("\\|")[1]).results())
        .map(endpoint -> endpoint.group(1) + " " + endpoint.group(2))
        .toList();
  }

  private static List<String> routes() throws IOException {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      return files
          .filter(Files::isRegularFile)
          .map(ApiPageTest::source)
          .flatMap(ApiPageTest::routes)
          .toList();
    }
  }

  private static Stream<String> routes(String source) {
    return ROUTE.matcher(source).results().map(ApiPageTest::endpoint);
  }

  private static String endpoint(MatchResult route) {
    String method = route.group(1).equals("open") ? "GET" : route.group(1).toUpperCase(Locale.ROOT);
    return method + " " + route.group(2);
  }

  private static String source(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static List<String> causes() {
    return Stream.concat(
            Arrays.stream(FailureCause.values())
                .map(cause -> cause.code().status() + " " + name(cause.urn())),
            Arrays.stream(RejectedRequestException.Cause.values())
                .map(failure -> failure.status() + " " + name(failure.urn())))
        .toList();
  }

  private static String name(String urn) {
    return urn.substring(urn.lastIndexOf(':') + 1);
  }
}
