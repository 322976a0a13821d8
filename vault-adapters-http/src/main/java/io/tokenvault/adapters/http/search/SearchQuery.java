package io.tokenvault.adapters.http.search;

import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.token.TokenQuery;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.queryparser.charstream.FastCharStream;
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
import org.apache.lucene.queryparser.flexible.standard.parser.StandardSyntaxParserConstants;
import org.apache.lucene.queryparser.flexible.standard.parser.StandardSyntaxParserTokenManager;
import org.apache.lucene.queryparser.flexible.standard.parser.Token;
import org.apache.lucene.queryparser.flexible.standard.parser.TokenMgrError;

/**
 * Parses queries in a subset of Lucene's language with Lucene's parser.
 *
 * <p>AND binds more tightly than OR. Adjacent clauses are combined as in Lucene: those with {@code
 * +} must match, those with {@code -} must not, and one of the others must match unless there is
 * one with {@code +}. A query may have 100 clauses and nest parentheses 20 deep.
 *
 * <p>For example, {@code type:card AND created_at:[2026-01-01 TO *]} finds the cards created since
 * the start of 2026.
 */
public final class SearchQuery {

  static final int MAX_CLAUSES = 100;
  static final int MAX_DEPTH = 20;

  private final EscapedQuery text;
  private final SearchClauses clauses;
  private int count;

  private SearchQuery(String typed, Function<String, TokenQuery> indexedAs) {
    this.text = new EscapedQuery(typed);
    this.clauses = new SearchClauses(indexedAs, text);
  }

  /**
   * Parses a query.
   *
   * @param typed the query as the client sent it
   * @param indexedAs returns the query that finds tokens by the value of a search index
   * @param violations collects what is wrong; the result must not be used if there is anything
   */
  public static TokenQuery read(
      String typed, Function<String, TokenQuery> indexedAs, Violations violations) {
    SearchQuery query = new SearchQuery(typed, indexedAs);
    TokenQuery read = query.read();
    query.text.addTo(violations);
    return read;
  }

  /** Checks the syntax first, since Lucene's parser recurses and accepts more than the subset. */
  private TokenQuery read() {
    new SyntaxCheck(text).check();
    if (!text.isValid()) {
      return SearchClauses.NONE;
    }
    try {
      return translate(
          new StandardSyntaxParser().parse(text.escaped(), SearchClauses.WITHOUT_FIELD));
    } catch (QueryNodeParseException malformed) {
      text.report(offset(malformed), message(malformed));
      return SearchClauses.NONE;
    }
  }

  /** Returns the offset of the unexpected token that the parser reported. */
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

  /** Translates a node of Lucene's syntax tree and its children. */
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

  /**
   * Rejects {@code +} beside OR: Lucene would ignore the other side, which is hardly ever intended.
   */
  private void refusePlus(QueryNode node) {
    if (modifier(node) == Modifier.MOD_REQ) {
      text.report(start(node), "+ cannot be combined with OR");
    }
  }

  /** Combines adjacent clauses without an operator. */
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

  /** Translates a single clause, up to the limit on their number. */
  private TokenQuery translateClause(QueryNode node) {
    count++;
    if (count > MAX_CLAUSES) {
      if (count == MAX_CLAUSES + 1) {
        text.report(start(node), "a query can have at most " + MAX_CLAUSES + " clauses");
      }
      return SearchClauses.NONE;
    }
    if (node instanceof TermRangeQueryNode range) {
      return clauses.range(range);
    }
    if (node instanceof FieldQueryNode term) {
      return clauses.term(term);
    }
    text.report(start(node), "this kind of search is not supported");
    return SearchClauses.NONE;
  }

  /** Returns the offset of the first value of a node. */
  private static int start(QueryNode node) {
    QueryNode inner = node;
    while (!(inner instanceof FieldQueryNode)
        && inner.getChildren() != null
        && !inner.getChildren().isEmpty()) {
      inner = inner.getChildren().get(0);
    }
    return inner instanceof FieldQueryNode term ? term.getBegin() : 0;
  }

  /**
   * Checks the lexical tokens of a query before it is parsed.
   *
   * <p>Rejects the parts of Lucene's language that are not supported, unknown fields, and nesting
   * so deep that the recursive parser could exhaust the stack.
   */
  private static final class SyntaxCheck {

    private static final Pattern ESCAPE = Pattern.compile("\\\\(.)", Pattern.DOTALL);
    private static final String UNREADABLE =
        "cannot be parsed; check for an unclosed quote or a single backslash";

    private final EscapedQuery query;
    private final String text;
    private int depth;
    private boolean isValue;

    SyntaxCheck(EscapedQuery query) {
      this.query = query;
      this.text = query.escaped();
    }

    /** Runs the check and reports all violations. */
    void check() {
      StandardSyntaxParserTokenManager tokens =
          new StandardSyntaxParserTokenManager(new FastCharStream(new StringReader(text)));
      int end = 0;
      try {
        Token token = tokens.getNextToken();
        if (token.kind == StandardSyntaxParserConstants.EOF) {
          query.report(0, "the query is empty");
        }
        while (token.kind != StandardSyntaxParserConstants.EOF) {
          end = token.endColumn;
          Token next = tokens.getNextToken();
          check(token, next);
          token = next;
        }
      } catch (TokenMgrError unreadable) {
        query.report(afterSpace(end), UNREADABLE);
      }
    }

    /** Returns the first index from the offset on that is not whitespace. */
    private int afterSpace(int offset) {
      int start = offset;
      while (start < text.length() && Character.isWhitespace(text.charAt(start))) {
        start++;
      }
      return start;
    }

    /** Checks one token, given the one after it. */
    private void check(Token token, Token next) {
      switch (token.kind) {
        case StandardSyntaxParserConstants.CARAT ->
            query.report(token.beginColumn, "boosts (^) are not supported");
        case StandardSyntaxParserConstants.TILDE ->
            query.report(token.beginColumn, "fuzzy and proximity searches (~) are not supported");
        case StandardSyntaxParserConstants.FN_PREFIX ->
            query.report(token.beginColumn, "functions (fn:) are not supported");
        case StandardSyntaxParserConstants.LPAREN -> open(token);
        case StandardSyntaxParserConstants.RPAREN -> depth--;
        default -> checkText(token, next);
      }
      isValue = token.kind == StandardSyntaxParserConstants.OP_COLON;
    }

    private void open(Token parenthesis) {
      depth++;
      if (depth == MAX_DEPTH + 1) {
        query.report(
            parenthesis.beginColumn, "parentheses can be nested at most " + MAX_DEPTH + " deep");
      }
    }

    /** Checks escapes, and the name of a field if a colon follows. */
    private void checkText(Token token, Token next) {
      Matcher escapes = ESCAPE.matcher(token.image);
      while (escapes.find()) {
        if (escapes.group(1).equals("u")) {
          query.report(
              token.beginColumn + escapes.start(), "write the character itself instead of \\u");
        }
      }
      if (next.kind == StandardSyntaxParserConstants.OP_COLON
          && !isValue
          && !SearchClauses.isField(ESCAPE.matcher(token.image).replaceAll("$1"))) {
        query.report(token.beginColumn, SearchClauses.UNKNOWN_FIELD);
      }
    }
  }
}
