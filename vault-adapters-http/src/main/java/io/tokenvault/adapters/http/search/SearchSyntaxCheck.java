package io.tokenvault.adapters.http.search;

import java.io.StringReader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.queryparser.charstream.FastCharStream;
import org.apache.lucene.queryparser.flexible.standard.parser.StandardSyntaxParserConstants;
import org.apache.lucene.queryparser.flexible.standard.parser.StandardSyntaxParserTokenManager;
import org.apache.lucene.queryparser.flexible.standard.parser.Token;
import org.apache.lucene.queryparser.flexible.standard.parser.TokenMgrError;

/**
 * Checks the lexical tokens of a query before it is parsed.
 *
 * <p>Rejects the parts of Lucene's language that are not supported, unknown fields, and nesting so
 * deep that the recursive parser could exhaust the stack.
 */
final class SearchSyntaxCheck {

  static final int MAX_DEPTH = 20;

  private static final Pattern ESCAPE = Pattern.compile("\\\\(.)", Pattern.DOTALL);
  private static final String UNREADABLE =
      "cannot be parsed; check for an unclosed quote or a single backslash";

  private final EscapedQuery query;
  private final String text;
  private int depth;
  private boolean isValue;

  SearchSyntaxCheck(EscapedQuery query) {
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
