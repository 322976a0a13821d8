package io.tokenvault.domain.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ViolationsTest {

  @Test
  void messagesAreStoredOnceAndInOrder() {
    Violations violations =
        new Violations().add("b", "one").add("a", "two").add("b", "three").add("b", "one");

    assertThat(violations.asMap())
        .containsExactly(Map.entry("b", List.of("one", "three")), Map.entry("a", List.of("two")));
  }

  @Test
  void addAllMergesViolations() {
    Violations one = new Violations().add("a", "x").add("b", "y");
    Violations two = new Violations().add("b", "y").add("b", "z").add("c", "x");

    assertThat(one.addAll(two).asMap())
        .containsExactly(
            Map.entry("a", List.of("x")),
            Map.entry("b", List.of("y", "z")),
            Map.entry("c", List.of("x")));
    assertThat(two.asMap()).containsOnlyKeys("b", "c");
  }

  @Test
  void errorsOfPartAreReportedUnderItsPath() {
    Violations part =
        new Violations()
            .add("data.number", "x")
            .add("[0].id", "y")
            .add(Violations.WHOLE_REQUEST, "z");

    assertThat(new Violations().addAll("card", part).asMap())
        .containsExactly(
            Map.entry("card.data.number", List.of("x")),
            Map.entry("card[0].id", List.of("y")),
            Map.entry("card", List.of("z")));
  }

  @Test
  void settledPathAcceptsNoFurtherMessages() {
    Violations settled = new Violations().settle("a", "x").add("a", "y");

    assertThat(settled.asMap()).isEqualTo(Map.of("a", List.of("x")));
    assertThat(new Violations().addAll(settled).add("a", "y").asMap())
        .isEqualTo(Map.of("a", List.of("x")));
    assertThat(new Violations().addAll("part", settled).add("part.a", "y").add("a", "z").asMap())
        .isEqualTo(Map.of("part.a", List.of("x"), "a", List.of("z")));
  }

  @Test
  void collectingStopsAtTheLimitAndReportsIt() {
    Violations violations = new Violations();
    for (int i = 0; i < 1_000_000; i++) {
      assertThat(violations.isFull()).isEqualTo(i >= Violations.MAX_MESSAGES);
      violations.settle("[" + i + "]", "wrong");
    }

    assertThat(violations.asMap()).hasSize(Violations.MAX_MESSAGES + 1);
    assertThat(violations.asMap().get(Violations.WHOLE_REQUEST))
        .containsExactly("checking stopped after 100 violations; there may be more");
    assertThat(violations.isSettled("[0]")).isTrue();
    assertThat(violations.isSettled("[100]")).isFalse();
  }

  @Test
  void limitCountsMessagesAndNotPaths() {
    Violations violations = new Violations();
    for (int i = 0; i < 1000; i++) {
      violations.add("a", "wrong " + i).add("a", "wrong " + i);
    }

    assertThat(violations.asMap().get("a")).hasSize(Violations.MAX_MESSAGES);
    assertThat(violations.asMap()).containsOnlyKeys("a", Violations.WHOLE_REQUEST);
  }

  @Test
  void fullPartMakesWholeFull() {
    Violations part = new Violations();
    for (int i = 0; i < 1000; i++) {
      part.add("a" + i, "wrong");
    }
    Violations whole = new Violations().settle("part.a0", "known").addAll("part", part);

    assertThat(whole.isFull()).isTrue();
    assertThat(whole.asMap().get(Violations.WHOLE_REQUEST)).hasSize(1);
    assertThat(new Violations().addAll(whole).asMap()).isEqualTo(whole.asMap());
  }

  @Test
  void allViolationsAreThrownTogether() {
    Violations violations = new Violations().add("a", "x").add(Violations.WHOLE_REQUEST, "y");

    assertThatThrownBy(violations::throwIfAny)
        .isInstanceOfSatisfying(
            ValidationException.class,
            e -> {
              assertThat(e.errors()).isEqualTo(violations.asMap());
              assertThat(e.code()).isEqualTo(FailureCode.INVALID);
              assertThat(e.failure()).isEqualTo(FailureCause.VALIDATION_FAILED);
            });
  }
}
