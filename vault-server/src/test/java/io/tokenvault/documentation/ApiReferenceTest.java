package io.tokenvault.documentation;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.documentation.ApiReference.Operation;
import io.tokenvault.documentation.ApiReference.Place;
import io.tokenvault.documentation.ApiReference.Problem;
import io.tokenvault.ports.api.ServiceHeaders;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.guarantee.Endpoint;
import io.tokenvault.server.openapi.ApiDocument;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares the pages in docs/api with the OpenAPI document, from which the parts between the
 * comments {@code api} and {@code /api} are generated. After a change of the document, run this
 * class with {@code -Dvault.test.jvm=-Dvault.golden.write=true} and review the difference.
 */
final class ApiReferenceTest {

  private static final Path DIRECTORY = Pages.DOCS.resolve("api");
  private static final Pattern GENERATED =
      Pattern.compile("<!-- api: ([^>]+) -->\n(.*?)<!-- /api -->", Pattern.DOTALL);
  private static final Pattern HEADING_OR_MARKER =
      Pattern.compile("(?m)^#+ (.+)$|^<!-- api: ([^>]+) -->$");
  private static final Pattern PROBLEM =
      Pattern.compile(
          "(?m)^\\| (\\d{3}) \\| `([a-z-]+)` \\| `([^`]+)` \\| [^|]+\\. \\| [^|]+\\. \\|$");

  private final ApiReference reference =
      new ApiReference(
          Json.parse(
              new String(new ApiDocument(ServiceHeaders.DEFAULT).json(), StandardCharsets.UTF_8)),
          places());

  static List<String> pages() {
    return Pages.inDocs(".md").stream()
        .filter(page -> page.startsWith(DIRECTORY))
        .map(page -> page.getFileName().toString())
        .toList();
  }

  /** Returns the preceding heading of each name in a marker. */
  private static Map<String, Place> places() {
    Map<String, Place> places = new LinkedHashMap<>();
    for (String page : pages()) {
      String heading = "";
      Matcher found = HEADING_OR_MARKER.matcher(Pages.read(DIRECTORY.resolve(page)));
      while (found.find()) {
        if (found.group(1) != null) {
          heading = found.group(1);
        } else {
          for (String name : found.group(2).split(" ")) {
            assertThat(places.put(name, new Place(page, heading))).as(name).isNull();
          }
        }
      }
    }
    return places;
  }

  @ParameterizedTest
  @MethodSource("pages")
  void pageMatchesApiDocument(String page) throws IOException {
    Path file = DIRECTORY.resolve(page);
    String text = Pages.read(file);
    String generated = GENERATED.matcher(text).replaceAll(part -> markedPart(part.group(1), page));
    if (Boolean.getBoolean("vault.golden.write")) {
      Files.writeString(file, generated);
    }
    assertThat(Pages.read(file)).isEqualTo(generated);
  }

  private String markedPart(String names, String page) {
    String part = reference.render(names, page);
    return Matcher.quoteReplacement("<!-- api: %s -->\n%s\n<!-- /api -->".formatted(names, part));
  }

  /** Includes only one of the proxy's operations, since the proxy forwards every method alike. */
  @Test
  void operationsAreDescribedUnderTheirSummary() {
    Map<String, String> expected =
        reference.operations().stream()
            .filter(each -> !each.isProxy() || each.method().equals("post"))
            .collect(toMap(Operation::id, Operation::summary));
    Map<String, String> described =
        reference.places().entrySet().stream()
            .filter(each -> Character.isLowerCase(each.getKey().charAt(0)))
            .filter(each -> !List.of("index", "errors").contains(each.getKey()))
            .collect(toMap(Map.Entry::getKey, each -> each.getValue().heading()));
    assertThat(described).isEqualTo(expected);
  }

  @Test
  void operationHasSampleOnItsPage() {
    List<String> missing = new ArrayList<>();
    for (Operation operation : reference.operations()) {
      Place place = reference.places().get(operation.id());
      if (place != null && !place.page().equals("README.md")) {
        Pattern request =
            Pattern.compile(operation.name().replaceAll("\\{[a-z]+}", "[^/\\\\s?]+") + "([?/].*)?");
        boolean shown =
            DocumentationPage.samples(DIRECTORY.resolve(place.page())).stream()
                .anyMatch(sample -> request.matcher(sample.request().start()).matches());
        if (!shown) {
          missing.add(operation.name());
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void descriptionsNameTheRequiredPermissions() {
    Map<String, List<String>> described =
        reference.operations().stream()
            .collect(
                toMap(
                    Operation::name,
                    each ->
                        each.permissions().stream().map(name -> name.replace("`", "")).toList()));
    for (Endpoint endpoint : Endpoint.ALL) {
      String path = endpoint.isProxy() ? "/proxy" : endpoint.path().replace("ID", "{id}");
      List<String> required =
          endpoint.permissions().equals(List.of("any")) ? List.of() : endpoint.permissions();
      assertThat(described.get(endpoint.method() + " " + path))
          .as("%s", endpoint)
          .isEqualTo(required);
    }
  }

  @Test
  void unrequiredPermissionsAreListed() {
    Set<String> unrequired = new TreeSet<>();
    reference
        .document()
        .at("/components/schemas/PermissionType/enum")
        .forEach(each -> unrequired.add("`" + each.asText() + "`"));
    reference.operations().forEach(each -> unrequired.removeAll(each.permissions()));
    String page = Pages.read(DIRECTORY.resolve("permissions.md"));
    String section = page.substring(page.indexOf("\n## Permissions without effect\n"));

    assertThat(section).contains("these " + unrequired.size() + " permissions");
    assertThat(Pattern.compile("`[a-z:]+`").matcher(section).results().map(MatchResult::group))
        .containsExactlyInAnyOrderElementsOf(unrequired);
  }

  /** Also fails for problem types that do not exist, because they have no status. */
  @Test
  void describedStatusesHaveProblemTypes() {
    Map<String, Integer> statuses = ApiReference.statuses();
    List<String> common = reference.commonProblems();
    assertThat(statuses.keySet()).containsAll(common);
    for (Operation operation : reference.operations()) {
      assertThat(statuses.keySet()).as(operation.id()).containsAll(operation.problems());
      for (String status : Json.names(operation.node().get("responses"))) {
        if (status.matches("[45]\\d\\d")) {
          assertThat(Stream.concat(common.stream(), operation.problems().stream()))
              .as("%s of %s", status, operation.id())
              .anyMatch(type -> statuses.get(type) == Integer.parseInt(status));
        }
      }
    }
  }

  @Test
  void problemTypesHaveStatusTitleCauseAndRemedy() {
    Stream<Problem> listed =
        PROBLEM
            .matcher(Pages.read(Pages.DOCS.resolve("problems.md")))
            .results()
            .map(row -> new Problem(Integer.parseInt(row.group(1)), row.group(2), row.group(3)));
    assertThat(listed).containsExactlyInAnyOrderElementsOf(ApiReference.problems().toList());
  }
}
