package io.tokenvault.adapters.http.search;

import io.tokenvault.adapters.http.exchange.Timestamps;
import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenQuery;
import io.tokenvault.domain.token.TokenType;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.lucene.queryparser.flexible.core.nodes.FieldQueryNode;
import org.apache.lucene.queryparser.flexible.core.nodes.QuotedFieldQueryNode;
import org.apache.lucene.queryparser.flexible.core.util.UnescapedCharSequence;
import org.apache.lucene.queryparser.flexible.standard.nodes.TermRangeQueryNode;

/**
 * Defines the fields of a search query, the values that each accepts, and the token queries that
 * they translate to.
 */
final class SearchClauses {

  /** The name that Lucene's parser gives to the field of a value without one. */
  static final String WITHOUT_FIELD = "";

  /** Replaces an invalid clause; it matches nothing. */
  static final TokenQuery NONE = TokenQuery.anyOf();

  private static final String METADATA = "metadata.";
  private static final String CREATED_AT = "created_at";
  private static final Set<String> FIELDS =
      Set.of("id", "type", "data", "fingerprint", "container", "created_by", CREATED_AT);
  private static final String CHOICES =
      "id, type, data, fingerprint, container, metadata.KEY, created_by, created_at";

  static final String UNKNOWN_FIELD = "unknown field; fields are " + CHOICES;

  private static final String WILDCARD =
      "a wildcard is only allowed at the end of a container; to search for the character itself,"
          + " quote it";
  private static final Pattern START_OF_CONTAINER = Pattern.compile("(?:/[a-z0-9_-]++)*+/?+");

  private final Function<String, TokenQuery> indexedAs;
  private final EscapedQuery query;

  SearchClauses(Function<String, TokenQuery> indexedAs, EscapedQuery query) {
    this.indexedAs = indexedAs;
    this.query = query;
  }

  /** Returns whether a field exists, either by itself or as {@code metadata.KEY}. */
  static boolean isField(String name) {
    return FIELDS.contains(name)
        || (name.startsWith(METADATA) && name.length() > METADATA.length());
  }

  /** Translates a clause with a value. An invalid one becomes a violation. */
  TokenQuery term(FieldQueryNode term) {
    String field = term.getField().toString();
    if (field.equals(WITHOUT_FIELD)) {
      return wrong(term, "a field is missing before this, as in type:card; fields are " + CHOICES);
    }
    return field.equals("container") ? container(term) : exact(field, term);
  }

  /** Translates a clause of a field that accepts no wildcard. */
  private TokenQuery exact(String field, FieldQueryNode term) {
    if (firstWildcard(term) >= 0) {
      return wrong(offset(term, firstWildcard(term)), WILDCARD);
    }
    String value = term.getText().toString();
    return switch (field) {
      case "id" ->
          TokenId.parse(value)
              .<TokenQuery>map(id -> new TokenQuery.IdIn(Set.of(id)))
              .orElseGet(() -> wrong(term, "an id " + TokenId.SHAPE));
      case "type" ->
          TokenType.of(value)
              .<TokenQuery>map(type -> new TokenQuery.TypeIn(Set.of(type)))
              .orElseGet(() -> wrong(term, "the type must be one of " + TokenType.choices()));
      case "created_by" ->
          JsonFields.parseUuid(value)
              .<TokenQuery>map(TokenQuery.CreatedBy::new)
              .orElseGet(() -> wrong(term, "created_by must be a UUID"));
      case "data" -> indexedAs.apply(value);
      case "fingerprint" -> new TokenQuery.FingerprintIs(value);
      case CREATED_AT -> wrong(term, "created_at requires a range, such as [2026-01-01 TO *]");
      default ->
          isField(field)
              ? new TokenQuery.MetadataIs(field.substring(METADATA.length()), value)
              : wrong(term, UNKNOWN_FIELD);
    };
  }

  /** Returns the index of the first unescaped wildcard; -1 if there is none. */
  private static int firstWildcard(FieldQueryNode term) {
    CharSequence text = term.getText();
    for (int i = 0; i < text.length() && !(term instanceof QuotedFieldQueryNode); i++) {
      boolean special = text.charAt(i) == '*' || text.charAt(i) == '?';
      if (special && !UnescapedCharSequence.wasEscaped(text, i)) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Returns the offset of a character of a value in the escaped query, where earlier characters may
   * be escaped.
   */
  private static int offset(FieldQueryNode term, int index) {
    int offset = term.getBegin();
    for (int i = 0; i < index; i++) {
      offset += UnescapedCharSequence.wasEscaped(term.getText(), i) ? 2 : 1;
    }
    return offset;
  }

  /** Translates a container: an exact path, or a prefix that ends with a wildcard. */
  private TokenQuery container(FieldQueryNode term) {
    String path = term.getText().toString();
    int wildcard = firstWildcard(term);
    if (wildcard >= 0) {
      return wildcard == path.length() - 1 && path.endsWith("*")
          ? containersUnder(term, path.substring(0, wildcard).toLowerCase(Locale.ROOT))
          : wrong(offset(term, wildcard), WILDCARD);
    }
    return Container.isValid(path)
        ? new TokenQuery.InContainer(new Container(path))
        : wrong(term, "a container " + Container.SHAPE);
  }

  /** Translates the prefix of a container, which must be the start of a valid path. */
  private TokenQuery containersUnder(FieldQueryNode term, String prefix) {
    return START_OF_CONTAINER.matcher(prefix).matches()
        ? new TokenQuery.ContainerStartsWith(prefix)
        : wrong(term, "no container starts like this: it " + Container.SHAPE);
  }

  /**
   * Translates a range of {@code created_at}. An invalid one becomes a violation. Both ends may be
   * open, inclusive or exclusive.
   */
  TokenQuery range(TermRangeQueryNode range) {
    FieldQueryNode from = range.getLowerBound();
    FieldQueryNode to = range.getUpperBound();
    if (!from.getField().toString().equals(CREATED_AT)) {
      return wrong(from, "only created_at supports ranges");
    }
    List<TokenQuery> ends = new ArrayList<>();
    time(from)
        .map(time -> range.isLowerInclusive() ? time : next(time))
        .ifPresent(time -> ends.add(new TokenQuery.CreatedFrom(time)));
    time(to)
        .map(time -> range.isUpperInclusive() ? next(time) : time)
        .ifPresent(time -> ends.add(new TokenQuery.CreatedBefore(time)));
    return ends.size() == 1 ? ends.get(0) : new TokenQuery.AllOf(ends);
  }

  /** Returns the next time that can be stored; times have microseconds. */
  private static Instant next(Instant time) {
    return time.plus(1, ChronoUnit.MICROS);
  }

  /** Returns the time of an end of a range; empty if the end is open or invalid. */
  private Optional<Instant> time(FieldQueryNode end) {
    String text = end.getText().toString();
    if (text.equals("*")) {
      return Optional.empty();
    }
    Optional<Instant> time = Timestamps.readDateOrTime(text);
    if (time.isEmpty()) {
      query.report(end.getBegin(), "an end of created_at " + Timestamps.DATE_SHAPE + ", or *");
    }
    return time;
  }

  /** Reports a violation at the start of a value. */
  private TokenQuery wrong(FieldQueryNode term, String message) {
    return wrong(term.getBegin(), message);
  }

  private TokenQuery wrong(int offset, String message) {
    query.report(offset, message);
    return NONE;
  }
}
