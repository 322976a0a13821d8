package io.tokenvault.adapters.http.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenQuery;
import io.tokenvault.domain.token.TokenQuery.AllOf;
import io.tokenvault.domain.token.TokenQuery.AnyOf;
import io.tokenvault.domain.token.TokenQuery.ContainerStartsWith;
import io.tokenvault.domain.token.TokenQuery.CreatedBefore;
import io.tokenvault.domain.token.TokenQuery.CreatedBy;
import io.tokenvault.domain.token.TokenQuery.CreatedFrom;
import io.tokenvault.domain.token.TokenQuery.FingerprintIs;
import io.tokenvault.domain.token.TokenQuery.IdIn;
import io.tokenvault.domain.token.TokenQuery.InContainer;
import io.tokenvault.domain.token.TokenQuery.IndexIn;
import io.tokenvault.domain.token.TokenQuery.MetadataIs;
import io.tokenvault.domain.token.TokenQuery.Not;
import io.tokenvault.domain.token.TokenQuery.TypeIn;
import io.tokenvault.domain.token.TokenType;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Tests the meaning of queries and the positions of their errors. */
class SearchQueryTest {

  private static final TokenQuery A = new MetadataIs("x", "a");
  private static final TokenQuery B = new MetadataIs("x", "b");
  private static final TokenQuery C = new MetadataIs("x", "c");
  private static final String FIELDS =
      "id, type, data, fingerprint, container, metadata.KEY, created_by, created_at";
  private static final String UNKNOWN_FIELD = "unknown field; fields are " + FIELDS;
  private static final String UNEXPECTED =
      "this is not expected here; values with spaces or special characters need quotes";
  private static final String UNREADABLE =
      "cannot be parsed; check for an unclosed quote or a single backslash";
  private static final String WILDCARD =
      "a wildcard is only allowed at the end of a container; to search for the character itself,"
          + " quote it";
  private static final String BAD_RANGE_END =
      "an end of created_at must be an ISO 8601 date, or a date-time with an offset, or *";
  private static final String FUZZY = "fuzzy and proximity searches (~) are not supported";
  private static final String MISSING_FIELD =
      "a field is missing before this, as in type:card; fields are " + FIELDS;

  private static final String SYNTAX_PARTS =
      "id:abc|type:card|data:|data:\"|container:/pci/|*|?|metadata.k:v|created_at:|[|]|{|}|2026-01-01"
          + "| TO |AND|OR|NOT|&&|\\|\\||!|+|-|(|)|\"|\\|/|~|^|@|=|<|>|fn:|fn:or(|:| |~2|^3|\\u|\u3000";

  private static TokenQuery read(String query, Violations violations) {
    return SearchQuery.read(query, value -> new IndexIn(Set.of("hash of " + value)), violations);
  }

  private static TokenQuery read(String query) {
    Violations violations = new Violations();
    TokenQuery read = read(query, violations);
    assertThat(violations.asMap()).isEmpty();
    return read;
  }

  private static List<String> messages(String query) {
    Violations violations = new Violations();
    read(query, violations);
    assertThat(violations.asMap()).containsOnlyKeys("query");
    return violations.asMap().get("query");
  }

  private static Stream<DynamicTest> meaningTests(Map<String, TokenQuery> rows) {
    return rows.entrySet().stream()
        .map(
            row ->
                dynamicTest(
                    row.getKey(), () -> assertThat(read(row.getKey())).isEqualTo(row.getValue())));
  }

  @TestFactory
  Stream<DynamicTest> fieldsAreParsed() {
    Map<String, TokenQuery> rows = new LinkedHashMap<>();
    rows.put("id:abc", id("abc"));
    rows.put("id: abc", id("abc"));
    rows.put("id:4711", id("4711"));
    rows.put("id:address-4711", id("address-4711"));
    rows.put("id:\"a:b\"", id("a:b"));
    rows.put("id:a\\:b", id("a:b"));
    rows.put("id:jane@home.example", id("jane@home.example"));
    rows.put("type:card", new TypeIn(Set.of(TokenType.CARD)));
    rows.put("data:4242424242424242", data("4242424242424242"));
    rows.put("data:jane@home.example", data("jane@home.example"));
    rows.put("data:a=b/c", data("a=b/c"));
    rows.put("data:\"J\u00fcrgen \\\"J\\\" / 50\\\\ *\"", data("J\u00fcrgen \"J\" / 50\\ *"));
    rows.put("data:what\\?", data("what?"));
    rows.put("data:\ud83d\ude00", data("\ud83d\ude00"));
    rows.put("data:MixedCase", data("MixedCase"));
    rows.put("data:12.50", data("12.50"));
    rows.put("data:\"\"", data(""));
    rows.put("fingerprint:0a1b", new FingerprintIs("0a1b"));
    rows.put("container:/pci/high/", in("/pci/high/"));
    rows.put("container:/PCI/High/", in("/pci/high/"));
    rows.put("container:\"/pci/high/\"", in("/pci/high/"));
    rows.put("container:\\/pci\\/", in("/pci/"));
    rows.put("container:/", in("/"));
    rows.put("container:/pci/*", new ContainerStartsWith("/pci/"));
    rows.put("container:/PC*", new ContainerStartsWith("/pc"));
    rows.put("container:/*", new ContainerStartsWith("/"));
    rows.put("container:*", new ContainerStartsWith(""));
    rows.put("metadata.customer:4711", new MetadataIs("customer", "4711"));
    rows.put("metadata.a.b:c", new MetadataIs("a.b", "c"));
    rows.put("metadata.a/b:c", new MetadataIs("a/b", "c"));
    rows.put("metadata.a\\ b\\:c:\"d e\"", new MetadataIs("a b:c", "d e"));
    rows.put(
        "created_by:2f1c1f0e-6f7a-4f7e-9a54-0f3b5a5f7c11",
        new CreatedBy(UUID.fromString("2f1c1f0e-6f7a-4f7e-9a54-0f3b5a5f7c11")));
    return meaningTests(rows);
  }

  @TestFactory
  Stream<DynamicTest> createdAtRangesAreParsed() {
    Map<String, TokenQuery> rows = new LinkedHashMap<>();
    rows.put(
        "created_at:[2026-01-01 TO 2026-02-01]",
        between("2026-01-01T00:00:00Z", "2026-02-01T00:00:00.000001Z"));
    rows.put(
        "created_at:[2026-01-01 TO 2026-02-01}",
        between("2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"));
    rows.put(
        "created_at:{2026-01-01 TO 2026-02-01]",
        between("2026-01-01T00:00:00.000001Z", "2026-02-01T00:00:00.000001Z"));
    rows.put(
        "created_at:{2026-01-01 TO 2026-02-01}",
        between("2026-01-01T00:00:00.000001Z", "2026-02-01T00:00:00Z"));
    rows.put("created_at:[2026-01-01 TO *]", from("2026-01-01T00:00:00Z"));
    rows.put("created_at:{* TO 2026-01-01}", before("2026-01-01T00:00:00Z"));
    rows.put("created_at:[* TO *]", TokenQuery.everything());
    rows.put(
        "created_at:[2026-01-01T10:00:00.5Z TO \"2026-01-01T12:00:00+01:00\"}",
        between("2026-01-01T10:00:00.5Z", "2026-01-01T11:00:00Z"));
    rows.put("created_at:[2026-01-01T12:00:00+01:00 TO *]", from("2026-01-01T11:00:00Z"));
    return meaningTests(rows);
  }

  @TestFactory
  Stream<DynamicTest> operatorsAreParsed() {
    Map<String, TokenQuery> rows = new LinkedHashMap<>();
    rows.put("x:a AND x:b", all(A, B));
    rows.put("x:a && x:b", all(A, B));
    rows.put("x:a OR x:b", any(A, B));
    rows.put("x:a || x:b", any(A, B));
    rows.put("x:a x:b", any(A, B));
    rows.put("NOT x:a", not(A));
    rows.put("!x:a", not(A));
    rows.put("-x:a", not(A));
    rows.put("+x:a", A);
    rows.put("(x:a)", A);
    rows.put("((x:a))", A);
    rows.put("x:a AND x:b OR x:c", any(all(A, B), C));
    rows.put("x:a OR x:b AND x:c", any(A, all(B, C)));
    rows.put("x:a AND (x:b OR x:c)", all(A, any(B, C)));
    rows.put("x:a AND NOT x:b", all(A, not(B)));
    rows.put("x:a OR NOT x:b", any(A, not(B)));
    rows.put("NOT (x:a OR x:b)", not(any(A, B)));
    rows.put("x:a -x:b", all(A, not(B)));
    rows.put("x:a x:b -x:c", all(any(A, B), not(C)));
    rows.put("x:a NOT x:b", all(A, not(B)));
    rows.put("-x:a -x:b", all(not(A), not(B)));
    rows.put("+x:a x:b", A);
    rows.put("+x:a +x:b", all(A, B));
    rows.put("+x:a x:b -x:c", all(A, not(C)));
    rows.put("x:(a b)", any(A, B));
    rows.put("x:(a AND NOT b)", all(A, not(B)));
    rows.put("x:\"and\" OR x:b", any(new MetadataIs("x", "and"), B));
    Map<String, TokenQuery> metadataRows = new LinkedHashMap<>();
    rows.forEach((query, meaning) -> metadataRows.put(query.replace("x:", "metadata.x:"), meaning));
    return meaningTests(metadataRows);
  }

  @TestFactory
  Stream<DynamicTest> errorsAreReportedWithTheirPosition() {
    Map<String, String> rows = new LinkedHashMap<>();
    rows.put(" ", "1: the query is empty");
    rows.put("4242", "1: " + MISSING_FIELD);
    rows.put("type:card 4242", "11: " + MISSING_FIELD);
    rows.put("\"a b\"", "2: " + MISSING_FIELD);
    rows.put("card:4242", "1: " + UNKNOWN_FIELD);
    rows.put("type:card AND (Data:x)", "16: " + UNKNOWN_FIELD);
    rows.put("metadata:x", "1: " + UNKNOWN_FIELD);
    rows.put("metadata.:x", "1: " + UNKNOWN_FIELD);
    rows.put("*:*", "1: " + UNKNOWN_FIELD);
    rows.put("\ud83d\ude00:x", "1: " + UNKNOWN_FIELD);
    rows.put("data:\ud83d\ude00 AND x:1", "12: " + UNKNOWN_FIELD);
    rows.put("type:cards", "6: the type must be one of " + TokenType.choices());
    rows.put("id:ab", "4: an id " + TokenId.SHAPE);
    rows.put("created_by:me", "12: created_by must be a UUID");
    rows.put("container:pci", "11: a container " + Container.SHAPE);
    rows.put("container:\"/pci/*\"", "12: a container " + Container.SHAPE);
    rows.put("container:pci*", "11: no container starts like this: it " + Container.SHAPE);
    rows.put("container:/p*i/", "13: " + WILDCARD);
    rows.put("container:/p/?", "14: " + WILDCARD);
    rows.put("container:/p/**", "14: " + WILDCARD);
    rows.put("data:42*", "8: " + WILDCARD);
    rows.put("id:ab\\*c?", "9: " + WILDCARD);
    rows.put("metadata.x:*", "12: " + WILDCARD);
    rows.put("created_at:2026-01-01", "12: created_at requires a range, such as [2026-01-01 TO *]");
    rows.put("created_at:[yesterday TO *]", "13: " + BAD_RANGE_END);
    rows.put("created_at:[* TO 2026-02-30]", "18: " + BAD_RANGE_END);
    rows.put("created_at:[2026-01-01T00:00:00 TO *]", "13: " + BAD_RANGE_END);
    rows.put("data:[a TO b]", "7: only created_at supports ranges");
    rows.put("[a TO b]", "2: only created_at supports ranges");
    rows.put("data:abcd~", "10: " + FUZZY);
    rows.put("data:abcd~2", "10: " + FUZZY);
    rows.put("data:\"a b\"~3", "11: " + FUZZY);
    rows.put("data:abcd^2", "10: boosts (^) are not supported");
    rows.put("fn:maxwidth(3 a b)", "1: functions (fn:) are not supported");
    rows.put("container:/a/ AND data:x~", "25: " + FUZZY);
    rows.put("data:a:b", "7: " + UNEXPECTED);
    rows.put("type:card)", "10: " + UNEXPECTED);
    rows.put("AND type:card", "1: " + UNEXPECTED);
    rows.put("type:card AND OR", "15: " + UNEXPECTED);
    rows.put("NOT NOT type:card", "5: " + UNEXPECTED);
    rows.put("(type:card", "11: the query ends too early");
    rows.put("type:", "6: the query ends too early");
    rows.put("type:card AND", "14: the query ends too early");
    rows.put("created_at:[* TO 2026-01-01", "28: the query ends too early");
    rows.put("data:\"abc", "6: " + UNREADABLE);
    rows.put("container:/a/ data:\"abc", "20: " + UNREADABLE);
    rows.put("data:abc\\", "9: " + UNREADABLE);
    rows.put("data:a\\u0000", "7: write the character itself instead of \\u");
    rows.put("data:\"\\u12\"", "7: write the character itself instead of \\u");
    rows.put("+type:card OR type:bank", "7: + cannot be combined with OR");
    return rows.entrySet().stream()
        .map(
            row ->
                dynamicTest(
                    "[" + row.getKey() + "]",
                    () ->
                        assertThat(messages(row.getKey()).get(0))
                            .startsWith("at character " + row.getValue())));
  }

  @Test
  void allErrorsAreReportedWithoutSearchTerms() {
    assertThat(messages("data:secret* AND type:secret AND (id:secret\u00a0 OR x:secret)"))
        .containsExactly("at character 49: " + UNKNOWN_FIELD);
    assertThat(messages("data:secret* AND type:secret OR created_by:secret"))
        .hasSize(3)
        .noneMatch(message -> message.contains("secret"));
    assertThat(messages("data:\"secret")).noneMatch(message -> message.contains("secret"));
  }

  @Test
  void clausesAreLimitedToAHundred() {
    assertThat(read(clauses(SearchQuery.MAX_CLAUSES))).isInstanceOf(AnyOf.class);
    assertThat(messages(clauses(150)))
        .containsExactly("at character 704: a query can have at most 100 clauses");
  }

  @Test
  void firstOfManyErrorsAreReported() {
    assertThat(messages("~".repeat(2000)))
        .hasSize(20)
        .startsWith("at character 1: " + FUZZY, "at character 2: " + FUZZY);
  }

  private static String clauses(int count) {
    return IntStream.range(0, count).mapToObj(i -> "id:abc").collect(Collectors.joining(" "));
  }

  @Test
  void parenthesesDeeperThanTwentyAreRejected() {
    int depth = SearchQuery.MAX_DEPTH;
    assertThat(read("(".repeat(depth) + "id:abc" + ")".repeat(depth))).isEqualTo(id("abc"));
    assertThat(messages("(".repeat(990) + "id:abc" + ")".repeat(990)))
        .containsExactly("at character 21: parentheses can be nested at most 20 deep");
  }

  private static TokenQuery id(String id) {
    return new IdIn(Set.of(new TokenId(id)));
  }

  private static TokenQuery data(String value) {
    return new IndexIn(Set.of("hash of " + value));
  }

  private static TokenQuery in(String path) {
    return new InContainer(new Container(path));
  }

  private static TokenQuery between(String from, String before) {
    return all(from(from), before(before));
  }

  private static TokenQuery from(String time) {
    return new CreatedFrom(Instant.parse(time));
  }

  private static TokenQuery before(String time) {
    return new CreatedBefore(Instant.parse(time));
  }

  private static TokenQuery all(TokenQuery... queries) {
    return new AllOf(List.of(queries));
  }

  private static TokenQuery any(TokenQuery... queries) {
    return new AnyOf(List.of(queries));
  }

  private static TokenQuery not(TokenQuery query) {
    return new Not(query);
  }

  /** Asserts that a text is parsed as a query, or rejected with the position of its errors. */
  private static void assertParsedOrRejected(String text) {
    Violations violations = new Violations();
    assertThat(read(text, violations)).isNotNull();
    violations
        .asMap()
        .getOrDefault("query", List.of())
        .forEach(message -> assertThat(message).matches("at character [1-9][0-9]*: .+"));
  }

  @Property
  void anyTextIsParsedOrRejected(@ForAll @StringLength(max = 300) String text) {
    assertParsedOrRejected(text);
  }

  @Property
  void anyMixOfSyntaxIsParsedOrRejected(@ForAll("syntaxMixes") String text) {
    assertParsedOrRejected(text);
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

    assertThat(read(quoted)).isEqualTo(data(value));
  }
}
