package io.tokenvault.engine.worker.node;

import io.tokenvault.engine.worker.node.script.RealmServices;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.LambdaFunction;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;

/**
 * {@code toLocaleString} and similar methods, on which {@code Intl} is based: American English, the
 * default of Node.js. Other locales and unknown options throw an error, except in comparisons, and
 * in case mappings of strings, which follow any locale but Greek.
 *
 * <p>{@code toString} of {@code Date} is also replaced, since the format of Rhino differs.
 */
final class LocaleFunctions {
  /** The cost of formatting one value; see {@link RealmServices#spend}. */
  private static final int WORK = 1000;

  /** The cost of comparing two texts, and of each of their characters. */
  private static final int COMPARISON = 100;

  private static final long CHARACTER = 50;

  private static final Set<String> SENSITIVITIES = Set.of("base", "accent", "case", "variant");

  /** The greatest length of a {@code BigInt}; formatting takes quadratic time. */
  private static final int MAX_BITS = 4096;

  /** The symbols of currencies; the others are shown by their codes. */
  private static final Map<String, String> SYMBOLS =
      Stream.of(
              ("USD $,EUR \u20ac,GBP \u00a3,JPY \u00a5,CAD CA$,AUD A$,MXN MX$,BRL R$,INR \u20b9,"
                      + "CNY CN\u00a5,HKD HK$,ILS \u20aa,KRW \u20a9,NZD NZ$,PHP \u20b1,TWD NT$,VND \u20ab,"
                      + "XAF FCFA,XCD EC$,XCG Cg.,XOF F\u202fCFA,XPF CFPF,"
                      + "XXX \u00a4")
                  .split(","))
          .map(currency -> currency.split(" "))
          .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));

  /** The currencies without fraction digits in Node.js. */
  private static final Set<String> WHOLE =
      Set.of(
          ("ADP,AFN,ALL,BIF,BYR,CLP,COP,DJF,ESP,GNF,HUF,IDR,IQD,IRR,ISK,ITL,JPY,KMF,KPW,"
                  + "KRW,LAK,LBP,LUF,MGA,MGF,MMK,MRO,PKR,PYG,RWF,SLL,SOS,STD,SYP,TMM,TRL,UGX,UYI,"
                  + "VND,VUV,XAF,XOF,XPF,YER,ZMK,ZWD")
              .split(","));

  /** The currencies with three fraction digits. */
  private static final Set<String> THOUSANDTHS = Set.of("BHD JOD KWD LYD OMR TND".split(" "));

  /** The units of account with four fraction digits. */
  private static final Set<String> TEN_THOUSANDTHS = Set.of("CLF", "UYW");

  /** The values of {@code useGrouping} that have the same meaning in American English. */
  private static final Set<String> GROUPINGS = Set.of("true", "false", "auto", "always");

  private static final Set<String> SIGN_DISPLAYS =
      Set.of("auto", "always", "never", "exceptZero", "negative");

  /** The options of Node.js that are unsupported here, of formatters of numbers. */
  private static final Set<String> UNSUPPORTED =
      Set.of(
          "compactDisplay",
          "currencySign",
          "maximumSignificantDigits",
          "minimumSignificantDigits",
          "notation",
          "roundingIncrement",
          "roundingMode",
          "roundingPriority",
          "trailingZeroDisplay",
          "unit",
          "unitDisplay");

  private static final DecimalFormatSymbols DIGITS = DecimalFormatSymbols.getInstance(Locale.US);

  private final ScriptableObject realm;
  private final LongConsumer work;

  private LocaleFunctions(ScriptableObject realm, LongConsumer work) {
    this.realm = realm;
    this.work = work;
  }

  /** Replaces the methods of {@code Number}, {@code String} and {@code Date} in a realm. */
  static void install(ScriptableObject realm, LongConsumer work) {
    new LocaleFunctions(realm, work).replaceAll();
  }

  private void replaceAll() {
    replace(
        "Number",
        "toLocaleString",
        (self, args) -> number(ScriptRuntime.toNumber(self), options(args)));
    replace("BigInt", "toLocaleString", (self, args) -> number(bigInt(self), options(args)));
    replace(
        "String",
        "toLocaleUpperCase",
        (self, args) -> ScriptRuntime.toString(self).toUpperCase(caseLocale(args)));
    replace(
        "String",
        "toLocaleLowerCase",
        (self, args) -> ScriptRuntime.toString(self).toLowerCase(caseLocale(args)));
    replace("String", "localeCompare", COMPARISON, this::compare);
    replaceDate("toLocaleString", true, true);
    replaceDate("toLocaleDateString", true, false);
    replaceDate("toLocaleTimeString", false, true);
    replace(
        "Date",
        "toString",
        (self, args) -> DateFormatter.write(time(self), DateFormatter.DATE_AND_TIME));
    replace(
        "Date",
        "toTimeString",
        (self, args) -> DateFormatter.write(time(self), DateFormatter.TIME));
  }

  private static BigInteger bigInt(Scriptable self) {
    Object value = self.getDefaultValue(ScriptRuntime.NumberClass);
    if (!(value instanceof BigInteger whole)) {
      throw ScriptRuntime.typeError("this is not a BigInt");
    }
    if (whole.bitLength() > MAX_BITS) {
      throw ScriptRuntime.rangeError("A BigInt of more than 4096 bits is not supported");
    }
    return whole;
  }

  private void replaceDate(String name, boolean date, boolean clock) {
    replace(
        "Date", name, (self, args) -> DateFormatter.write(time(self), options(args), date, clock));
  }

  /** Reads the arguments of a call; each locale of a list is counted. */
  private LocaleOptions options(Object[] args) {
    if (args.length > 0 && args[0] instanceof NativeArray list) {
      work.accept(WORK * list.getLength());
    }
    return LocaleOptions.read(Context.getCurrentContext(), realm, args);
  }

  /** Compares two texts, in any locale as in American English. */
  private int compare(Scriptable self, Object[] args) {
    String left = ScriptRuntime.toString(self);
    String right = ScriptRuntime.toString(args.length > 0 ? args[0] : Undefined.instance);
    work.accept(CHARACTER * ((long) left.length() + right.length()));
    Object[] rest = args.length > 1 ? Arrays.copyOfRange(args, 1, args.length) : new Object[0];
    LocaleOptions options = LocaleOptions.readAnyLocale(Context.getCurrentContext(), realm, rest);
    String sensitivity = options.text("sensitivity", "variant", SENSITIVITIES);
    String caseFirst = options.text("caseFirst", "false", Set.of("upper", "lower", "false"));
    options.text("usage", "sort", Set.of("sort", "search"));
    TextCollator collator =
        new TextCollator(
            options.isTrue("numeric"),
            options.isTrue("ignorePunctuation"),
            caseFirst.equals("upper"));
    return collator.compare(left, right, sensitivity);
  }

  /**
   * Returns the locale of a case mapping.
   *
   * @throws RuntimeException a JavaScript error if it is malformed, or Greek, whose rules Java does
   *     not have
   */
  private static Locale caseLocale(Object[] args) {
    Locale locale = Locale.forLanguageTag(LocaleOptions.locale(args));
    if (locale.getLanguage().equals("el")) {
      throw ScriptRuntime.rangeError("The locale \"el\" is not supported");
    }
    return locale;
  }

  private static double time(Scriptable self) {
    if (!self.getClassName().equals("Date")) {
      throw ScriptRuntime.typeError("this is not a Date object.");
    }
    return ScriptRuntime.toNumber(self);
  }

  private void replace(String type, String name, BiFunction<Scriptable, Object[], Object> body) {
    replace(type, name, WORK, body);
  }

  /** Replaces a method; each call is counted. */
  private void replace(
      String type, String name, int cost, BiFunction<Scriptable, Object[], Object> body) {
    ScriptableObject prototype = (ScriptableObject) ScriptableObject.getClassPrototype(realm, type);
    LambdaFunction function =
        new LambdaFunction(
            realm,
            name,
            0,
            (cx, scope, self, args) -> {
              work.accept(cost);
              return body.apply(self, args);
            });
    prototype.defineProperty(name, function, ScriptableObject.DONTENUM);
  }

  /**
   * Formats a number.
   *
   * @throws RuntimeException a JavaScript error if an option is unknown or out of range
   */
  static String number(Number number, LocaleOptions options) {
    String style = options.text("style", "decimal", Set.of("decimal", "percent", "currency"));
    String currency = currency(options.text("currency", null, Set.of()));
    String display = options.text("currencyDisplay", "symbol", Set.of("symbol", "code"));
    String signDisplay = options.text("signDisplay", "auto", SIGN_DISPLAYS);
    boolean grouped = !options.isFalse("useGrouping");
    options.text("useGrouping", null, grouped ? GROUPINGS : Set.of());
    if (style.equals("currency") && currency == null) {
      throw ScriptRuntime.typeError("Currency code is required with currency style.");
    }
    int usual = style.equals("currency") ? fractionDigits(currency) : 0;
    DecimalFormat format = format(options, grouped, usual, style.equals("decimal") ? 3 : usual);
    double value = number.doubleValue();
    boolean finite = number instanceof BigInteger || Double.isFinite(value);
    boolean percent = style.equals("percent");
    String unit = style.equals("currency") ? unit(currency, display, finite) : "";
    boolean negative = value < 0 || 1 / value < 0;
    String digits = Double.isNaN(value) ? "NaN" : "\u221e";
    if (finite) {
      BigDecimal exact = new BigDecimal(ScriptRuntime.toString(number)).abs();
      digits = format.format(percent ? exact.movePointRight(2) : exact);
    }
    boolean zero = !digits.matches(".*[1-9\u221e].*");
    return sign(signDisplay, negative, zero) + unit + digits + (percent ? "%" : "");
  }

  /** Returns the sign of a number, which is zero or not a number if it is shown so. */
  private static String sign(String display, boolean negative, boolean zero) {
    return switch (display) {
      case "never" -> "";
      case "always" -> negative ? "-" : "+";
      case "exceptZero" -> zero ? "" : negative ? "-" : "+";
      case "negative" -> negative && !zero ? "-" : "";
      default -> negative ? "-" : "";
    };
  }

  /** Reads the options of digits, and refuses the options that are then left. */
  private static DecimalFormat format(
      LocaleOptions options, boolean grouped, int usualMinimum, int usualMaximum) {
    boolean maximumGiven = options.has("maximumFractionDigits");
    int maximum = options.number("maximumFractionDigits", usualMaximum, 0, 20);
    int minimum = options.number("minimumFractionDigits", Math.min(usualMinimum, maximum), 0, 20);
    DecimalFormat format = new DecimalFormat(grouped ? "#,##0" : "0", DIGITS);
    format.setRoundingMode(RoundingMode.HALF_UP);
    format.setMinimumIntegerDigits(options.number("minimumIntegerDigits", 1, 1, 21));
    format.setMinimumFractionDigits(minimum);
    format.setMaximumFractionDigits(Math.max(minimum, maximum));
    options.refuseRest(UNSUPPORTED);
    if (minimum > maximum && maximumGiven) {
      throw ScriptRuntime.rangeError("maximumFractionDigits value is out of range.");
    }
    return format;
  }

  /** Returns a currency code in capital letters; null if there is none. */
  private static String currency(String code) {
    if (code != null && !code.matches("[A-Za-z]{3}")) {
      throw ScriptRuntime.rangeError("Invalid currency code : " + code);
    }
    return code == null ? null : code.toUpperCase(Locale.ROOT);
  }

  private static int fractionDigits(String currency) {
    if (WHOLE.contains(currency)) {
      return 0;
    }
    if (THOUSANDTHS.contains(currency)) {
      return 3;
    }
    return TEN_THOUSANDTHS.contains(currency) ? 4 : 2;
  }

  /** Returns what stands before an amount; between letters and digits is a no-break space. */
  private static String unit(String currency, String display, boolean finite) {
    String shown = display.equals("code") ? currency : SYMBOLS.getOrDefault(currency, currency);
    boolean symbol =
        Character.getType(shown.charAt(shown.length() - 1)) == Character.CURRENCY_SYMBOL;
    return symbol || !finite ? shown : shown + "\u00a0";
  }
}
