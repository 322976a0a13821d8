package io.tokenvault.engine.expression.xml;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.engine.expression.template.Template.Placement;
import io.tokenvault.engine.expression.text.BodyCharset;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes token data in each region of XML, so that a parser reads it unchanged.
 *
 * @param repertoire characters that it lacks become references, where these are possible
 */
public record XmlPlacements(BodyCharset repertoire) {

  private static final Pattern REFERENCE =
      Pattern.compile("&(?:#x([0-9A-Fa-f]+)|#([0-9]+)|([^;&\\s]*));");
  private static final Map<String, String> ENTITIES =
      Map.of("amp", "&", "lt", "<", "gt", ">", "quot", "\"", "apos", "'");
  private static final String CDATA_END = "]]>";
  private static final String ESCAPED_IN_TEXT = "&<>\r";
  private static final String ESCAPED_IN_ATTRIBUTES = "&<>\r\n\t\"'";

  /** Returns the placement for a region. */
  public Placement in(XmlLexer.Region region) {
    return (values, expression) -> write(values.text(expression), region);
  }

  /** Returns a value escaped for a region. */
  private String write(String value, XmlLexer.Region region) {
    StringBuilder written = new StringBuilder(value.length() + 16);
    value.codePoints().forEach(character -> append(written, requireXml(character), region));
    return written.toString();
  }

  private void append(StringBuilder written, int character, XmlLexer.Region region) {
    if (region == XmlLexer.Region.CDATA) {
      written.appendCodePoint(requireNoReturn(character));
      return;
    }
    String escaped = region == XmlLexer.Region.ATTRIBUTE ? ESCAPED_IN_ATTRIBUTES : ESCAPED_IN_TEXT;
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
   * Refuses a carriage return in CDATA: a parser would turn it into a line feed, and CDATA has no
   * references.
   */
  private static int requireNoReturn(int character) {
    if (character == '\r') {
      throw refused("The data of a token contains a character that is not allowed in CDATA.");
    }
    return character;
  }

  private static ValidationException refused(String message) {
    return ValidationException.of("error", message);
  }

  /**
   * Returns the literal text before a slot. Carriage returns at its end, which mean line feeds, are
   * replaced: otherwise the last one and a line feed at the beginning of the data would become one.
   */
  public static String before(String literal) {
    int end = literal.length();
    while (end > 0 && literal.charAt(end - 1) == '\r') {
      end--;
    }
    return literal.substring(0, end) + "\n".repeat(literal.length() - end);
  }

  /**
   * Returns a run with filled slots. Escapes the end of a CDATA section in text, where it may arise
   * between data and literal text.
   *
   * @throws ValidationException if such an end arises in CDATA
   */
  public String finish(String filled, XmlLexer.Region region) {
    if (region == XmlLexer.Region.CDATA && filled.contains(CDATA_END)) {
      throw refused("With the data of a token, the CDATA section would end early.");
    }
    return region == XmlLexer.Region.TEXT ? filled.replace(CDATA_END, "]]&gt;") : filled;
  }

  /**
   * Returns the content of an expression with its references decoded, except in CDATA.
   *
   * @throws ValidationException if it refers to an unknown entity
   */
  public static String inner(String raw, XmlLexer.Region region) {
    return region == XmlLexer.Region.CDATA
        ? raw
        : REFERENCE.matcher(raw).replaceAll(XmlPlacements::referred);
  }

  /** Returns the character of a reference. */
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
}
