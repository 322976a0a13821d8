package io.tokenvault.engine.filter;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.engine.filter.FilterDefinition.FilterSignature;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * An expression for token ids: any filters, followed by exactly one alias filter, which replaces
 * most characters of a value by random ones.
 *
 * <pre>{@code
 * AliasTemplate.parse("| alias_preserve_format: 0, 4").make(value, names, limits, randomness);
 * }</pre>
 */
public final class AliasTemplate {

  static final Set<String> NAMES = Set.of("alias_preserve_format", "alias_preserve_length");

  private static final String DIGITS = "0123456789";
  private static final String CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  private static final String SMALL_LETTERS = "abcdefghijklmnopqrstuvwxyz";

  private static final FilterSignature SIGNATURE = FilterSignature.of(2);

  /** Largest number of characters that are kept at each end. */
  private static final int MAX_KEPT = 200;

  /** Smallest number of characters that must be replaced. */
  private static final int MIN_REPLACED = 4;

  /** Largest length of an alias, in characters. */
  private static final int MAX_LENGTH = 1000;

  private final FilterChain before;
  private final FilterCall call;

  private AliasTemplate(FilterChain before, FilterCall call) {
    this.before = before;
    this.call = call;
  }

  /**
   * Parses an expression from its first bar on.
   *
   * @throws ExpressionException if the last filter is not an alias filter, or a filter is invalid
   */
  public static AliasTemplate parse(String text) {
    List<FilterCall> calls = FilterCall.read(text);
    if (calls.isEmpty() || !NAMES.contains(calls.get(calls.size() - 1).name())) {
      throw new ExpressionException("the last filter of an id must be an alias filter");
    }
    FilterCall last = calls.get(calls.size() - 1);
    try {
      SIGNATURE.check(last.arguments().size(), last.named().keySet());
    } catch (ExpressionException failed) {
      throw last.failure(failed.getMessage());
    }
    return new AliasTemplate(FilterChain.of(calls.subList(0, calls.size() - 1)), last);
  }

  /**
   * Returns a new random alias of a value, which always differs from the value.
   *
   * @param names resolves the names that are arguments of filters
   * @param randomness a cryptographic source
   * @throws ExpressionException if too few characters can be replaced, or a filter fails
   */
  public String make(
      JsonValue value,
      Function<ObjectPath, JsonValue> names,
      EvaluationLimits limits,
      RandomGenerator randomness) {
    String text = TextValues.scalar(before.apply(value, names, limits));
    try {
      // The added characters would count as replaced, and the value itself could be kept.
      if (text.length() > TextValues.printed(value).length()) {
        throw new ExpressionException(
            "requires a value that the filters before it do not lengthen");
      }
      FilterArguments arguments = call.arguments(SIGNATURE, names);
      return replace(
          text, arguments.integer(0, 0, MAX_KEPT), arguments.integer(1, 0, MAX_KEPT), randomness);
    } catch (ExpressionException failed) {
      throw call.failure(failed.getMessage());
    }
  }

  /**
   * Replaces the characters between the kept ones, or all of them if too few would be replaced
   * otherwise, until the alias differs from the value.
   */
  private String replace(String text, int first, int last, RandomGenerator randomness) {
    int[] characters = text.codePoints().toArray();
    if (characters.length > MAX_LENGTH) {
      throw new ExpressionException("requires a shorter value");
    }
    int least = Math.max(MIN_REPLACED, (characters.length + 1) / 2);
    boolean leavesEnough = count(characters, first, characters.length - last) >= least;
    int from = leavesEnough ? first : 0;
    int to = leavesEnough ? characters.length - last : characters.length;
    if (count(characters, from, to) < least) {
      throw new ExpressionException(
          "requires a value in which at least half of the characters, and at least four, can be"
              + " replaced");
    }
    String alias = replaced(characters, from, to, randomness);
    while (alias.equals(text)) {
      alias = replaced(characters, from, to, randomness);
    }
    return alias;
  }

  /** Returns how many characters of a range can be replaced. */
  private int count(int[] characters, int from, int to) {
    int count = 0;
    for (int i = from; i < to; i++) {
      count += alphabet(characters[i]).isEmpty() ? 0 : 1;
    }
    return count;
  }

  /** Returns the characters as text, with those of a range replaced. */
  private String replaced(int[] characters, int from, int to, RandomGenerator randomness) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < characters.length; i++) {
      String alphabet = i >= from && i < to ? alphabet(characters[i]) : "";
      text.appendCodePoint(
          alphabet.isEmpty()
              ? characters[i]
              : alphabet.charAt(randomness.nextInt(alphabet.length())));
    }
    return text.toString();
  }

  /**
   * Returns the characters that can replace one; empty if it is kept. To preserve the format, a
   * digit or letter is replaced by another of its kind.
   */
  private String alphabet(int character) {
    if (!call.name().equals("alias_preserve_format")) {
      return DIGITS + CAPITALS + SMALL_LETTERS;
    }
    if (Character.isDigit(character)) {
      return DIGITS;
    }
    if (Character.isUpperCase(character)) {
      return CAPITALS;
    }
    return Character.isLowerCase(character) ? SMALL_LETTERS : "";
  }
}
