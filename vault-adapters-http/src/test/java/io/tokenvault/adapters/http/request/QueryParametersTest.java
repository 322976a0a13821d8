package io.tokenvault.adapters.http.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.ports.store.PageRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueryParametersTest {

  private final Violations violations = new Violations();

  private QueryParameters parse(String query) {
    return QueryParameters.parse(query, violations);
  }

  @ParameterizedTest
  @CsvSource({
    "'',",
    "&&,",
    "y=1,",
    "X=1,",
    "x, ''",
    "x=, ''",
    "x=a+b%2Bc%20d, a b+c d",
    "%78=a=b, a=b",
    "x=%C3%A9é%F0%9F%98%80, éé😀",
    "x={}|\\, {}|\\",
    "x=a;y=b, a;y=b"
  })
  void valueIsFormDecoded(String query, String value) {
    assertThat(parse(query).one("x")).isEqualTo(Optional.ofNullable(value));
  }

  @Test
  void missingQueryHasNoParameters() {
    assertThat(parse(null).one("x")).isEmpty();
    assertThat(violations.isEmpty()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"%", "%4", "%zz", "%+1", "%-1", "%ff", "%C3", "%00", "%ED%A0%80", "a%"})
  void invalidPercentEncodingIsReportedByName(String bad) {
    Violations found = new Violations();
    QueryParameters.parse("x=" + bad + "&y=1", found);
    assertThat(found.asMap()).isEqualTo(Map.of("x", List.of("must be percent-encoded UTF-8")));
  }

  @Test
  void malformedNameIsReportedAsGeneralError() {
    parse("%zz=1&%ff");

    assertThat(violations.asMap())
        .isEqualTo(Map.of("error", List.of("a query parameter's name is not percent-encoded")));
  }

  @Test
  void repeatedSingleParameterIsReported() {
    assertThat(parse("x=1&x=2").one("x")).hasValue("1");

    assertThat(violations.asMap()).isEqualTo(Map.of("x", List.of("must be given once")));
  }

  @Test
  void repeatableParameterReturnsDistinctValuesInOrder() {
    assertThat(parse("x=b&x=a&x=b&x=").each("x", Optional::of, "unused"))
        .containsExactly("b", "a", "");
  }

  @Test
  void invalidValueIsReportedWithoutTheValue() {
    assertThat(parse("id=x&id=y").each("id", JsonFields::parseUuid, "must be a UUID")).isEmpty();

    assertThat(violations.asMap()).isEqualTo(Map.of("id", List.of("must be a UUID")));
  }

  @Test
  void parametersAreFoundByPrefix() {
    assertThat(parse("m.a=1&m.=2&m=3&m.b.c=4&n.a=5").startingWith("m."))
        .containsExactly(Map.entry("a", "1"), Map.entry("b.c", "4"));
  }

  @Test
  void pagesHaveDefaultsAndBounds() {
    assertThat(parse(null).page()).isEqualTo(new PageRequest(1, 20));
    assertThat(parse("page=007&size=100").page()).isEqualTo(new PageRequest(7, 100));
    assertThat(parse("size=10000").page(10_000)).isEqualTo(new PageRequest(1, 10_000));
    assertThat(parse("page=2147483647").page().page()).isEqualTo(Integer.MAX_VALUE);
    assertThat(violations.isEmpty()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "+1", "1.0", "1e1", "x", "", "2147483648", "%D9%A1", "1%20"})
  void invalidPageAndSizeAreReported(String bad) {
    Violations found = new Violations();
    QueryParameters.parse("page=" + bad + "&size=" + bad, found).page();
    assertThat(found.asMap())
        .isEqualTo(
            Map.of(
                "page", List.of("must be a whole number from 1"),
                "size", List.of("must be a whole number from 1 to 100")));
  }

  @Test
  void unknownParameterIsReportedWithKnownOnes() {
    QueryParameters query = parse("a=1&x=2&X=3&m.b=4&m.=5&m=6&");
    query.one("x");
    query.each("a", Optional::of, "unused");
    query.startingWith("m.");
    query.refuseOthers();

    String message = "is not a known parameter; there are a, m.*, x";
    assertThat(violations.asMap())
        .isEqualTo(Map.of("X", List.of(message), "m.", List.of(message), "m", List.of(message)));
  }
}
