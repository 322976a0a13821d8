package io.tokenvault.documentation;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds sentences in which {@code plain-language.txt} avoids a word, sentences with a clause as
 * subject ("What is not listed is refused."), and sentences of more than 40 words.
 */
final class PlainLanguage {

  private static final int MAX_WORDS = 40;
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

  /** Matches any rule, so that only few sentences are compared with each of them. */
  private static final Pattern ANY_RULE =
      Rule.pattern(RULES.stream().map(Rule::words).collect(Collectors.joining("|")));

  private static final Pattern CLAUSE_AS_SUBJECT = Pattern.compile("(What|Who|How) [^?]*\\.");
  private static final Pattern FENCE = Pattern.compile("(?ms)^\\s*```.*?^\\s*```");
  private static final Pattern CODE = Pattern.compile("`[^`]*`");
  private static final Pattern LINK = Pattern.compile("\\]\\([^)]*\\)");
  private static final Pattern SPACE = Pattern.compile("\\s+");

  /** Separates paragraphs, headings, list items and table cells. */
  private static final Pattern BLOCK =
      Pattern.compile("\\n\\s*\\n|\\n(?=\\s*(?:[-*#|]|\\d+\\.))|\\|");

  private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?:;])\\s+");

  private PlainLanguage() {}

  /** Words to avoid, and their replacement. */
  private record Rule(String words, Pattern avoid, String instead) {

    static Rule parse(String line) {
      String[] parts = line.split(" +-> ", 2);
      return new Rule(parts[0], pattern(parts[0]), parts[1]);
    }

    static Pattern pattern(String words) {
      return Pattern.compile("\\b(?:" + words + ")\\b", Pattern.CASE_INSENSITIVE);
    }
  }

  /** Returns a line for each problem of a text in Markdown, without looking at its code. */
  static Stream<String> problems(String markdown) {
    return BLOCK
        .splitAsStream(FENCE.matcher(markdown).replaceAll(""))
        .map(block -> LINK.matcher(CODE.matcher(block).replaceAll("X")).replaceAll("]"))
        .map(block -> SPACE.matcher(block.strip()).replaceAll(" "))
        .flatMap(SENTENCE_END::splitAsStream)
        .flatMap(PlainLanguage::problemsOfSentence);
  }

  private static Stream<String> problemsOfSentence(String sentence) {
    long words = sentence.chars().filter(each -> each == ' ').count() + 1;
    List<String> found = new ArrayList<>();
    if (ANY_RULE.matcher(sentence).find() && ALLOWED.stream().noneMatch(sentence::contains)) {
      RULES.stream()
          .filter(rule -> rule.avoid().matcher(sentence).find())
          .forEach(rule -> found.add(rule.words() + " (instead: " + rule.instead() + ")"));
    }
    if (CLAUSE_AS_SUBJECT.matcher(sentence).matches()) {
      found.add("a clause as subject (instead: name the subject)");
    }
    if (words > MAX_WORDS) {
      found.add(words + " words (instead: two sentences)");
    }
    return found.stream().map(problem -> problem + ": " + sentence);
  }
}
