package io.tokenvault.engine.expression;

/**
 * Watches text, attribute values and CDATA sections; the rest of tags too, where what is not XML
 * could smuggle an expression through.
 */
final class XmlWatch implements ExpressionWatch {

  private final XmlLexer lexer = new XmlLexer();
  private final TextWatch content = new TextWatch();
  private XmlLexer.Region region = XmlLexer.Region.TEXT;

  @Override
  public boolean sees(char next) {
    XmlLexer.Region current = lexer.next(next);
    if (current != region) {
      region = current;
      content.reset();
    }
    return region != XmlLexer.Region.OPAQUE && content.sees(next);
  }
}
