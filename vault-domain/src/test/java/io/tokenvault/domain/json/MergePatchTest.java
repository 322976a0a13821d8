package io.tokenvault.domain.json;

import static io.tokenvault.domain.json.JsonValue.JsonNull.NULL;
import static io.tokenvault.domain.json.JsonValues.array;
import static io.tokenvault.domain.json.JsonValues.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class MergePatchTest {

  private static final JsonValue A = JsonValue.of("a");
  private static final JsonValue B = JsonValue.of("b");
  private static final JsonValue C = JsonValue.of("c");
  private static final JsonValue ONE = JsonValue.of(1);
  private static final int DEEPEST = 64;
  private static final int LEVELS = 3;

  /** Returns the test cases of RFC 7386, appendix A, in its order: target, patch, result. */
  static Stream<Arguments> rfcCases() {
    return Stream.of(
        arguments(object("a", "b"), object("a", "c"), object("a", "c")),
        arguments(object("a", "b"), object("b", "c"), object("a", "b", "b", "c")),
        arguments(object("a", "b"), object("a", NULL), object()),
        arguments(object("a", "b", "b", "c"), object("a", NULL), object("b", "c")),
        arguments(object("a", array(B)), object("a", "c"), object("a", "c")),
        arguments(object("a", "c"), object("a", array(B)), object("a", array(B))),
        arguments(
            object("a", object("b", "c")),
            object("a", object("b", "d", "c", NULL)),
            object("a", object("b", "d"))),
        arguments(
            object("a", array(object("b", "c"))), object("a", array(ONE)), object("a", array(ONE))),
        arguments(array(A, B), array(C, JsonValue.of("d")), array(C, JsonValue.of("d"))),
        arguments(object("a", "b"), array(C), array(C)),
        arguments(object("a", "foo"), NULL, NULL),
        arguments(object("a", "foo"), JsonValue.of("bar"), JsonValue.of("bar")),
        arguments(object("e", NULL), object("a", ONE), object("e", NULL, "a", ONE)),
        arguments(array(ONE, JsonValue.of(2)), object("a", "b", "c", NULL), object("a", "b")),
        arguments(
            object(),
            object("a", object("bb", object("ccc", NULL))),
            object("a", object("bb", object()))));
  }

  @ParameterizedTest
  @MethodSource("rfcCases")
  void rfcCasesAreMerged(JsonValue target, JsonValue patch, JsonValue result) {
    assertThat(MergePatch.apply(target, patch)).isEqualTo(result);
  }

  @Test
  void propertiesKeepTheirPlacesAndNewOnesFollow() {
    JsonValue merged =
        MergePatch.apply(object("z", "1", "a", "2", "m", "3"), object("n", "4", "a", "5"));

    assertThat(((JsonObject) merged).properties().keySet()).containsExactly("z", "a", "m", "n");
  }

  static Stream<Arguments> retentionCases() {
    JsonValue card = object("number", "4", "cvc", "1", "owner", object("first", "A", "last", "B"));
    return Stream.of(
        arguments(card, object(), true),
        arguments(card, object("number", "5"), true),
        arguments(card, object("number", "5", "cvc", NULL), true),
        arguments(card, object("number", "5", "cvc", NULL, "owner", object("first", NULL)), true),
        arguments(
            card,
            object("number", "5", "cvc", NULL, "owner", object("first", NULL, "last", "C")),
            false),
        arguments(card, object("number", "5", "cvc", NULL, "owner", NULL), false),
        arguments(card, object("number", "5", "cvc", NULL, "owner", "C"), false),
        arguments(card, A, false),
        arguments(card, array(card), false),
        arguments(A, object(), false),
        arguments(array(A), object("a", "b"), false),
        arguments(object("a", NULL), object("b", "c"), true));
  }

  @ParameterizedTest
  @MethodSource("retentionCases")
  void retainedPartsOfTargetAreDetected(JsonValue target, JsonValue patch, boolean keepsSome) {
    assertThat(MergePatch.keepsSome(target, patch)).isEqualTo(keepsSome);
  }

  @Test
  void deepestNestingIsMergedCompletely() {
    JsonValue target = nested(DEEPEST, object("old", "1"));
    JsonValue patch = nested(DEEPEST, object("new", "2"));

    assertThat(MergePatch.apply(target, patch))
        .isEqualTo(nested(DEEPEST, object("old", "1", "new", "2")));
    assertThat(MergePatch.apply(NULL, patch)).isEqualTo(patch);
    assertThat(MergePatch.keepsSome(target, patch)).isTrue();
    assertThat(MergePatch.keepsSome(target, nested(DEEPEST, object("old", NULL)))).isFalse();
  }

  private static JsonValue nested(int levels, JsonValue innermost) {
    JsonValue value = innermost;
    for (int i = 0; i < levels; i++) {
      value = object("a", value);
    }
    return value;
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void targetReportedAsFullyReplacedIsGone(
      @ForAll("targets") JsonValue target, @ForAll("patches") JsonValue patch) {
    Set<JsonValue> retained = leaves(MergePatch.apply(target, patch));
    retained.retainAll(leaves(target));

    if (!MergePatch.keepsSome(target, patch)) {
      assertThat(retained).isEmpty();
    }
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void targetReportedAsPartlyRetainedRemains(
      @ForAll("fullTargets") JsonValue target, @ForAll("patches") JsonValue patch) {
    Set<JsonValue> retained = leaves(MergePatch.apply(target, patch));
    retained.retainAll(leaves(target));

    if (MergePatch.keepsSome(target, patch)) {
      assertThat(retained).isNotEmpty();
    }
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void applyingAPatchTwiceChangesNothingMore(
      @ForAll("targets") JsonValue target, @ForAll("patches") JsonValue patch) {
    JsonValue once = MergePatch.apply(target, patch);

    assertThat(MergePatch.apply(once, patch)).isEqualTo(once);
  }

  @Provide
  Arbitrary<JsonValue> targets() {
    return trees(texts("old-"), 0);
  }

  /** Generates targets without empty objects and arrays, which have no leaves. */
  @Provide
  Arbitrary<JsonValue> fullTargets() {
    return trees(texts("old-"), 1);
  }

  @Provide
  Arbitrary<JsonValue> patches() {
    return trees(Arbitraries.oneOf(texts("new-"), Arbitraries.just(NULL)), 0);
  }

  /** Generates strings with a prefix, so that targets and patches have different leaves. */
  private static Arbitrary<JsonValue> texts(String prefix) {
    return Arbitraries.integers().between(0, 99).map(number -> JsonValue.of(prefix + number));
  }

  private static Arbitrary<JsonValue> trees(Arbitrary<JsonValue> leaves, int fewest) {
    Arbitrary<JsonValue> trees = leaves;
    for (int level = 0; level < LEVELS; level++) {
      Arbitrary<JsonValue> arrays = trees.list().ofMinSize(fewest).ofMaxSize(2).map(JsonArray::new);
      trees =
          Arbitraries.frequencyOf(
              Tuple.of(2, leaves), Tuple.of(5, objects(trees, fewest)), Tuple.of(1, arrays));
    }
    return trees;
  }

  /** Generates objects with few names, so that patches and targets often share names. */
  private static Arbitrary<JsonValue> objects(Arbitrary<JsonValue> values, int fewest) {
    return Arbitraries.maps(Arbitraries.of("a", "b", "c"), values)
        .ofMinSize(fewest)
        .ofMaxSize(3)
        .map(JsonObject::new);
  }

  private static Set<JsonValue> leaves(JsonValue value) {
    Set<JsonValue> found = new HashSet<>();
    collect(value, found);
    return found;
  }

  private static void collect(JsonValue value, Set<JsonValue> found) {
    if (value instanceof JsonObject object) {
      object.properties().values().forEach(property -> collect(property, found));
    } else if (value instanceof JsonArray array) {
      array.items().forEach(item -> collect(item, found));
    } else {
      found.add(value);
    }
  }
}
