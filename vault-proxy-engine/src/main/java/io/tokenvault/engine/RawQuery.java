package io.tokenvault.engine;

import io.tokenvault.engine.expression.PercentEncoding;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A query as it was written. */
final class RawQuery {

  private final String raw;

  RawQuery(String raw) {
    this.raw = raw;
  }

  /** The decoded values of a parameter, in whichever spelling its name comes. */
  List<String> values(String name) {
    return pairs().filter(named(name)).map(RawQuery::value).toList();
  }

  /** The query less a parameter; empty if nothing else was in it. */
  Optional<String> without(String name) {
    if (pairs().noneMatch(named(name))) {
      return Optional.of(raw);
    }
    List<String> others = pairs().filter(named(name).negate()).toList();
    return others.isEmpty()
        ? Optional.empty()
        : Optional.of(others.stream().collect(Collectors.joining("&")));
  }

  private Stream<String> pairs() {
    return Stream.of(raw.split("&", -1));
  }

  private static Predicate<String> named(String name) {
    return pair -> decode(pair.split("=", 2)[0]).strip().equalsIgnoreCase(name);
  }

  private static String value(String pair) {
    int equals = pair.indexOf('=');
    return equals < 0 ? "" : decode(pair.substring(equals + 1));
  }

  private static String decode(String text) {
    return PercentEncoding.decode(text, true, StandardCharsets.UTF_8);
  }
}
