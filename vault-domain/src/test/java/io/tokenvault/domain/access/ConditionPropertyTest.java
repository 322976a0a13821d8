package io.tokenvault.domain.access;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class ConditionPropertyTest {

  @Property
  void conditionsMatchLikeTheModel(
      @ForAll("conditions") Condition condition, @ForAll("tokens") TokenTraits token) {
    assertThat(condition.matches(token)).isEqualTo(AccessModel.holds(condition, token));
  }

  @Provide
  Arbitrary<Condition> conditions() {
    return AccessArbitraries.conditions();
  }

  @Provide
  Arbitrary<TokenTraits> tokens() {
    return AccessArbitraries.tokens();
  }
}
