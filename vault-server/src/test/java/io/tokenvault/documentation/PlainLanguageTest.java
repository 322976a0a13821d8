package io.tokenvault.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.tokenvault.server.environment.Unchecked;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that pages, messages, Javadoc and the console are in plain language. */
final class PlainLanguageTest {

  private static final Map<Path, String> JAVA = read(".java", modules("main/java"));

  private static final Map<Path, String> TESTS =
      read(
          ".java",
          Stream.concat(
              modules("test/java"), Stream.of(Pages.ROOT.resolve("vault-ports/tck/src"))));

  private static final Pattern JAVADOC = Pattern.compile("/\\*\\*(.*?)\\*/", Pattern.DOTALL);
  private static final Pattern JAVADOC_TAG = Pattern.compile("\\{@\\w+ [^}]*\\}");
  private static final Pattern JAVADOC_MARGIN = Pattern.compile("\\n\\s*\\*");
  private static final Pattern FIRST_SENTENCE =
      Pattern.compile("(?<=\\.)\\s|\\n\\s*\\*\\s*@|<p>|<ul>");

  private static final Pattern NO_MESSAGE =
      Pattern.compile("/\\*.*?\\*/|(?m:^\\s*//.*$)|\"\"\".*?\"\"\"", Pattern.DOTALL);
  private static final Pattern CONCATENATION = Pattern.compile("\"\\s*\\+\\s*\"");
  private static final Pattern HELP_LINES =
      Pattern.compile("description = *\\{\\s*\"((?:[^\"\\\\]|\\\\.|\",\\s*\")*)\"\\s*\\}");
  private static final Pattern NEXT_LINE = Pattern.compile("\",\\s*\"");
  private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\\n]|\\\\.)*)\"");

  /** A literal of TypeScript, or text between the tags of JSX. */
  private static final Pattern CONSOLE_TEXT =
      Pattern.compile(
          "'((?:[^'\\\\\n]|\\\\.)*)'|\"([^\"\n]*)\"|`([^`]*)`|(?<=[>}])([^<>{}=;()&!`]*)(?=[<{])");

  private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{[^}]*\\}");

  private static final Pattern COMMENT = Pattern.compile("(?m)(?:^ *#[^\n]*\n)+|<!--(?s:.*?)-->");
  private static final Pattern COMMENT_SIGN = Pattern.compile("(?m)^ *#!?|<!--|-->");

  private static Stream<Path> modules(String source) {
    return Stream.of("domain", "ports", "adapters-jdbi", "adapters-http", "proxy-engine", "server")
        .map(name -> Pages.ROOT.resolve("vault-" + name).resolve("src").resolve(source).normalize())
        .filter(Files::exists);
  }

  private static Map<Path, String> read(String ending, Stream<Path> folders) {
    return read(folders.flatMap(folder -> Pages.below(folder, ending).stream()));
  }

  private static Map<Path, String> read(Stream<Path> files) {
    Map<Path, String> found = new LinkedHashMap<>();
    files.forEach(file -> found.put(file, Pages.read(file)));
    return found;
  }

  @Test
  void pagesAreInPlainLanguage() {
    assertPlain(30, read(Stream.concat(Pages.all().stream(), modules("../README.md"))), Stream::of);
  }

  @Test
  void apiDocumentIsInPlainLanguage() {
    assertPlain(
        100, read(".yaml", modules("main/resources")), PlainLanguageTest::descriptionsAndSummaries);
  }

  private static Stream<String> descriptionsAndSummaries(String yaml) {
    JsonNode document = Unchecked.get(() -> new YAMLMapper().readTree(yaml));
    return Stream.of("title", "summary", "description")
        .map(document::findValuesAsText)
        .flatMap(Collection::stream);
  }

  /** Checks string literals of several words: problems, command help, log and audit messages. */
  @Test
  void messagesAreInPlainLanguage() {
    assertPlain(1_500, JAVA, PlainLanguageTest::messages);
  }

  private static Stream<String> messages(String source) {
    String code = CONCATENATION.matcher(NO_MESSAGE.matcher(source).replaceAll("")).replaceAll("");
    String joined =
        HELP_LINES
            .matcher(code)
            .replaceAll(help -> quoted(NEXT_LINE.matcher(help.group()).replaceAll(" ")));
    return LITERAL
        .matcher(joined)
        .results()
        .map(literal -> literal.group(1))
        .filter(literal -> literal.contains(" "));
  }

  private static String quoted(String replacement) {
    return Matcher.quoteReplacement(replacement);
  }

  @Test
  void firstSentencesOfJavadocAreInPlainLanguage() {
    assertPlain(3_000, JAVA, PlainLanguageTest::firstSentences);
    assertPlain(1_000, TESTS, PlainLanguageTest::firstSentences);
  }

  private static Stream<String> firstSentences(String source) {
    return JAVADOC.matcher(source).results().map(found -> firstSentence(found.group(1)));
  }

  private static String firstSentence(String comment) {
    Matcher end = FIRST_SENTENCE.matcher(comment);
    String sentence = end.find() ? comment.substring(0, end.start()) : comment;
    return JAVADOC_TAG
        .matcher(JAVADOC_MARGIN.matcher(sentence).replaceAll("\n"))
        .replaceAll("X")
        .strip();
  }

  @Test
  void consoleIsInPlainLanguage() {
    Map<Path, String> sources = read(".tsx", modules("console/src"));
    sources.putAll(read(".ts", modules("console/src")));
    assertPlain(
        100,
        sources,
        source ->
            CONSOLE_TEXT
                .matcher(NO_MESSAGE.matcher(source).replaceAll(""))
                .results()
                .map(found -> PLACEHOLDER.matcher(group(found)).replaceAll("X"))
                .filter(text -> text.strip().contains(" ")));
  }

  private static String group(MatchResult found) {
    return Stream.of(1, 2, 3, 4).map(found::group).filter(each -> each != null).findFirst().get();
  }

  @Test
  void commentsOfSampleFilesAreInPlainLanguage() {
    Stream<String> names =
        Stream.of(
            "Dockerfile",
            ".ci/run",
            "packaging/token-vault.service",
            "packaging/bin/vault-server",
            "packaging/check-reproducible",
            "packaging/helm/values.yaml",
            "packaging/compose/roles.sh",
            "packaging/compose/setup.sh",
            "compose.yaml",
            "docs/examples/pom.xml",
            "docs/examples/settings.xml",
            "docs/examples/own-adapter/pom.xml",
            "docs/examples/alerts.yaml");
    assertPlain(
        20,
        read(names.map(Pages.ROOT::resolve)),
        sample ->
            Stream.concat(
                COMMENT
                    .matcher(sample)
                    .results()
                    .map(comment -> COMMENT_SIGN.matcher(comment.group()).replaceAll("")),
                sample.startsWith("# Prometheus")
                    ? descriptionsAndSummaries(sample)
                    : Stream.empty()));
  }

  /** Checks the texts of files; too few texts mean that the files were not found. */
  private static void assertPlain(
      int least, Map<Path, String> files, Function<String, Stream<String>> texts) {
    record Text(Path file, String text) {}
    List<Text> read =
        files.entrySet().stream()
            .flatMap(
                file -> texts.apply(file.getValue()).map(text -> new Text(file.getKey(), text)))
            .toList();
    assertThat(read).hasSizeGreaterThan(least);
    assertThat(
            read.stream()
                .flatMap(
                    each ->
                        PlainLanguage.problems(each.text())
                            .map(problem -> Pages.ROOT.relativize(each.file()) + ": " + problem)))
        .isEmpty();
  }
}
