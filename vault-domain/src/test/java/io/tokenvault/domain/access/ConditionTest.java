package io.tokenvault.domain.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.Condition.Attribute;
import io.tokenvault.domain.access.Condition.Operator;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConditionTest implements AccessArbitraries {

  private static final TokenTraits TOKEN =
      new TokenTraits("Card-1", Set.of(new Container("/pci/high/"), new Container("/eu/")));

  @ParameterizedTest
  @CsvSource({
    "ID, EQUALS, Card-1, true", "ID, EQUALS, card-1, false",
    "ID, EQUALS, Card, false", "ID, STARTS_WITH, Card, true",
    "ID, STARTS_WITH, Card-1, true", "ID, STARTS_WITH, card, false",
    "ID, STARTS_WITH, ard, false", "ID, STARTS_WITH, Card-11, false",
    "CONTAINER, EQUALS, /pci/high/, true", "CONTAINER, EQUALS, /PCI/High/, true",
    "CONTAINER, EQUALS, /eu/, true", "CONTAINER, EQUALS, /pci/, false",
    "CONTAINER, STARTS_WITH, /pci/, true", "CONTAINER, STARTS_WITH, /PC, true",
    "CONTAINER, STARTS_WITH, /e, true", "CONTAINER, STARTS_WITH, /us/, false",
    "CONTAINER, STARTS_WITH, Card-1, false"
  })
  void attributeIsComparedWithValue(
      Attribute attribute, Operator operator, String value, boolean holds) {
    assertThat(new Condition(attribute, operator, value).matches(TOKEN)).isEqualTo(holds);
  }

  @Test
  void namesAreExact() {
    assertThat(Attribute.of("id")).contains(Attribute.ID);
    assertThat(Attribute.of("container")).contains(Attribute.CONTAINER);
    assertThat(Attribute.of("ID")).isEmpty();
    assertThat(Operator.of("starts_with")).contains(Operator.STARTS_WITH);
    assertThat(Operator.of("equals")).contains(Operator.EQUALS);
    assertThat(Operator.of("ends_with")).isEmpty();
  }

  @Property
  void conditionsMatchLikeTheModel(
      @ForAll("conditions") Condition condition, @ForAll("tokens") TokenTraits token) {
    assertThat(condition.matches(token)).isEqualTo(AccessModel.holds(condition, token));
  }
}
