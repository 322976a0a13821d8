package io.tokenvault.engine;

import io.tokenvault.ports.api.ConnectionHeaders;
import io.tokenvault.ports.api.HeaderField;
import io.tokenvault.ports.api.ServiceHeaders;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which headers pass: never those of one connection (RFC 9110, section 7.6.1), lengths, and the
 * service's own.
 */
final class HeaderRules {

  // The caller's wish for "100 Continue" is met by the server that it speaks to.
  private static final Set<String> OF_THE_CALLERS_CONNECTION = Set.of("host", "expect");
  private static final Pattern SAFE_NAME = Pattern.compile("[A-Za-z0-9_-]+");

  private final ServiceHeaders own;

  HeaderRules(ServiceHeaders own) {
    this.own = own;
  }

  /** What goes to a destination, in order. */
  List<HeaderField> outgoing(List<HeaderField> fields) {
    return passing(fields)
        .filter(field -> !OF_THE_CALLERS_CONNECTION.contains(lowerCase(field.name())))
        .filter(field -> SAFE_NAME.matcher(field.name()).matches())
        .toList();
  }

  /** What goes back to the caller, in order. */
  List<HeaderField> returning(List<HeaderField> fields) {
    return passing(fields).toList();
  }

  private Stream<HeaderField> passing(List<HeaderField> fields) {
    Set<String> named = namedInConnection(fields);
    return fields.stream()
        .filter(field -> !ConnectionHeaders.include(field.name()))
        .filter(field -> !named.contains(lowerCase(field.name())))
        .filter(field -> !own.owns(field.name()));
  }

  private static Set<String> namedInConnection(List<HeaderField> fields) {
    return fields.stream()
        .filter(field -> field.is("Connection"))
        .flatMap(field -> Stream.of(field.value().split(",")))
        .map(name -> lowerCase(name.strip()))
        .collect(Collectors.toSet());
  }

  private static String lowerCase(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
