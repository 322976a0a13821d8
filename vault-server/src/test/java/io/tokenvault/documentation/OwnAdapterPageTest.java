package io.tokenvault.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that {@code docs/own-adapter.md} quotes the files of its project. */
final class OwnAdapterPageTest {

  private static final Path PROJECT = Pages.DOCS.resolve("examples").resolve("own-adapter");
  private static final String PAGE = Pages.read(Pages.DOCS.resolve("own-adapter.md"));
  private static final Pattern QUOTE = Pattern.compile("(?ms)^ *```(?:java|xml|sql)\n(.*?)^ *```$");

  @Test
  void quotesAreInFilesOfProject() {
    List<String> files =
        Stream.of(".java", ".xml", ".sql")
            .flatMap(ending -> Pages.inDocs(ending).stream())
            .filter(file -> file.startsWith(PROJECT))
            .map(Pages::read)
            .map(Pages::withoutIndents)
            .toList();
    List<String> quotes =
        QUOTE.matcher(PAGE).results().map(quote -> Pages.withoutIndents(quote.group(1))).toList();

    assertThat(quotes).hasSizeGreaterThan(3);
    assertThat(quotes)
        .allSatisfy(
            quote ->
                assertThat(files).as("files with\n%s", quote).anyMatch(f -> f.contains(quote)));
  }

  @Test
  void sessionOnPageIsTestedSession() {
    Path session = PROJECT.resolve(Path.of("src", "test", "resources", "session.txt"));

    assertThat(PAGE).contains("```text\n" + Pages.read(session) + "```");
  }

  @Test
  void pageNamesEveryContractSuiteThatProjectRuns() {
    Path tests = PROJECT.resolve(Path.of("src", "test", "java", "example", "vault"));
    List<String> suites =
        Pages.inDocs("Test.java").stream()
            .filter(file -> file.startsWith(tests))
            .flatMap(
                file ->
                    Pattern.compile("extends (\\w+Contract)")
                        .matcher(Pages.read(file))
                        .results()
                        .map(result -> result.group(1)))
            .toList();

    assertThat(suites).isNotEmpty().allSatisfy(suite -> assertThat(PAGE).contains(suite));
  }
}
