package io.tokenvault.engine.filter;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.domain.json.JsonValue.JsonString;
import io.tokenvault.engine.filter.FilterDefinition.FilterSignature;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;

/**
 * The standard filters over numbers, exact for up to 100 digits except for quotients of fractions,
 * which are rounded to 16 digits. Those of the library silently lose digits beyond the range of a
 * long or a double.
 */
final class NumberFilters {

  private static final int MAX_DIGITS = 100;

  /** Longest number that is parsed, in characters. */
  private static final int MAX_LITERAL = 2 * MAX_DIGITS;

  /** Largest number of decimal places to round to. */
  private static final int MAX_PLACES = 20;

  private NumberFilters() {}

  static List<FilterDefinition> all() {
    return List.of(
        with("plus", BigDecimal::add),
        with("minus", BigDecimal::subtract),
        with("times", BigDecimal::multiply),
        with("divided_by", NumberFilters::divide),
        with("modulo", NumberFilters::modulo),
        with("at_least", BigDecimal::max),
        with("at_most", BigDecimal::min),
        FilterDefinition.of("abs", step(BigDecimal::abs)),
        FilterDefinition.of("floor", step(number -> number.setScale(0, RoundingMode.FLOOR))),
        FilterDefinition.of("ceil", step(number -> number.setScale(0, RoundingMode.CEILING))),
        FilterDefinition.of("round", FilterSignature.of(0, 1), NumberFilters::round));
  }

  /** Returns a filter with a number as its argument. */
  private static FilterDefinition with(String name, BinaryOperator<BigDecimal> operation) {
    return FilterDefinition.of(
        name,
        FilterSignature.of(1),
        arguments -> {
          BigDecimal other = number(arguments.value(0));
          return step(number -> operation.apply(number, other));
        });
  }

  /** Returns a step that rounds half up to a number of decimal places, by default none. */
  private static Filter.Step round(FilterArguments arguments) {
    int places = arguments.integer(0, 0, MAX_PLACES, 0);
    return step(
        number ->
            number.scale() > places || places == 0
                ? number.setScale(places, RoundingMode.HALF_UP)
                : number);
  }

  private static Filter.Step step(UnaryOperator<BigDecimal> operation) {
    return Filter.value(
        value -> new JsonNumber(checked(operation.apply(number(value))).toPlainString()));
  }

  /** Returns a number, or the one that a text represents. */
  private static BigDecimal number(JsonValue value) {
    JsonValue number =
        value instanceof JsonString text ? ConversionFilters.toNumber(text.value()) : value;
    if (number instanceof JsonNumber found && found.literal().length() <= MAX_LITERAL) {
      try {
        return checked(new BigDecimal(found.literal()));
      } catch (NumberFormatException exponentOutOfRange) {
        throw tooLong();
      }
    }
    throw number instanceof JsonNumber ? tooLong() : new ExpressionException("requires a number");
  }

  /**
   * Requires a number of limited size: with an exponent, a short literal can be costly to compute
   * with.
   */
  private static BigDecimal checked(BigDecimal number) {
    if (number.precision() > MAX_DIGITS || Math.abs((long) number.scale()) > MAX_DIGITS) {
      throw tooLong();
    }
    return number;
  }

  private static ExpressionException tooLong() {
    return new ExpressionException("requires a number of up to " + MAX_DIGITS + " digits");
  }

  /** Divides. The quotient of whole numbers is rounded down to a whole number. */
  private static BigDecimal divide(BigDecimal number, BigDecimal divisor) {
    requireNotZero(divisor);
    if (isWhole(number) && isWhole(divisor)) {
      return floorOfQuotient(number, divisor);
    }
    BigDecimal quotient = number.divide(divisor, MathContext.DECIMAL64).stripTrailingZeros();
    return quotient.scale() < 1 ? quotient.setScale(1, RoundingMode.UNNECESSARY) : quotient;
  }

  /** Returns the remainder, which has the sign of the divisor. */
  private static BigDecimal modulo(BigDecimal number, BigDecimal divisor) {
    requireNotZero(divisor);
    return number.subtract(divisor.multiply(floorOfQuotient(number, divisor)));
  }

  /** Returns the quotient, rounded down to a whole number. */
  private static BigDecimal floorOfQuotient(BigDecimal number, BigDecimal divisor) {
    return number.divide(divisor, 0, RoundingMode.FLOOR);
  }

  private static boolean isWhole(BigDecimal number) {
    return number.scale() <= 0;
  }

  private static void requireNotZero(BigDecimal divisor) {
    if (divisor.signum() == 0) {
      throw new ExpressionException("cannot divide by zero");
    }
  }
}
