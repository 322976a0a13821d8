package io.tokenvault.engine.filter;

import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Map;
import liqp.TemplateContext;
import liqp.TemplateParser;
import liqp.filters.Filters;
import liqp.parser.Flavor;

/**
 * Access to the filters of the Liquid library, which are called one at a time. The library never
 * parses an expression.
 */
final class LiqpBridge {

  /** Settings independent of the server's locale and time zone. */
  private static final TemplateParser SETTINGS =
      new TemplateParser.Builder()
          .withFlavor(Flavor.LIQUID)
          .withLocale(Locale.ENGLISH)
          .withDefaultTimeZone(ZoneOffset.UTC)
          .build();

  private LiqpBridge() {}

  /**
   * Applies a filter of the library.
   *
   * @param value in the library's representation, like the arguments
   * @throws ExpressionException if the filter fails
   */
  static Object apply(String name, Object value, Object... arguments) {
    try {
      return Filters.DEFAULT_FILTERS
          .get(name)
          .apply(value, new TemplateContext(SETTINGS, Map.of()), arguments);
    } catch (RuntimeException failed) {
      // The cause is omitted because it quotes the value.
      throw new ExpressionException("cannot be applied to this value with these arguments");
    }
  }

  /** Applies a filter from text to text. */
  static String text(String name, String value, Object... arguments) {
    return (String) apply(name, value, arguments);
  }
}
