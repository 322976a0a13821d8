package io.tokenvault.engine.expression;

import io.tokenvault.domain.request.PercentEncoding;
import io.tokenvault.engine.expression.template.Expression;
import io.tokenvault.engine.expression.template.ExpressionSpan;
import io.tokenvault.engine.expression.template.Template;
import io.tokenvault.engine.expression.template.TokenValues;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Percent-encoded text, in which braces may be literal or encoded. Literal text keeps its encoding;
 * token data is percent-encoded.
 *
 * <pre>{@code
 * Template path = PercentEncodedText.path("/cards/{{26818785}}/charges");
 * }</pre>
 */
public final class PercentEncodedText {

  private static final int TRIPLET = 3;

  private final Charset charset;
  private final BodyCharset repertoire;
  private final boolean plusIsSpace;

  private PercentEncodedText(Charset charset, boolean plusIsSpace) {
    this.charset = charset;
    this.repertoire = new BodyCharset(charset);
    this.plusIsSpace = plusIsSpace;
  }

  /** Reads a path; an expression ends in the segment in which it starts. */
  public static Template path(String raw) {
    if (!mayHoldExpression(raw)) {
      return Template.ofLiteral(raw);
    }
    Template.Builder template = new Template.Builder();
    PercentEncodedText path = new PercentEncodedText(StandardCharsets.UTF_8, false);
    split(raw, '/', template, segment -> path.read(segment, template));
    return template.build();
  }

  /** Reads a query; an expression ends in the name or value in which it starts. */
  public static Template query(String raw) {
    return form(raw, StandardCharsets.UTF_8);
  }

  /**
   * Reads a body of type {@code application/x-www-form-urlencoded}, in which {@code +} is a space.
   *
   * @param charset of the encoded bytes
   */
  public static Template form(String raw, Charset charset) {
    if (!mayHoldExpression(raw)) {
      return Template.ofLiteral(raw);
    }
    Template.Builder template = new Template.Builder();
    PercentEncodedText form = new PercentEncodedText(charset, true);
    split(raw, '&', template, pair -> form.readPair(pair, template));
    return template.build();
  }

  /** Reads the parts of a text, and adds the separators between them to the template. */
  private static void split(
      String raw, char separator, Template.Builder template, Consumer<String> part) {
    int start = 0;
    for (int end = raw.indexOf(separator); end >= 0; end = raw.indexOf(separator, start)) {
      part.accept(raw.substring(start, end));
      template.literal(String.valueOf(separator));
      start = end + 1;
    }
    part.accept(raw.substring(start));
  }

  /** Adds the name and the value of a pair. */
  private void readPair(String pair, Template.Builder template) {
    int equals = pair.indexOf('=');
    if (equals >= 0) {
      read(pair.substring(0, equals), template);
      template.literal("=");
    }
    read(pair.substring(equals + 1), template);
  }

  /** Adds a name, a value or a segment. */
  private void read(String raw, Template.Builder template) {
    if (!mayHoldExpression(raw)) {
      template.literal(raw);
      return;
    }
    Units units = units(raw);
    int done = 0;
    Optional<ExpressionSpan> found = ExpressionSpan.next(units.decoded, 0);
    while (found.isPresent()) {
      ExpressionSpan span = found.get();
      template.literal(units.raw(raw, done, span.start()));
      String inner = units.raw(raw, span.innerStart(), span.innerEnd());
      template.slot(PercentEncoding.decode(inner, plusIsSpace, charset), this::write);
      done = span.end();
      found = ExpressionSpan.next(units.decoded, done);
    }
    template.literal(units.raw(raw, done, units.decoded.length()));
  }

  /** Returns whether there is an opening brace, literal or encoded. */
  private static boolean mayHoldExpression(String raw) {
    return raw.contains("{") || raw.contains("%7b") || raw.contains("%7B");
  }

  private Units units(String raw) {
    int count = count(raw);
    StringBuilder decoded = new StringBuilder(count);
    int[] starts = new int[count + 1];
    int at = 0;
    while (at < raw.length()) {
      starts[decoded.length()] = at;
      if (PercentEncoding.isTriplet(raw, at)) {
        decoded.append((char) PercentEncoding.tripletValue(raw, at));
        at += TRIPLET;
      } else {
        decoded.append(plusIsSpace && raw.charAt(at) == '+' ? ' ' : raw.charAt(at));
        at++;
      }
    }
    starts[decoded.length()] = raw.length();
    return new Units(decoded.toString(), starts);
  }

  /**
   * Returns the number of units in advance: an array for all characters of a long encoded text
   * would take much memory.
   */
  private static int count(String raw) {
    int count = 0;
    for (int at = 0; at < raw.length(); at += PercentEncoding.isTriplet(raw, at) ? TRIPLET : 1) {
      count++;
    }
    return count;
  }

  /** Returns token data percent-encoded. */
  private String write(TokenValues values, Expression expression) {
    String text = values.text(expression);
    if (!text.codePoints().allMatch(repertoire::has)) {
      throw BodyCharset.lacking();
    }
    return PercentEncoding.encode(text, charset);
  }

  /**
   * The units of a raw text, each a character or a percent-encoded byte: one decoded character for
   * each (non-ASCII bytes stand for themselves), and the index where each starts in the raw text.
   */
  private record Units(String decoded, int[] starts) {

    /** Returns the raw text of a range of units. */
    String raw(String raw, int from, int to) {
      return raw.substring(starts[from], starts[to]);
    }
  }
}
