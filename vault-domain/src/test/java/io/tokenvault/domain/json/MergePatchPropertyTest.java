package io.tokenvault.domain.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import java.util.HashSet;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/** Leaves of targets are texts that no patch holds. */
class MergePatchPropertyTest {

  private static final int LEVELS = 3;

  @Property(edgeCases = EdgeCasesMode.NONE)
  void targetReportedAsFullyReplacedIsGone(
      @ForAll("targets") JsonValue target, @ForAll("patches") JsonValue patch) {
    Set<JsonValue> left = leaves(MergePatch.apply(target, patch));
    left.retainAll(leaves(target));

    if (!MergePatch.keepsSome(target, patch)) {
      assertThat(left).isEmpty();
    }
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void targetReportedAsPartlyRetainedRemains(
      @ForAll("fullTargets") JsonValue target, @ForAll("patches") JsonValue patch) {
    Set<JsonValue> left = leaves(MergePatch.apply(target, patch));
    left.retainAll(leaves(target));

    if (MergePatch.keepsSome(target, patch)) {
      assertThat(left).isNotEmpty();
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

  /** Without empty objects and arrays, which have no leaves. */
  @Provide
  Arbitrary<JsonValue> fullTargets() {
    return trees(texts("old-"), 1);
  }

  @Provide
  Arbitrary<JsonValue> patches() {
    return trees(Arbitraries.oneOf(texts("new-"), Arbitraries.just(JsonNull.NULL)), 0);
  }

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

  /** With few names, so that those of patches and targets are often the same. */
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
      object.members().values().forEach(member -> collect(member, found));
    } else if (value instanceof JsonArray array) {
      array.items().forEach(item -> collect(item, found));
    } else {
      found.add(value);
    }
  }
}
