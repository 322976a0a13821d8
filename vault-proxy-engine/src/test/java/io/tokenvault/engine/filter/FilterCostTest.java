package io.tokenvault.engine.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.engine.filter.EvaluationLimits.LimitsSpentException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that no filter takes more than 100 ms of CPU time for any input. Every filter of the
 * catalog runs with all argument lists that it accepts, so that new filters are covered
 * automatically.
 */
class FilterCostTest {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final long MAX_NANOS = 100_000_000;

  /** Maximum number of runs. The fastest one counts, to exclude cold starts and a busy machine. */
  private static final int MAX_RUNS = 40;

  /** Number of argument lists per filter in every build. */
  private static final int QUICK_ARGUMENTS = 3;

  /** Argument lists; a filter runs with those that it accepts. */
  private static final List<String> ARGUMENTS =
      List.of(
          "",
          "'name'",
          "big.needle",
          "big.needle, ''",
          "big.kept",
          "big.list",
          "1, 1, 'X', big.kept",
          "'name', big.list",
          "'sha-512', big.kept",
          "big.kept, 'key'",
          "'$..none'",
          "'$[*].none'",
          "'$[?(" + "@ > 1 || ".repeat(50) + "@ > 1)]'",
          "'$..[?(1 == @ || @.name.name.name.name.name == 1)]'",
          "'" + "%c".repeat(100) + "'",
          "'a', '<<<<<<<<<<<<<<<<'",
          "''",
          "0",
          "1e-99",
          "60000, '...'",
          "-900000, 900000",
          "9000, '<'",
          "1, 1, 'X', '-a'",
          "'sha-512', 'key'",
          "'name', 1",
          "7.5",
          "1, 1",
          "900000",
          "'a'",
          "'X', '-'",
          "'%Y-%m-%d %H:%M:%S %z'",
          "'" + "%99d".repeat(50) + "'",
          "'$.name'",
          "'$..name[0]'",
          "'$[?(@.name == 2)]'",
          "'$..[?(@.none)]'",
          "'$" + "[0]".repeat(100) + "'");

  private static final Map<String, JsonValue> VARIABLES =
      Map.of(
          "big",
          new JsonObject(
              Map.of(
                  "needle", JsonValue.of("a".repeat(999) + "b"),
                  "kept", JsonValue.of(text("éa", 64 << 10)),
                  "list", list(50_000, JsonValue.of("AaAaAaAa")))));

  /** Returns the inputs of every build. */
  private static Map<String, JsonValue> inputs() {
    Map<String, JsonValue> inputs = new LinkedHashMap<>();
    for (String part : List.of("Σ", "ß", "a", "7")) {
      inputs.put("64 KiB of " + part, JsonValue.of(text(part, 64 << 10)));
    }
    inputs.put("a mebibyte", JsonValue.of(text("é", 1 << 20)));
    inputs.put("a number of a mebibyte", new JsonNumber(text("7", 1 << 20)));
    inputs.put("colliding texts", texts(collisions(14)));
    inputs.put("colliding lists", lists(collisions(14)));
    inputs.put("ones", list(520_000, JsonValue.of(1)));
    inputs.put("objects", list(20_000, object("name", JsonValue.of(1))));
    inputs.put("long numbers", numbers(1000, 1000));
    inputs.put("texts", distinctTexts(20_000));
    return inputs;
  }

  /** Returns further inputs for the long build. */
  private static Map<String, JsonValue> moreInputs() {
    Map<String, JsonValue> inputs = new LinkedHashMap<>();
    for (String part :
        List.of("ΟΔΟΣ ", "İ", "Σ\u0301", "𐐀", "<&\"", "%41", " ", "\n", "\u0001", "Σ", "ß")) {
      inputs.put("a mebibyte of " + part, JsonValue.of(text(part, 1 << 20)));
    }
    inputs.put("marks", JsonValue.of("Σ" + text("\u0301", (1 << 20) - 2)));
    inputs.put("ampersand", JsonValue.of("&#" + text("9", (1 << 20) - 2)));
    inputs.put("exponent", JsonValue.of("1e" + text("9", (1 << 20) - 2)));
    inputs.put("nested objects", nested(1500, deep -> object("name", deep)));
    inputs.put("nested lists", nested(8000, deep -> new JsonArray(List.of(deep))));
    inputs.put("more objects", list(100_000, object("name", JsonValue.of(1))));
    inputs.put("more texts", distinctTexts(100_000));
    inputs.put("exponents", exponents());
    inputs.put("moment", JsonValue.of("2026-01-31T23:59:59Z"));
    inputs.put("second", JsonValue.of(31_556_889_864_403_199L));
    inputs.put("many texts", list(340_000, JsonValue.of("")));
    inputs.put("colliding names", object(collisions(14)));
    inputs.put("numbers", numbers(50_000, 18));
    inputs.put("nulls", list(100_000, JsonNull.NULL));
    inputs.put("long name", object(text("n", 1000), list(65_000, object("", JsonNull.NULL))));
    return inputs;
  }

  private record Call(String filter, String arguments) {

    String chain() {
      return "| " + filter + (arguments.isEmpty() ? "" : ": " + arguments);
    }

    /** Returns the filter chain; empty if the filter does not accept the arguments. */
    Optional<FilterChain> parse() {
      try {
        return Optional.of(FilterChain.parse(chain()));
      } catch (ExpressionException rejected) {
        return Optional.empty();
      }
    }
  }

  @BeforeAll
  static void warmUp() {
    FilterChain.warmUp();
  }

  @Test
  void filterRunsAtMostTenthOfSecond() {
    assertThat(slowCalls(inputs(), QUICK_ARGUMENTS)).isEmpty();
  }

  @Tag("long")
  @Test
  void filterRunsAtMostTenthOfSecondOnMoreInputs() {
    assertThat(slowCalls(moreInputs(), ARGUMENTS.size())).isEmpty();
  }

  private static List<String> slowCalls(Map<String, JsonValue> inputs, int maxArguments) {
    List<String> slow = new ArrayList<>();
    for (String filter : new TreeSet<>(FilterChain.names())) {
      List<Call> calls =
          ARGUMENTS.stream()
              .map(arguments -> new Call(filter, arguments))
              .filter(call -> call.parse().isPresent())
              .limit(maxArguments)
              .toList();
      assertThat(calls).as("arguments that %s takes", filter).isNotEmpty();
      for (Call call : calls) {
        inputs.forEach(
            (name, input) -> {
              long nanos = cpuNanos(call.parse().orElseThrow(), input);
              if (nanos > MAX_NANOS) {
                slow.add(call.chain() + " of " + name + ": " + nanos / 1_000_000 + " ms");
              }
            });
      }
    }
    return slow;
  }

  /** Returns the CPU time of the fastest run, or of the first run within the limit. */
  private static long cpuNanos(FilterChain chain, JsonValue input) {
    long fastest = Long.MAX_VALUE;
    for (int i = 0; i < MAX_RUNS && fastest > MAX_NANOS; i++) {
      long start = THREADS.getCurrentThreadCpuTime();
      run(chain, input);
      fastest = Math.min(fastest, THREADS.getCurrentThreadCpuTime() - start);
    }
    return fastest;
  }

  private static void run(FilterChain chain, JsonValue input) {
    try {
      chain.apply(input, path -> path.resolve(VARIABLES), EvaluationLimits.start(() -> 0));
    } catch (ExpressionException rejected) {
      // Rejection must be as fast.
    }
  }

  @Test
  void tooLongInputIsRejectedNamingFilterAndLimit() {
    String longest = text("é", 64 << 10);

    assertThat(outcome("| upcase", longest)).isEqualTo("done");
    assertThat(outcome("| strip | upcase", longest + "x"))
        .isEqualTo("filter 1 (strip) requires strings of at most 64 KiB");
    assertThat(outcome("| append: big", longest, JsonValue.of(longest + "x")))
        .isEqualTo("filter 1 (append) requires a string of at most 64 KiB as argument 1");
    assertThat(outcome("| stringify | hmac: 'sha-256', 'k'", text("é", (1 << 20) - 2)))
        .isEqualTo("done");
    assertThat(outcome("| slice: 0, 9 | upcase", text("é", 1 << 20))).isEqualTo("done");
  }

  @Test
  void listResultIsLimitedToOneMebibyte() {
    assertThat(
            outcome("| split: ',' | concat: big", "a", list(3, JsonValue.of(text("a", 1 << 18)))))
        .isEqualTo("done");
    assertThat(
            outcome("| split: ',' | concat: big", "a", list(5, JsonValue.of(text("a", 1 << 18)))))
        .isEqualTo("filter 2 (concat) results in more than 1 MiB");
  }

  @Test
  void totalWorkOfFiltersIsLimited() {
    EvaluationLimits limits = EvaluationLimits.start(() -> 0);
    FilterChain chain = FilterChain.parse("| size");
    JsonValue ones = list(1 << 19, JsonValue.of(1));
    int done = 0;
    String message = "";
    while (message.isEmpty() && done < 1000) {
      try {
        chain.apply(ones, path -> ones, limits);
        done++;
      } catch (LimitsSpentException spent) {
        message = spent.getMessage();
      }
    }

    assertThat(message).isEqualTo("the expressions process too much data");
    assertThat(done).isEqualTo(64);
  }

  @Test
  void chainStopsBetweenFiltersAfterItsTimeLimit() {
    AtomicLong now = new AtomicLong();
    EvaluationLimits limits = EvaluationLimits.start(() -> now.getAndAdd(MAX_NANOS));
    FilterChain chain = FilterChain.parse("| upcase".repeat(20));

    assertThatExceptionOfType(LimitsSpentException.class)
        .isThrownBy(() -> chain.apply(JsonValue.of("a"), path -> JsonNull.NULL, limits))
        .withMessage("the expressions take too long");
    assertThat(now.get()).isBetween(11 * MAX_NANOS, 13 * MAX_NANOS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"Straße ŉ ﬁ ΐ İstanbul 𐐨x", "ΟΔΟΣ ΣΑΣ, Σ ΑΣΑ", "ΑΣ́ ΆΣ ΆΣΆ 1Σ", "aÀẞΣ"})
  void caseMappingEqualsThatOfJava(String text) {
    assertThat(CaseMapping.upper(text)).isEqualTo(text.toUpperCase(Locale.ROOT));
    assertThat(CaseMapping.lower(text)).isEqualTo(text.toLowerCase(Locale.ROOT));
  }

  private static String outcome(String chain, String input) {
    return outcome(chain, input, JsonNull.NULL);
  }

  private static String outcome(String chain, String input, JsonValue big) {
    try {
      FilterChain.parse(chain)
          .apply(JsonValue.of(input), path -> big, EvaluationLimits.start(() -> 0));
      return "done";
    } catch (ExpressionException rejected) {
      return rejected.getMessage();
    }
  }

  /** Returns as many repetitions as fit into a number of bytes. */
  private static String text(String part, int bytes) {
    return part.repeat((int) (bytes / TextValues.size(part)));
  }

  private static JsonValue list(int count, JsonValue item) {
    return new JsonArray(Collections.nCopies(count, item));
  }

  private static JsonValue object(String name, JsonValue value) {
    return new JsonObject(Map.of(name, value));
  }

  /** Returns strings that have the same hash code. */
  private static List<String> collisions(int pairs) {
    List<String> all = List.of("");
    for (int i = 0; i < pairs; i++) {
      all = all.stream().flatMap(text -> Stream.of(text + "Aa", text + "BB")).toList();
    }
    return all;
  }

  private static JsonValue texts(List<String> texts) {
    return new JsonArray(texts.stream().map(JsonValue::of).toList());
  }

  private static JsonValue lists(List<String> texts) {
    return new JsonArray(
        texts.stream()
            .map(text -> (JsonValue) new JsonArray(List.of(JsonValue.of(text))))
            .toList());
  }

  private static JsonValue object(List<String> names) {
    Map<String, JsonValue> properties = new LinkedHashMap<>();
    names.forEach(name -> properties.put(name, JsonValue.of(1)));
    return new JsonObject(properties);
  }

  private static JsonValue distinctTexts(int count) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      // In an order that a sort algorithm cannot exploit.
      texts.add("aA" + (i * 7919L) % count);
    }
    return texts(texts);
  }

  private static JsonValue numbers(int count, int digits) {
    List<JsonValue> numbers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String end = String.valueOf((i * 7919L) % count);
      numbers.add(new JsonNumber(text("3", digits - end.length()) + end));
    }
    return new JsonArray(numbers);
  }

  private static JsonValue exponents() {
    List<JsonValue> numbers = new ArrayList<>();
    for (int i = 0; i < 50_000; i++) {
      numbers.add(new JsonNumber("1" + "0".repeat(i % 9) + "e" + (999_999_990 - i % 9)));
    }
    return new JsonArray(numbers);
  }

  private static JsonValue nested(int count, UnaryOperator<JsonValue> around) {
    JsonValue deep = JsonValue.of(1);
    for (int i = 0; i < 60; i++) {
      deep = around.apply(deep);
    }
    return list(count, deep);
  }
}
