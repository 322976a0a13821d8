package io.tokenvault.adapters.http.search;

import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.token.TokenQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.lucene.queryparser.flexible.core.QueryNodeParseException;
import org.apache.lucene.queryparser.flexible.core.nodes.AndQueryNode;
import org.apache.lucene.queryparser.flexible.core.nodes.BooleanQueryNode;
import org.apache.lucene.queryparser.flexible.core.nodes.FieldQueryNode;
import org.apache.lucene.queryparser.flexible.core.nodes.GroupQueryNode;
import org.apache.lucene.queryparser.flexible.core.nodes.ModifierQueryNode;
import org.apache.lucene.queryparser.flexible.core.nodes.ModifierQueryNode.Modifier;
import org.apache.lucene.queryparser.flexible.core.nodes.OrQueryNode;
import org.apache.lucene.queryparser.flexible.core.nodes.QueryNode;
import org.apache.lucene.queryparser.flexible.standard.nodes.TermRangeQueryNode;
import org.apache.lucene.queryparser.flexible.standard.parser.ParseException;
import org.apache.lucene.queryparser.flexible.standard.parser.StandardSyntaxParser;

/**
 * Queries in a part of Lucene's language, read by Lucene's parser. AND binds closer than OR.
 * Clauses side by side are joined as in Lucene: those with {@code +} must match and those with
 * {@code -} must not; of the others one must match if there is none with {@code +}.
 */
public final class SearchQuery {

  static final int MAX_CLAUSES = 100;

  private final EscapedQuery text;
  private final SearchProblems problems;
  private final SearchClauses clauses;
  private int count;

  private SearchQuery(String typed, Function<String, TokenQuery> indexedAs) {
    this.text = new EscapedQuery(typed);
    this.problems = new SearchProblems(text);
    this.clauses = new SearchClauses(indexedAs, problems);
  }

  /**
   * @param indexedAs what finds tokens by their data
   * @param violations takes what is wrong; then the answer means nothing
   */
  public static TokenQuery read(
      String typed, Function<String, TokenQuery> indexedAs, Violations violations) {
    SearchQuery query = new SearchQuery(typed, indexedAs);
    TokenQuery read = query.read();
    query.problems.addTo(violations);
    return read;
  }

  private TokenQuery read() {
    new SearchSyntaxCheck(text.escaped(), problems).check();
    if (!problems.isEmpty()) {
      return SearchClauses.NONE;
    }
    try {
      return translate(
          new StandardSyntaxParser().parse(text.escaped(), SearchClauses.WITHOUT_FIELD));
    } catch (QueryNodeParseException malformed) {
      problems.add(offset(malformed), message(malformed));
      return SearchClauses.NONE;
    }
  }

  private static int offset(QueryNodeParseException malformed) {
    return malformed instanceof ParseException found && found.currentToken != null
        ? found.currentToken.next.beginColumn
        : 0;
  }

  private String message(QueryNodeParseException malformed) {
    return offset(malformed) >= text.escaped().length()
        ? "the query ends too early"
        : "this is not expected here; values with spaces or special characters need quotes";
  }

  private TokenQuery translate(QueryNode node) {
    if (node instanceof GroupQueryNode group) {
      return translate(group.getChild());
    }
    if (node instanceof ModifierQueryNode modified) {
      TokenQuery query = translate(modified.getChild());
      return modified.getModifier() == Modifier.MOD_NOT ? new TokenQuery.Not(query) : query;
    }
    if (node instanceof AndQueryNode and) {
      return new TokenQuery.AllOf(translateAll(and.getChildren()));
    }
    if (node instanceof OrQueryNode or) {
      or.getChildren().forEach(this::refusePlus);
      return new TokenQuery.AnyOf(translateAll(or.getChildren()));
    }
    return node instanceof BooleanQueryNode list
        ? sideBySide(list.getChildren())
        : translateClause(node);
  }

  private List<TokenQuery> translateAll(List<QueryNode> nodes) {
    return nodes.stream().map(this::translate).toList();
  }

  /** Lucene would no longer look at the other side then, which hardly anybody means. */
  private void refusePlus(QueryNode node) {
    if (modifier(node) == Modifier.MOD_REQ) {
      problems.add(start(node), "+ has no meaning beside OR");
    }
  }

  private TokenQuery sideBySide(List<QueryNode> nodes) {
    List<TokenQuery> all = new ArrayList<>();
    List<TokenQuery> any = new ArrayList<>();
    boolean required = false;
    for (QueryNode node : nodes) {
      boolean optional = modifier(node) == Modifier.MOD_NONE;
      (optional ? any : all).add(translate(node));
      required |= modifier(node) == Modifier.MOD_REQ;
    }
    if (!required && !any.isEmpty()) {
      all.add(0, oneOf(any));
    }
    return all.size() == 1 ? all.get(0) : new TokenQuery.AllOf(all);
  }

  private static TokenQuery oneOf(List<TokenQuery> queries) {
    return queries.size() == 1 ? queries.get(0) : new TokenQuery.AnyOf(queries);
  }

  private static Modifier modifier(QueryNode node) {
    return node instanceof ModifierQueryNode modified ? modified.getModifier() : Modifier.MOD_NONE;
  }

  private TokenQuery translateClause(QueryNode node) {
    count++;
    if (count > MAX_CLAUSES) {
      if (count == MAX_CLAUSES + 1) {
        problems.add(start(node), "a query can have at most " + MAX_CLAUSES + " clauses");
      }
      return SearchClauses.NONE;
    }
    if (node instanceof TermRangeQueryNode range) {
      return clauses.range(range);
    }
    if (node instanceof FieldQueryNode term) {
      return clauses.term(term);
    }
    problems.add(start(node), "this kind of search is not supported");
    return SearchClauses.NONE;
  }

  /** Where the first value of a node is. */
  private static int start(QueryNode node) {
    QueryNode inner = node;
    while (!(inner instanceof FieldQueryNode)
        && inner.getChildren() != null
        && !inner.getChildren().isEmpty()) {
      inner = inner.getChildren().get(0);
    }
    return inner instanceof FieldQueryNode term ? term.getBegin() : 0;
  }
}
