package io.tokenvault.documentation;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds sentences that users should not have to read: words that {@code plain-language.txt} avoids,
 * a clause as subject ("What is not listed is refused."), more than 40 words.
 */
public final class PlainLanguage {

  private static final int MOST_WORDS = 40;
  private static final Path RULES_FILE =
      Path.of("src", "test", "resources", "documentation", "plain-language.txt");
  private static final List<String> LINES =
      Pages.read(RULES_FILE)
          .lines()
          .filter(line -> !line.startsWith("#") && !line.isBlank())
          .toList();
  private static final List<Rule> RULES =
      LINES.stream().filter(line -> !line.startsWith("= ")).map(Rule::parse).toList();
  private static final List<String> ALLOWED =
      LINES.stream().filter(line -> line.startsWith("= ")).map(line -> line.substring(2)).toList();

  private static final Pattern CLAUSE_AS_SUBJECT = Pattern.compile("(What|Who|How) [^?]*\\.");
  private static final Pattern FENCE = Pattern.compile("(?ms)^\\s*```.*?^\\s*```");

  /** Between paragraphs, headings, items of lists and cells of tables. */
  private static final Pattern BLOCK =
      Pattern.compile("\\n\\s*\\n|\\n(?=\\s*(?:[-*#|]|\\d+\\.))|\\|");

  private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?:;])\\s+");

  private PlainLanguage() {}

  private record Rule(Pattern avoid, String instead) {

    static Rule parse(String line) {
      String[] parts = line.split(" +-> ", 2);
      return new Rule(Pattern.compile(parts[0], Pattern.CASE_INSENSITIVE), parts[1]);
    }
  }

  /** Returns what is wrong with a text, a line for each problem, without looking at its code. */
  public static Stream<String> problems(String markdown) {
    return Stream.of(BLOCK.split(FENCE.matcher(markdown).replaceAll("")))
        .map(block -> block.replaceAll("`[^`]*`", "X").replaceAll("\\]\\([^)]*\\)", "]"))
        .map(block -> block.strip().replaceAll("\\s+", " "))
        .flatMap(SENTENCE_END::splitAsStream)
        .filter(sentence -> ALLOWED.stream().noneMatch(sentence::contains))
        .flatMap(PlainLanguage::problemsOfSentence);
  }

  private static Stream<String> problemsOfSentence(String sentence) {
    Stream<String> words =
        RULES.stream()
            .filter(rule -> rule.avoid().matcher(sentence).find())
            .map(rule -> "%s (instead: %s)".formatted(rule.avoid(), rule.instead()));
    Stream<String> subject =
        CLAUSE_AS_SUBJECT.matcher(sentence).matches()
            ? Stream.of("a clause as subject (instead: name the subject)")
            : Stream.empty();
    int count = sentence.split(" ").length;
    Stream<String> length =
        count > MOST_WORDS ? Stream.of(count + " words (instead: two sentences)") : Stream.empty();
    return Stream.of(words, subject, length)
        .flatMap(found -> found)
        .map(found -> found + ": " + sentence);
  }
}
