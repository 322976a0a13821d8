package io.tokenvault.engine.filter;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonBoolean;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.engine.filter.FilterDefinition.FilterSignature;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Filters that convert a value to another type or encoding: {@code stringify}, {@code to_string},
 * {@code to_number}, {@code to_boolean}, {@code to_base64}, {@code to_base16} and {@code hmac}.
 */
final class ConversionFilters {

  private static final Set<String> HASHES = Set.of("sha-256", "sha-384", "sha-512");

  /**
   * A decimal number: sign, leading zeros, and the rest. Possessive quantifiers keep the time
   * linear.
   */
  private static final Pattern NUMBER =
      Pattern.compile("(-?+)0*+((?:[1-9][0-9]*+)?+(?:\\.[0-9]++)?+(?:[eE][+-]?+[0-9]++)?+)");

  private ConversionFilters() {}

  static List<FilterDefinition> all() {
    return List.of(
        FilterDefinition.of(
                "stringify", Filter.value(value -> JsonValue.of(TextValues.json(value))))
            .ofAnySize(),
        FilterDefinition.of(
                "to_string", Filter.value(value -> JsonValue.of(TextValues.printed(value))))
            .ofAnySize(),
        FilterDefinition.of("to_number", ConversionFilters::number),
        FilterDefinition.of("to_boolean", ConversionFilters::bool),
        FilterDefinition.of("to_base64", encoding(Base64.getEncoder()::encodeToString)),
        FilterDefinition.of("to_base16", encoding(HexFormat.of()::formatHex)),
        FilterDefinition.of("hmac", FilterSignature.of(2), ConversionFilters::hmac).ofAnySize());
  }

  private static Filter.Step encoding(Function<byte[], String> encoder) {
    return input -> FilterValue.of(JsonValue.of(encoder.apply(input.bytes())));
  }

  private static FilterValue number(FilterValue input) {
    return input.value() instanceof JsonNumber
        ? input
        : FilterValue.of(toNumber(input.value() instanceof JsonBoolean ? "" : input.text()));
  }

  /**
   * Parses a decimal number. Leading zeros, which JSON does not allow, are removed.
   *
   * @throws ExpressionException if the text is not a number
   */
  static JsonNumber toNumber(String text) {
    String trimmed = text.strip();
    Matcher matcher = NUMBER.matcher(trimmed);
    if (trimmed.codePoints().noneMatch(ConversionFilters::isDigit) || !matcher.matches()) {
      throw new ExpressionException("requires a number, or a string that is a number");
    }
    String rest = matcher.group(2);
    boolean needsZero = rest.isEmpty() || !isDigit(rest.charAt(0));
    if (needsZero && !trimmed.startsWith("0", matcher.end(1))) {
      throw new ExpressionException("requires a number, or a string that is a number");
    }
    return new JsonNumber(matcher.group(1) + (needsZero ? "0" : "") + rest);
  }

  private static boolean isDigit(int character) {
    return character >= '0' && character <= '9';
  }

  /** Returns a boolean, or the one that a text represents in any case. */
  private static FilterValue bool(FilterValue input) {
    if (input.value() instanceof JsonBoolean) {
      return input;
    }
    String text = input.text().strip();
    boolean isTrue = text.equalsIgnoreCase("true");
    if (!isTrue && !text.equalsIgnoreCase("false")) {
      throw new ExpressionException("requires true or false");
    }
    return FilterValue.of(JsonValue.of(isTrue));
  }

  /** Returns a step that computes an HMAC; the first argument is the hash, the second the key. */
  private static Filter.Step hmac(FilterArguments arguments) {
    String hash = arguments.text(0);
    if (HASHES.stream().noneMatch(hash::equalsIgnoreCase)) {
      throw new ExpressionException("supports 'sha-256', 'sha-384' and 'sha-512'");
    }
    String algorithm = "HmacSHA" + hash.substring("sha-".length());
    String key = arguments.text(1);
    if (key.isEmpty()) {
      throw new ExpressionException("requires a key");
    }
    SecretKeySpec spec = new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), algorithm);
    return input -> FilterValue.ofBytes(mac(spec, input.bytes()));
  }

  private static byte[] mac(SecretKeySpec key, byte[] message) {
    try {
      Mac mac = Mac.getInstance(key.getAlgorithm());
      mac.init(key);
      return mac.doFinal(message);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
