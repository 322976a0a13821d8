package io.tokenvault.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Users read plain language: on the pages, in the API document, in messages and in Javadoc. */
final class PlainLanguageTest {

  private static final Pattern JAVADOC = Pattern.compile("/\\*\\*(.*?)\\*/", Pattern.DOTALL);
  private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\\n]|\\\\.)*)\"");
  private static final Pattern DESCRIPTION =
      Pattern.compile("(?m)^ *(?:summary|description): (?:[>|]-?\\n((?: +.*\\n)+)|(.*)$)");

  static List<String> pages() {
    return Pages.all().stream().map(Pages.ROOT::relativize).map(Path::toString).toList();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void pagesAreInPlainLanguage(String page) {
    assertThat(PlainLanguage.problems(Pages.read(Pages.ROOT.resolve(page)))).isEmpty();
  }

  @Test
  void descriptionsOfTheApiDocumentAreInPlainLanguage() {
    assertPlain(
        main(".yaml")
            .flatMap(text -> DESCRIPTION.matcher(text).results())
            .map(found -> found.group(1) != null ? found.group(1) : found.group(2)));
  }

  /** Problems, help and output of commands, log lines, audit messages: all that has two words. */
  @Test
  void messagesAreInPlainLanguage() {
    assertPlain(
        main(".java")
            .flatMap(source -> LITERAL.matcher(JAVADOC.matcher(source).replaceAll("")).results())
            .map(literal -> literal.group(1))
            .filter(literal -> literal.contains(" ")));
  }

  @Test
  void firstSentencesOfJavadocAreInPlainLanguage() {
    assertPlain(
        main(".java")
            .flatMap(source -> JAVADOC.matcher(source).results())
            .map(comment -> firstSentence(comment.group(1))));
  }

  private static void assertPlain(Stream<String> texts) {
    List<String> read = texts.toList();
    assertThat(read).hasSizeGreaterThan(100);
    assertThat(read.stream().flatMap(PlainLanguage::problems)).isEmpty();
  }

  private static String firstSentence(String comment) {
    return comment
        .replaceAll("\\n\\s*\\*", "\n")
        .replaceAll("\\{@\\w+ [^}]*\\}", "X")
        .strip()
        .split("(?<=\\.)\\s|\\n\\s*@|<p>|<ul>", 2)[0];
  }

  private static Stream<String> main(String ending) {
    try (Stream<Path> files = Files.walk(Pages.ROOT)) {
      return files
          .filter(file -> file.toString().endsWith(ending))
          .filter(file -> file.toString().contains("/src/main/"))
          .filter(file -> !file.toString().contains("/target/"))
          .map(Pages::read)
          .toList()
          .stream();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
