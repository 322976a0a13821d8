package io.tokenvault.adapters.http.request;

import io.tokenvault.domain.failure.ShownName;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.request.PercentEncoding;
import io.tokenvault.ports.store.PageRequest;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The parameters of a query, read by name and type. Invalid values are added to the violations, so
 * that all of them are reported together.
 *
 * <p>{@link #refuseOthers} must be called last: it rejects the parameters that were not read. Not
 * thread-safe.
 */
public final class QueryParameters {

  static final int DEFAULT_SIZE = 20;
  static final int MAX_SIZE = 100;

  /** Describes a valid page number, as a message for a violation. */
  static final String PAGE_SHAPE = "must be a whole number from 1";

  /** Describes a valid page size, as a message for a violation. */
  public static final String SIZE_SHAPE = PAGE_SHAPE + " to " + MAX_SIZE;

  private final Map<String, List<String>> values = new LinkedHashMap<>();
  private final Set<String> known = new TreeSet<>();
  private final Set<String> read = new HashSet<>();
  private final Violations violations;

  private QueryParameters(Violations violations) {
    this.violations = violations;
  }

  /**
   * Parses the query of a URL. Malformed percent-encoding becomes a violation.
   *
   * @param query as sent, without the question mark; null for none
   */
  static QueryParameters parse(String query, Violations violations) {
    QueryParameters parameters = new QueryParameters(violations);
    if (query != null) {
      for (String pair : query.split("&")) {
        parameters.add(pair);
      }
    }
    return parameters;
  }

  /**
   * Returns parameters that are already decoded.
   *
   * @param given the values by name
   */
  public static QueryParameters of(Map<String, List<String>> given, Violations violations) {
    QueryParameters parameters = new QueryParameters(violations);
    parameters.values.putAll(given);
    return parameters;
  }

  /** Adds a {@code name=value} pair; a pair without an equals sign has an empty value. */
  private void add(String pair) {
    if (pair.isEmpty()) {
      return;
    }
    int equals = pair.indexOf('=');
    Optional<String> name = decode(equals < 0 ? pair : pair.substring(0, equals));
    Optional<String> value = decode(equals < 0 ? "" : pair.substring(equals + 1));
    if (name.isEmpty()) {
      violations.add(Violations.WHOLE_REQUEST, "a query parameter's name is not percent-encoded");
    } else if (value.isEmpty()) {
      violations.settle(name.get(), "must be percent-encoded UTF-8");
    } else {
      values.computeIfAbsent(name.get(), unused -> new ArrayList<>()).add(value.get());
    }
  }

  /** Returns the value of a parameter that may be given once; empty if it is missing. */
  public Optional<String> one(String name) {
    known.add(name);
    return single(name);
  }

  private Optional<String> single(String name) {
    read.add(name);
    List<String> given = values.getOrDefault(name, List.of());
    if (given.size() > 1) {
      violations.settle(name, "must be given once");
    }
    return given.stream().findFirst();
  }

  /**
   * Returns the parsed value of a parameter; empty if it is missing or invalid.
   *
   * @param type parses the value; returns empty for an invalid one
   * @param message the violation for an invalid value
   */
  public <T> Optional<T> one(String name, Function<String, Optional<T>> type, String message) {
    return one(name).flatMap(text -> read(name, text, type, message));
  }

  /**
   * Returns all valid values of a parameter that may be repeated, in the order in which they were
   * sent.
   *
   * @param type parses a value; returns empty for an invalid one
   * @param message the violation for each invalid value
   */
  public <T> Set<T> each(String name, Function<String, Optional<T>> type, String message) {
    known.add(name);
    read.add(name);
    Set<T> all = new LinkedHashSet<>();
    for (String text : values.getOrDefault(name, List.of())) {
      read(name, text, type, message).ifPresent(all::add);
    }
    return all;
  }

  /**
   * Adds a violation for every parameter that was not read. Ignoring a misspelled filter would
   * return unfiltered results.
   */
  void refuseOthers() {
    for (String name : values.keySet()) {
      if (!read.contains(name)) {
        violations.add(ShownName.inPath(name), "is not a known parameter; " + known());
      }
    }
  }

  /** Returns the known parameters as part of a message. */
  private String known() {
    return switch (known.size()) {
      case 0 -> "there are none";
      case 1 -> "there is " + known.iterator().next();
      default -> "there are " + String.join(", ", known);
    };
  }

  /** Returns the parameters whose names start with a prefix, by the rest of the name. */
  Map<String, String> startingWith(String prefix) {
    known.add(prefix + "*");
    Map<String, String> found = new LinkedHashMap<>();
    for (String name : values.keySet()) {
      if (name.startsWith(prefix) && name.length() > prefix.length()) {
        single(name).ifPresent(value -> found.put(name.substring(prefix.length()), value));
      }
    }
    return found;
  }

  /** Reads {@code page} and {@code size}, with at most 100 items per page. */
  public PageRequest page() {
    return page(MAX_SIZE);
  }

  /**
   * Reads {@code page} and {@code size}; they default to page 1 and 20 items.
   *
   * @param maxSize the largest accepted size
   */
  public PageRequest page(int maxSize) {
    return new PageRequest(number("page", 1, Integer.MAX_VALUE), size(maxSize));
  }

  int size(int maxSize) {
    return number("size", DEFAULT_SIZE, maxSize);
  }

  private int number(String name, int standard, int max) {
    String message = max == Integer.MAX_VALUE ? PAGE_SHAPE : PAGE_SHAPE + " to " + max;
    return one(name, text -> positive(text, max), message).orElse(standard);
  }

  /** Parses decimal digits without a sign; empty for a number out of range. */
  private static Optional<Integer> positive(String text, int max) {
    boolean digits = !text.isEmpty() && text.chars().allMatch(each -> each >= '0' && each <= '9');
    try {
      return digits
          ? Optional.of(Integer.valueOf(text)).filter(number -> number >= 1 && number <= max)
          : Optional.empty();
    } catch (NumberFormatException tooLarge) {
      return Optional.empty();
    }
  }

  private <T> Optional<T> read(
      String name, String text, Function<String, Optional<T>> type, String message) {
    Optional<T> read = type.apply(text);
    if (read.isEmpty()) {
      violations.add(name, message);
    }
    return read;
  }

  /**
   * Decodes form encoding, where a plus is a space. Empty for malformed escapes, invalid UTF-8 and
   * NUL.
   */
  private static Optional<String> decode(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    for (int i = 0; i < text.length(); i++) {
      char character = text.charAt(i);
      if (character == '%') {
        if (!PercentEncoding.isTriplet(text, i)) {
          return Optional.empty();
        }
        bytes.write(PercentEncoding.tripletValue(text, i));
        i += 2;
      } else {
        String plain = character == '+' ? " " : String.valueOf(character);
        bytes.writeBytes(plain.getBytes(StandardCharsets.UTF_8));
      }
    }
    return utf8(bytes.toByteArray());
  }

  private static Optional<String> utf8(byte[] bytes) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return Optional.of(text).filter(each -> each.indexOf('\0') < 0);
    } catch (CharacterCodingException malformed) {
      return Optional.empty();
    }
  }
}
