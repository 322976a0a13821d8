package io.tokenvault.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that links between pages and files of the project are valid. */
final class LinksTest {

  private static final Map<Path, MarkdownPage> PAGES =
      Pages.all().stream().collect(Collectors.toMap(Function.identity(), MarkdownPage::read));

  static List<String> pages() {
    return Pages.all().stream().map(Pages.ROOT::relativize).map(Path::toString).toList();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void linksLeadToExistingFilesAndHeadings(String page) {
    Path path = Pages.ROOT.resolve(page);
    List<String> broken =
        PAGES.get(path).links().stream()
            .filter(link -> !link.matches("[a-z]+:.*"))
            .flatMap(link -> problem(path, link).stream())
            .toList();
    assertThat(broken).as("broken links of %s", page).isEmpty();
  }

  @Test
  void everyPageOfDocsIsListedInItsIndex() {
    Path index = Pages.DOCS.resolve("README.md");
    List<Path> listed =
        PAGES.get(index).links().stream()
            .map(link -> link.replaceFirst("#.*", ""))
            .map(Pages.DOCS::resolve)
            .map(Path::normalize)
            .toList();
    assertThat(Pages.inDocs(".md")).filteredOn(page -> !page.equals(index)).isSubsetOf(listed);
  }

  private static Optional<String> problem(Path from, String link) {
    String[] parts = link.split("#", 2);
    Path target =
        parts[0].isEmpty() ? from : from.resolveSibling(parts[0]).toAbsolutePath().normalize();
    if (!target.startsWith(Pages.ROOT) || !Files.exists(target)) {
      return Optional.of(link);
    }
    boolean found =
        parts.length == 1
            || Optional.ofNullable(PAGES.get(target))
                .map(page -> page.anchors().contains(parts[1]))
                .orElse(false);
    return found ? Optional.empty() : Optional.of(link);
  }
}
