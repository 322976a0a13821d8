package io.tokenvault.engine.filter;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.engine.filter.value.EvaluationLimits;
import io.tokenvault.engine.filter.value.ExpressionException;
import io.tokenvault.engine.filter.value.TextValues;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** An expression for ids: filters, of which the last one, and only it, is an alias filter. */
public final class AliasTemplate {

  static final Set<String> NAMES = Set.of("alias_preserve_format", "alias_preserve_length");

  private static final FilterSignature SIGNATURE = FilterSignature.of(2);
  private static final int MAX_KEPT = 200;
  private static final int MIN_REPLACED = 4;
  private static final int MAX_LENGTH = 1000;

  private final FilterChain before;
  private final FilterCall call;

  private AliasTemplate(FilterChain before, FilterCall call) {
    this.before = before;
    this.call = call;
  }

  /**
   * Reads everything from the first bar on.
   *
   * @throws ExpressionException if the last filter is no alias filter, or something else is wrong
   */
  public static AliasTemplate parse(String text) {
    List<FilterCall> calls = FilterCall.read(text);
    if (calls.isEmpty() || !NAMES.contains(calls.get(calls.size() - 1).name())) {
      throw new ExpressionException("an id needs an alias filter as its last one");
    }
    FilterCall last = calls.get(calls.size() - 1);
    try {
      SIGNATURE.check(last.arguments().size(), last.named().keySet());
    } catch (ExpressionException failed) {
      throw named(last, failed);
    }
    return new AliasTemplate(FilterChain.of(calls.subList(0, calls.size() - 1)), last);
  }

  private static ExpressionException named(FilterCall call, ExpressionException failed) {
    return new ExpressionException(
        "filter " + call.place() + " (" + call.name() + ") " + failed.getMessage());
  }

  /**
   * A new alias of a value.
   *
   * @throws ExpressionException if the value is too short to be replaced
   */
  public String make(
      JsonValue value,
      Function<ObjectPath, JsonValue> names,
      EvaluationLimits limits,
      RandomGenerator randomness) {
    String text = TextValues.scalar(before.apply(value, names, limits));
    try {
      requireNotLengthened(value, text);
      FilterArguments arguments =
          SIGNATURE.arrange(
              call.arguments().stream().map(argument -> argument.value(names)).toList(), Map.of());
      return replace(
          text, arguments.integer(0, 0, MAX_KEPT), arguments.integer(1, 0, MAX_KEPT), randomness);
    } catch (ExpressionException failed) {
      throw named(call, failed);
    }
  }

  /** What filters add would count as replaced, and the value itself could be kept. */
  private static void requireNotLengthened(JsonValue value, String text) {
    if (text.length() > TextValues.printed(value).length()) {
      throw new ExpressionException("needs a value that the filters before it do not lengthen");
    }
  }

  private String replace(String text, int first, int last, RandomGenerator randomness) {
    int[] characters = text.codePoints().toArray();
    if (characters.length > MAX_LENGTH) {
      throw new ExpressionException("needs a shorter value");
    }
    Replacement replacement =
        call.name().equals("alias_preserve_format") ? Replacement.FORMAT : Replacement.LENGTH;
    int least = Math.max(MIN_REPLACED, (characters.length + 1) / 2);
    boolean leavesEnough = replacement.count(characters, first, characters.length - last) >= least;
    int from = leavesEnough ? first : 0;
    int to = leavesEnough ? characters.length - last : characters.length;
    if (replacement.count(characters, from, to) < least) {
      throw new ExpressionException(
          "needs a value of which at least half, and at least four, characters can be replaced");
    }
    return different(text, () -> replacement.replace(characters, from, to, randomness));
  }

  private static String different(String text, Supplier<String> another) {
    String alias = another.get();
    while (alias.equals(text)) {
      alias = another.get();
    }
    return alias;
  }

  /** What the characters of an alias are drawn from. */
  private enum Replacement {
    /** Digits for digits, capitals for capitals, small letters for small letters. */
    FORMAT {
      @Override
      Optional<String> alphabet(int character) {
        if (Character.isDigit(character)) {
          return Optional.of(DIGITS);
        }
        if (Character.isUpperCase(character)) {
          return Optional.of(CAPITALS);
        }
        return Character.isLowerCase(character) ? Optional.of(SMALL_LETTERS) : Optional.empty();
      }
    },
    /** Any of them for any character. */
    LENGTH {
      @Override
      Optional<String> alphabet(int character) {
        return Optional.of(DIGITS + CAPITALS + SMALL_LETTERS);
      }
    };

    private static final String DIGITS = "0123456789";
    private static final String CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    private static final String SMALL_LETTERS = "abcdefghijklmnopqrstuvwxyz";

    /** Empty if the character stays. */
    abstract Optional<String> alphabet(int character);

    /** How many characters of a range can be replaced. */
    int count(int[] characters, int from, int to) {
      int count = 0;
      for (int i = from; i < to; i++) {
        count += alphabet(characters[i]).isPresent() ? 1 : 0;
      }
      return count;
    }

    String replace(int[] characters, int from, int to, RandomGenerator randomness) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < characters.length; i++) {
        Optional<String> alphabet =
            i >= from && i < to ? alphabet(characters[i]) : Optional.empty();
        int kept = characters[i];
        text.appendCodePoint(
            alphabet
                .map(each -> (int) each.charAt(randomness.nextInt(each.length())))
                .orElse(kept));
      }
      return text.toString();
    }
  }
}
