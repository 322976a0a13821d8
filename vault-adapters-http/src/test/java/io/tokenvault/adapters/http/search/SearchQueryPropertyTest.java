package io.tokenvault.adapters.http.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.token.TokenQuery;
import io.tokenvault.domain.token.TokenQuery.IndexIn;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.StringLength;

/** Tests that any text is parsed as a query, or rejected with the position of its errors. */
class SearchQueryPropertyTest {

  private static final String SYNTAX_PARTS =
      "id:abc|type:card|data:|data:\"|container:/pci/|*|?|metadata.k:v|created_at:|[|]|{|}|2026-01-01"
          + "| TO |AND|OR|NOT|&&|\\|\\||!|+|-|(|)|\"|\\|/|~|^|@|=|<|>|fn:|fn:or(|:| |~2|^3|\\u|\u3000";

  private static Violations read(String text) {
    Violations violations = new Violations();
    TokenQuery query = SearchQuery.read(text, value -> new IndexIn(Set.of(value)), violations);
    assertThat(query).isNotNull();
    violations
        .asMap()
        .getOrDefault("query", List.of())
        .forEach(message -> assertThat(message).matches("at character [1-9][0-9]*: .+"));
    return violations;
  }

  @Property
  void anyTextIsParsedOrRejected(@ForAll @StringLength(max = 300) String text) {
    read(text);
  }

  @Property
  void anyMixOfSyntaxIsParsedOrRejected(@ForAll("syntaxMixes") String text) {
    read(text);
  }

  @Provide
  Arbitrary<String> syntaxMixes() {
    return Arbitraries.of(SYNTAX_PARTS.split("(?<!\\\\)\\|"))
        .map(part -> part.replace("\\|", "|"))
        .list()
        .ofMaxSize(60)
        .map(parts -> String.join("", parts));
  }

  @Property
  void anyValueInQuotesIsFound(@ForAll String value) {
    String quoted = "data:\"" + value.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";

    Violations violations = new Violations();
    TokenQuery query = SearchQuery.read(quoted, text -> new IndexIn(Set.of(text)), violations);

    assertThat(violations.isEmpty()).isTrue();
    assertThat(query).isEqualTo(new IndexIn(Set.of(value)));
  }
}
