package io.tokenvault.engine.expression.xml;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.engine.expression.template.Placement;
import io.tokenvault.engine.expression.text.CharsetRepertoire;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How token data is written in each region of XML, so that it is read as what it is. */
public final class XmlPlacements {

  private static final Pattern REFERENCE =
      Pattern.compile("&(?:#x([0-9A-Fa-f]+)|#([0-9]+)|([^;&\\s]*));");
  private static final Map<String, String> ENTITIES =
      Map.of("amp", "&", "lt", "<", "gt", ">", "quot", "\"", "apos", "'");
  private static final String CDATA_END = "]]>";
  private static final String ESCAPED_IN_TEXT = "&<>\r";
  private static final String ESCAPED_IN_ATTRIBUTES = "&<>\r\n\t\"'";

  private final CharsetRepertoire repertoire;

  /**
   * @param repertoire what it lacks becomes a reference where there can be one
   */
  public XmlPlacements(CharsetRepertoire repertoire) {
    this.repertoire = repertoire;
  }

  public Placement in(XmlLexer.Region region) {
    return (values, expression) -> write(values.text(expression), region);
  }

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

  private static int requireXml(int character) {
    boolean control = character < ' ' && "\t\n\r".indexOf(character) < 0;
    boolean surrogate =
        character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE;
    if (control || surrogate || character == 0xfffe || character == 0xffff) {
      throw refused("The data of a token holds a character that cannot stand in XML.");
    }
    return character;
  }

  /** A reader of XML would make a line feed of it, and there are no references in CDATA. */
  private static int requireNoReturn(int character) {
    if (character == '\r') {
      throw refused("The data of a token holds a character that cannot stand in CDATA.");
    }
    return character;
  }

  private static ValidationException refused(String message) {
    return ValidationException.of("error", message);
  }

  /**
   * Literal text before a slot. A carriage return at its end means a line feed, and would swallow
   * one at the beginning of the data.
   */
  public static String before(String literal) {
    int end = literal.length();
    while (end > 0 && literal.charAt(end - 1) == '\r') {
      end--;
    }
    return literal.substring(0, end) + "\n".repeat(literal.length() - end);
  }

  /** A run in which all slots are filled. What ends CDATA can arise where data meets the rest. */
  public String finish(String filled, XmlLexer.Region region) {
    if (region == XmlLexer.Region.CDATA && filled.contains(CDATA_END)) {
      throw refused("With the data of a token the CDATA section would end before its end.");
    }
    return region == XmlLexer.Region.TEXT ? filled.replace(CDATA_END, "]]&gt;") : filled;
  }

  /** An expression as it is meant. */
  public static String inner(String raw, XmlLexer.Region region) {
    return region == XmlLexer.Region.CDATA
        ? raw
        : REFERENCE.matcher(raw).replaceAll(XmlPlacements::referred);
  }

  private static String referred(MatchResult reference) {
    String character =
        reference.group(1) != null
            ? Character.toString(Integer.parseInt(reference.group(1), 16))
            : reference.group(2) != null
                ? Character.toString(Integer.parseInt(reference.group(2)))
                : ENTITIES.get(reference.group(3));
    if (character == null) {
      throw refused("An expression refers to an entity that is not known.");
    }
    return Matcher.quoteReplacement(character);
  }
}
