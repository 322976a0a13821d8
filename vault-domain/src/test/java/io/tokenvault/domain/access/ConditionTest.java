package io.tokenvault.domain.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.Condition.Attribute;
import io.tokenvault.domain.access.Condition.Operator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class ConditionTest implements AccessArbitraries {

  @Test
  void namesAreCaseSensitive() {
    assertThat(Attribute.of("id")).contains(Attribute.ID);
    assertThat(Attribute.of("container")).contains(Attribute.CONTAINER);
    assertThat(Attribute.of("ID")).isEmpty();
    assertThat(Operator.of("starts_with")).contains(Operator.STARTS_WITH);
    assertThat(Operator.of("equals")).contains(Operator.EQUALS);
    assertThat(Operator.of("ends_with")).isEmpty();
  }

  @Test
  void onlyContainersAreComparedInLowercase() {
    assertThat(new Condition(Attribute.ID, Operator.EQUALS, "A").value()).isEqualTo("A");
    assertThat(new Condition(Attribute.CONTAINER, Operator.EQUALS, "/A/").value()).isEqualTo("/a/");
  }

  @Property
  void conditionsMatchLikeTheModel(
      @ForAll("conditions") Condition condition, @ForAll("tokens") TokenTraits token) {
    assertThat(condition.matches(token)).isEqualTo(AccessModel.holds(condition, token));
  }
}
