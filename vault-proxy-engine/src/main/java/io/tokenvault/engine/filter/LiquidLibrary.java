package io.tokenvault.engine.filter;

import io.tokenvault.engine.filter.value.ExpressionException;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Map;
import liqp.TemplateContext;
import liqp.TemplateParser;
import liqp.filters.Filters;
import liqp.parser.Flavor;

/** The Liquid library, whose filters are called one by one; it never sees an expression. */
final class LiquidLibrary {

  private static final TemplateParser SETTINGS =
      new TemplateParser.Builder()
          .withFlavor(Flavor.LIQUID)
          .withLocale(Locale.ENGLISH)
          .withDefaultTimeZone(ZoneOffset.UTC)
          .build();

  private LiquidLibrary() {}

  /**
   * @param value and arguments as the library knows them
   * @throws ExpressionException if the filter fails
   */
  static Object apply(String name, Object value, Object... arguments) {
    try {
      return Filters.DEFAULT_FILTERS
          .get(name)
          .apply(value, new TemplateContext(SETTINGS, Map.of()), arguments);
    } catch (RuntimeException failed) {
      // Without the cause, which quotes the value.
      throw new ExpressionException("cannot work on this value with these arguments");
    }
  }

  /** From text to text. */
  static String text(String name, String value, Object... arguments) {
    return (String) apply(name, value, arguments);
  }
}
