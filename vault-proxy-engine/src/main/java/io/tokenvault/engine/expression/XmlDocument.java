package io.tokenvault.engine.expression;

import java.io.StringReader;
import javax.xml.XMLConstants;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Whether a text is well-formed XML 1.0. Nothing is declared, fetched or expanded for it: document
 * types are passed over, and references to their entities are left alone.
 */
final class XmlDocument {

  private static final int MAX_DEPTH = 10_000;

  private XmlDocument() {}

  static boolean isWellFormed(String text) {
    try {
      XMLStreamReader reader = factory().createXMLStreamReader(new StringReader(text));
      return !"1.1".equals(reader.getVersion()) && reachesEnd(reader);
    } catch (XMLStreamException | RuntimeException malformed) {
      // The JDK's parser lacks the message for some faults, and throws that it does.
      return false;
    }
  }

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

  /** A new one each time: the JDK's keeps what it read last. */
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
