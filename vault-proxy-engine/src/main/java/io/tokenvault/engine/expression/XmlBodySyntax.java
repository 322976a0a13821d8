package io.tokenvault.engine.expression;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.engine.expression.BodySyntax.XmlWatch;
import io.tokenvault.engine.expression.template.ExpressionSpan;
import io.tokenvault.engine.expression.template.Template;
import io.tokenvault.engine.expression.template.Template.Placement;
import io.tokenvault.engine.expression.text.BodyCharset;
import io.tokenvault.engine.expression.xml.XmlLexer;
import io.tokenvault.engine.expression.xml.XmlPlacements;
import java.io.StringReader;
import java.nio.charset.Charset;
import java.util.Optional;
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
 */
final class XmlBodySyntax {

  private static final char BYTE_ORDER_MARK = '\ufeff';

  private final String text;
  private final XmlPlacements places;
  private final Template.Builder template = new Template.Builder();
  private int done;

  private XmlBodySyntax(String text, XmlPlacements places) {
    this.text = text;
    this.places = places;
  }

  /**
   * Finds the expressions in a document.
   *
   * @param charset in which the result will be encoded
   * @throws ValidationException if the text contains an expression and is not well-formed XML 1.0
   */
  static Template read(String text, Charset charset) {
    XmlWatch watch = new XmlWatch();
    if (text.chars().noneMatch(each -> watch.sees((char) each))) {
      return Template.ofLiteral(text);
    }
    boolean marked = text.charAt(0) == BYTE_ORDER_MARK;
    if (!XmlDocument.isWellFormed(marked ? text.substring(1) : text)) {
      throw refused("The body contains an expression, but is not valid XML 1.0.");
    }
    return new XmlBodySyntax(text, new XmlPlacements(new BodyCharset(charset))).read();
  }

  private static ValidationException refused(String message) {
    return ValidationException.of("error", message);
  }

  /** Reads each run of one region. */
  private Template read() {
    XmlLexer lexer = new XmlLexer();
    XmlLexer.Region region = XmlLexer.Region.TEXT;
    int start = 0;
    for (int at = 0; at < text.length(); at++) {
      XmlLexer.Region next = lexer.next(text.charAt(at));
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
  private void readRun(XmlLexer.Region region, int start, int end) {
    if (region == XmlLexer.Region.OPAQUE || region == XmlLexer.Region.TAG) {
      return;
    }
    String run = text.substring(start, end);
    Optional<ExpressionSpan> first = ExpressionSpan.next(run, 0);
    if (first.isPresent()) {
      template.literal(text.substring(done, start));
      template.run(slots(run, region, first), filled -> places.finish(filled, region));
      done = end;
    }
  }

  /** Returns a run with slots. */
  private Template slots(String run, XmlLexer.Region region, Optional<ExpressionSpan> first) {
    Template.Builder slots = template.nested();
    Placement place = places.in(region);
    int written = 0;
    for (Optional<ExpressionSpan> found = first;
        found.isPresent();
        found = ExpressionSpan.next(run, written)) {
      ExpressionSpan span = found.get();
      slots.literal(XmlPlacements.before(run.substring(written, span.start())));
      slots.slot(
          XmlPlacements.inner(run.substring(span.innerStart(), span.innerEnd()), region), place);
      written = span.end();
    }
    return slots.literal(run.substring(written)).build();
  }

  /**
   * Checks whether a text is well-formed XML 1.0. Nothing is declared, fetched or expanded:
   * document types are skipped, and references to their entities are left alone.
   */
  private static final class XmlDocument {

    private static final int MAX_DEPTH = 10_000;

    private XmlDocument() {}

    static boolean isWellFormed(String text) {
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
}
