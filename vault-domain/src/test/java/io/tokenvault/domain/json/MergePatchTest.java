package io.tokenvault.domain.json;

import static io.tokenvault.domain.json.JsonValue.JsonNull.NULL;
import static io.tokenvault.domain.json.Values.array;
import static io.tokenvault.domain.json.Values.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.tokenvault.domain.json.JsonValue.JsonObject;
import java.util.stream.Stream;
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

  /** The test cases of RFC 7386, appendix A, in its order: target, patch, result. */
  static Stream<Arguments> casesOfTheStandard() {
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
  @MethodSource("casesOfTheStandard")
  void standardCasesHold(JsonValue target, JsonValue patch, JsonValue result) {
    assertThat(MergePatch.apply(target, patch)).isEqualTo(result);
  }

  @Test
  void propertiesKeepTheirPlacesAndNewOnesFollow() {
    JsonValue merged =
        MergePatch.apply(object("z", "1", "a", "2", "m", "3"), object("n", "4", "a", "5"));

    assertThat(((JsonObject) merged).members().keySet()).containsExactly("z", "a", "m", "n");
  }

  static Stream<Arguments> whatIsLeft() {
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
  @MethodSource("whatIsLeft")
  void retainedPartsOfTargetAreDetected(JsonValue target, JsonValue patch, boolean isLeft) {
    assertThat(MergePatch.keepsSome(target, patch)).isEqualTo(isLeft);
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
}
