package io.tokenvault.engine.expression;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.engine.expression.BodySyntax.XmlScanner;
import io.tokenvault.engine.expression.XmlLexer.Region;
import io.tokenvault.engine.expression.template.ExpressionSpan;
import io.tokenvault.engine.expression.template.Template;
import io.tokenvault.engine.expression.template.Template.Placement;
import java.io.StringReader;
import java.nio.charset.Charset;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Syntax of expressions in XML 1.0.
 *
 * <p>Expressions are replaced in text, attribute values and CDATA sections, and start with literal
 * braces. An expression ends in the run in which it starts. References to characters and to the
 * five predefined entities are decoded inside of an expression; other references are refused there.
 *
 * <p>A document type declaration is allowed, but a document with expressions must not have an
 * internal subset. External subsets are not fetched.
 *
 * <p>Token data is escaped for the region in which it is written, so that a parser reads it
 * unchanged.
 */
final class XmlBodySyntax {

  private static final int MAX_DEPTH = 10_000;
  private static final char BYTE_ORDER_MARK = '\ufeff';
  private static final Pattern REFERENCE =
      Pattern.compile("&(?:#x([0-9A-Fa-f]+)|#([0-9]+)|([^;&\\s]*));");
  private static final Map<String, String> ENTITIES =
      Map.of("amp", "&", "lt", "<", "gt", ">", "quot", "\"", "apos", "'");
  private static final String CDATA_END = "]]>";
  private static final String ESCAPED_IN_TEXT = "&<>\r";
  private static final String ESCAPED_IN_ATTRIBUTES = "&<>\r\n\t\"'";

  private final String text;

  /** The characters of the body; those that it lacks become references, where possible. */
  private final BodyCharset repertoire;

  private final Template.Builder template = new Template.Builder();
  private int done;

  private XmlBodySyntax(String text, BodyCharset repertoire) {
    this.text = text;
    this.repertoire = repertoire;
  }

  /**
   * Finds the expressions in a document.
   *
   * @param charset in which the result will be encoded
   * @throws ValidationException if the text contains an expression and is not well-formed XML 1.0
   */
  static Template read(String text, Charset charset) {
    XmlScanner scanner = new XmlScanner();
    if (text.chars().noneMatch(each -> scanner.scan((char) each))) {
      return Template.ofLiteral(text);
    }
    boolean marked = text.charAt(0) == BYTE_ORDER_MARK;
    if (!isWellFormed(marked ? text.substring(1) : text)) {
      throw refused("The body contains an expression, but is not valid XML 1.0.");
    }
    return new XmlBodySyntax(text, new BodyCharset(charset)).read();
  }

  private static ValidationException refused(String message) {
    return ValidationException.of("error", message);
  }

  /** Reads each run of one region. */
  private Template read() {
    XmlLexer lexer = new XmlLexer();
    Region region = Region.TEXT;
    int start = 0;
    for (int at = 0; at < text.length(); at++) {
      Region next = lexer.next(text.charAt(at));
      if (next != region) {
        readRun(region, start, at);
        region = next;
        start = at;
      }
    }
    if (lexer.hasInternalSubset()) {
      throw refused("A body with expressions must not declare a document type.");
    }
    return template.literal(text.substring(done)).build();
  }

  /** Adds a run to the template if expressions are replaced in its region. */
  private void readRun(Region region, int start, int end) {
    if (region == Region.OPAQUE || region == Region.TAG) {
      return;
    }
    String run = text.substring(start, end);
    Optional<ExpressionSpan> first = ExpressionSpan.next(run, 0);
    if (first.isPresent()) {
      template.literal(text.substring(done, start));
      template.run(slots(run, region, first), rendered -> finish(rendered, region));
      done = end;
    }
  }

  private Template slots(String run, Region region, Optional<ExpressionSpan> first) {
    Template.Builder slots = template.nested();
    Placement place = placement(region, repertoire);
    int written = 0;
    for (Optional<ExpressionSpan> found = first;
        found.isPresent();
        found = ExpressionSpan.next(run, written)) {
      ExpressionSpan span = found.get();
      slots.literal(before(run.substring(written, span.start())));
      slots.slot(inner(run.substring(span.innerStart(), span.innerEnd()), region), place);
      written = span.end();
    }
    return slots.literal(run.substring(written)).build();
  }

  /** Returns the placement for a region, which keeps nothing of the document. */
  private static Placement placement(Region region, BodyCharset repertoire) {
    return (values, expression) -> {
      String value = values.text(expression);
      StringBuilder written = new StringBuilder(value.length() + 16);
      value
          .codePoints()
          .forEach(character -> append(written, requireXml(character), region, repertoire));
      return written.toString();
    };
  }

  private static void append(
      StringBuilder written, int character, Region region, BodyCharset repertoire) {
    if (region == Region.CDATA) {
      // A parser would turn a carriage return into a line feed, and CDATA has no references.
      if (character == '\r') {
        throw refused("The data of a token contains a character that is not allowed in CDATA.");
      }
      written.appendCodePoint(character);
      return;
    }
    String escaped = region == Region.ATTRIBUTE ? ESCAPED_IN_ATTRIBUTES : ESCAPED_IN_TEXT;
    if (escaped.indexOf(character) >= 0 || !repertoire.has(character)) {
      written.append(reference(character));
    } else {
      written.appendCodePoint(character);
    }
  }

  /** Returns the entity or character reference for a character. */
  private static String reference(int character) {
    return switch (character) {
      case '&' -> "&amp;";
      case '<' -> "&lt;";
      case '>' -> "&gt;";
      case '"' -> "&quot;";
      case '\'' -> "&apos;";
      default -> "&#" + character + ";";
    };
  }

  /** Requires a character that XML 1.0 allows. */
  private static int requireXml(int character) {
    boolean control = character < ' ' && "\t\n\r".indexOf(character) < 0;
    boolean surrogate =
        character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE;
    if (control || surrogate || character == 0xfffe || character == 0xffff) {
      throw refused("The data of a token contains a character that is not allowed in XML.");
    }
    return character;
  }

  /**
   * Returns the literal text before a slot. Carriage returns at its end, which mean line feeds, are
   * replaced: otherwise the last one and a line feed at the beginning of the data would become one.
   */
  private static String before(String literal) {
    int end = literal.length();
    while (end > 0 && literal.charAt(end - 1) == '\r') {
      end--;
    }
    return literal.substring(0, end) + "\n".repeat(literal.length() - end);
  }

  /**
   * Returns a run with replaced slots. Escapes the end of a CDATA section in text, where it may
   * arise between data and literal text.
   */
  private static String finish(String rendered, Region region) {
    if (region == Region.CDATA && rendered.contains(CDATA_END)) {
      throw refused("With the data of a token, the CDATA section would end early.");
    }
    return region == Region.TEXT ? rendered.replace(CDATA_END, "]]&gt;") : rendered;
  }

  /** Returns the content of an expression with its references decoded, except in CDATA. */
  private static String inner(String raw, Region region) {
    return region == Region.CDATA
        ? raw
        : REFERENCE.matcher(raw).replaceAll(XmlBodySyntax::referred);
  }

  private static String referred(MatchResult reference) {
    String character =
        reference.group(1) != null
            ? Character.toString(Integer.parseInt(reference.group(1), 16))
            : reference.group(2) != null
                ? Character.toString(Integer.parseInt(reference.group(2)))
                : ENTITIES.get(reference.group(3));
    if (character == null) {
      throw refused("An expression refers to an unknown entity.");
    }
    return Matcher.quoteReplacement(character);
  }

  /**
   * Returns whether a text is well-formed XML 1.0. Nothing is declared, fetched or expanded:
   * document types are skipped, and references to their entities are left alone.
   */
  private static boolean isWellFormed(String text) {
    try {
      XMLStreamReader reader = factory().createXMLStreamReader(new StringReader(text));
      return !"1.1".equals(reader.getVersion()) && reachesEnd(reader);
    } catch (XMLStreamException | RuntimeException malformed) {
      // The JDK's parser has no message for some errors and fails with an exception about that.
      return false;
    }
  }

  /** Returns whether the document can be read to its end within the permitted depth. */
  private static boolean reachesEnd(XMLStreamReader reader) throws XMLStreamException {
    int depth = 0;
    while (reader.hasNext() && depth <= MAX_DEPTH) {
      int event = reader.next();
      if (event == XMLStreamConstants.START_ELEMENT) {
        depth++;
      } else if (event == XMLStreamConstants.END_ELEMENT) {
        depth--;
      }
    }
    return depth == 0;
  }

  /** Returns a new factory each time: the JDK's factory keeps a reference to its last input. */
  private static XMLInputFactory factory() {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
    factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, false);
    factory.setProperty(XMLConstants.ACCESS_EXTERNAL_DTD, "");
    return factory;
  }
}
