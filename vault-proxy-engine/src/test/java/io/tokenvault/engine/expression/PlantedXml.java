package io.tokenvault.engine.expression;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/**
 * XML as it is written, with what a parser has to find in it when tokens have these values. What is
 * found is a list of facts, such as {@code text abc}.
 */
record PlantedXml(String raw, Facts facts, Acceptance acceptance) {

  /** What a parser finds. */
  interface Facts {
    void tell(Map<String, String> tokens, List<String> facts);
  }

  /** Whether the values can be written here. */
  interface Acceptance {
    boolean accepts(Map<String, String> tokens, Charset charset);
  }

  private static final Pattern REFERENCE = Pattern.compile("&(amp|#13);");

  /**
   * A piece of a run.
   *
   * @param token empty for literal text
   */
  record Piece(String raw, String token) {}

  static PlantedXml opaque(String raw, String fact) {
    return new PlantedXml(raw, (tokens, facts) -> add(facts, fact), (tokens, charset) -> true);
  }

  static PlantedXml text(List<Piece> pieces) {
    return new PlantedXml(
        raw(pieces),
        (tokens, facts) -> add(facts, "text " + references(read(pieces, tokens, false))),
        (tokens, charset) -> true);
  }

  static PlantedXml cdata(List<Piece> pieces) {
    return new PlantedXml(
        "<![CDATA[" + raw(pieces) + "]]>",
        (tokens, facts) -> add(facts, "cdata " + String.join("", read(pieces, tokens, false))),
        (tokens, charset) -> acceptsCdata(pieces, tokens, charset));
  }

  private static boolean acceptsCdata(
      List<Piece> pieces, Map<String, String> tokens, Charset charset) {
    boolean values =
        pieces.stream()
            .filter(piece -> !piece.token().isEmpty())
            .map(piece -> tokens.get(piece.token()))
            .allMatch(value -> value.indexOf('\r') < 0 && charset.newEncoder().canEncode(value));
    return values && !String.join("", read(pieces, tokens, false)).contains("]]>");
  }

  static PlantedXml element(
      String name, Map<String, List<Piece>> attributes, List<PlantedXml> children) {
    StringBuilder raw = new StringBuilder("<" + name);
    attributes.forEach(
        (attribute, value) -> raw.append(" \n" + attribute + " = ").append(quoted(raw(value))));
    raw.append('>');
    children.forEach(child -> raw.append(child.raw()));
    raw.append("</" + name + " >");
    return new PlantedXml(
        raw.toString(),
        (tokens, facts) -> {
          add(facts, "start " + name);
          new TreeMap<>(attributes)
              .forEach(
                  (attribute, value) ->
                      add(facts, attribute + "=" + references(read(value, tokens, true))));
          children.forEach(child -> child.facts().tell(tokens, facts));
          add(facts, "end");
        },
        (tokens, charset) ->
            children.stream().allMatch(child -> child.acceptance().accepts(tokens, charset)));
  }

  private static String quoted(String value) {
    return value.contains("\"") ? "'" + value + "'" : '"' + value + '"';
  }

  static String raw(List<Piece> pieces) {
    return String.join("", pieces.stream().map(Piece::raw).toList());
  }

  /** Stretches of literal text as a parser normalises them, and values, which it must not. */
  private static List<String> read(
      List<Piece> pieces, Map<String, String> tokens, boolean attribute) {
    List<String> read = new ArrayList<>();
    StringBuilder literal = new StringBuilder();
    for (Piece piece : pieces) {
      if (piece.token().isEmpty()) {
        literal.append(piece.raw());
      } else {
        read.add(normalised(literal, attribute));
        read.add(tokens.get(piece.token()));
        literal.setLength(0);
      }
    }
    read.add(normalised(literal, attribute));
    return read;
  }

  private static String normalised(CharSequence literal, boolean attribute) {
    String lines = literal.toString().replace("\r\n", "\n").replace('\r', '\n');
    return attribute ? lines.replace('\n', ' ').replace('\t', ' ') : lines;
  }

  /** With the references in literal text (each second entry is a value) decoded. */
  private static String references(List<String> read) {
    StringBuilder decoded = new StringBuilder();
    for (int i = 0; i < read.size(); i++) {
      decoded.append(i % 2 == 1 ? read.get(i) : decoded(read.get(i)));
    }
    return decoded.toString();
  }

  private static String decoded(String literal) {
    return REFERENCE
        .matcher(literal)
        .replaceAll(reference -> reference.group(1).equals("amp") ? "&" : "\r");
  }

  /** Adds what is worth telling: text that is next to other text is the same text. */
  private static void add(List<String> facts, String fact) {
    int last = facts.size() - 1;
    if (fact.equals("text ") || fact.equals("cdata ")) {
      return;
    }
    if (fact.startsWith("text ") && last >= 0 && facts.get(last).startsWith("text ")) {
      facts.set(last, facts.get(last) + fact.substring("text ".length()));
      return;
    }
    facts.add(fact);
  }

  List<String> expected(Map<String, String> tokens) {
    List<String> expected = new ArrayList<>();
    facts.tell(tokens, expected);
    return expected;
  }

  /** What the JDK's parser finds. */
  static List<String> parsed(byte[] document) {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultInstance();
      List<String> facts = new ArrayList<>();
      tell(
          factory
              .newDocumentBuilder()
              .parse(new ByteArrayInputStream(document))
              .getDocumentElement(),
          facts);
      return facts;
    } catch (IOException | SAXException | ParserConfigurationException malformed) {
      throw new AssertionError(malformed);
    }
  }

  private static void tell(Node node, List<String> facts) {
    switch (node.getNodeType()) {
      case Node.TEXT_NODE -> add(facts, "text " + node.getNodeValue());
      case Node.CDATA_SECTION_NODE -> add(facts, "cdata " + node.getNodeValue());
      case Node.COMMENT_NODE -> add(facts, "comment " + node.getNodeValue());
      case Node.PROCESSING_INSTRUCTION_NODE ->
          add(facts, node.getNodeName() + " " + node.getNodeValue());
      default -> tellElement(node, facts);
    }
  }

  private static void tellElement(Node element, List<String> facts) {
    add(facts, "start " + element.getNodeName());
    NamedNodeMap attributes = element.getAttributes();
    Map<String, String> sorted = new TreeMap<>();
    for (int i = 0; i < attributes.getLength(); i++) {
      sorted.put(attributes.item(i).getNodeName(), attributes.item(i).getNodeValue());
    }
    sorted.forEach((name, value) -> add(facts, name + "=" + value));
    for (Node child = element.getFirstChild(); child != null; child = child.getNextSibling()) {
      tell(child, facts);
    }
    add(facts, "end");
  }
}
