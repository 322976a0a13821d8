package io.tokenvault.engine.worker.node.util;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Set;
import org.mozilla.javascript.ScriptRuntime;

/**
 * Formatter of numbers in American English, with the defaults and options of {@code Intl} in
 * Node.js.
 */
final class NumberFormatter {

  /** The symbols of the supported currencies. */
  private static final Map<String, String> CURRENCIES =
      Map.of(
          "USD",
          "$",
          "EUR",
          "\u20ac",
          "GBP",
          "\u00a3",
          "JPY",
          "\u00a5",
          "CAD",
          "CA$",
          "AUD",
          "A$",
          "MXN",
          "MX$",
          "BRL",
          "R$",
          "INR",
          "\u20b9",
          "CNY",
          "CN\u00a5");

  private NumberFormatter() {}

  /**
   * Formats a number.
   *
   * @param options the locale and options of the call
   * @throws RuntimeException a JavaScript error if an option is unknown or out of range
   */
  static String write(double number, LocaleOptions options) {
    String style = options.text("style", "decimal", Set.of("decimal", "percent", "currency"));
    String currency = options.text("currency", null, CURRENCIES.keySet());
    boolean grouped = !options.text("useGrouping", "true", Set.of("true", "false")).equals("false");
    if (style.equals("currency") && currency == null) {
      throw ScriptRuntime.typeError("Currency code is required with currency style.");
    }
    int usual = style.equals("currency") ? "JPY".equals(currency) ? 0 : 2 : 0;
    boolean maximumGiven = options.has("maximumFractionDigits");
    int maximum = options.number("maximumFractionDigits", style.equals("decimal") ? 3 : usual);
    int least = options.number("minimumFractionDigits", Math.min(usual, maximum));
    options.refuseRest();
    if (least > maximum && maximumGiven) {
      throw ScriptRuntime.rangeError("maximumFractionDigits value is out of range.");
    }
    String digits =
        digits(number, style.equals("percent"), least, Math.max(least, maximum), grouped);
    String unit = style.equals("currency") ? CURRENCIES.get(currency) : "";
    String sign = number < 0 || 1 / number < 0 ? "-" : "";
    return sign + unit + digits + (style.equals("percent") ? "%" : "");
  }

  /**
   * Formats the absolute value of a number, rounded half up.
   *
   * @param least the least number of fraction digits
   * @param most the greatest number of fraction digits
   * @param grouped whether to separate thousands
   */
  private static String digits(
      double number, boolean percent, int least, int most, boolean grouped) {
    if (Double.isNaN(number) || Double.isInfinite(number)) {
      return Double.isNaN(number) ? "NaN" : "\u221e";
    }
    BigDecimal exact = new BigDecimal(ScriptRuntime.toString(Math.abs(number)));
    BigDecimal scaled = percent ? exact.movePointRight(2) : exact;
    String plain = scaled.setScale(most, RoundingMode.HALF_UP).toPlainString();
    int point = plain.indexOf('.');
    String whole = point < 0 ? plain : plain.substring(0, point);
    String fraction = point < 0 ? "" : plain.substring(point + 1);
    int end = fraction.length();
    while (end > least && fraction.charAt(end - 1) == '0') {
      end--;
    }
    String groups = grouped ? whole.replaceAll("(?<=\\d)(?=(?:\\d{3})+$)", ",") : whole;
    return end == 0 ? groups : groups + "." + fraction.substring(0, end);
  }
}
