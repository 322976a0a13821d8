package io.tokenvault.engine;

import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.ports.api.ConnectionHeaders;
import io.tokenvault.ports.api.HeaderNames;
import io.tokenvault.ports.api.ServiceHeaders;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Which headers pass: never those of one connection (RFC 9110, section 7.6.1), lengths, and the
 * service's own.
 */
final class HeaderRules {

  // The caller's wish for "100 Continue" is met by the server that it speaks to.
  private static final Set<String> OF_THE_CALLERS_CONNECTION = Set.of("host", "expect");

  private final ServiceHeaders own;

  HeaderRules(ServiceHeaders own) {
    this.own = own;
  }

  /** What goes to a destination, in order. */
  List<HeaderField> outgoing(List<HeaderField> fields) {
    List<HeaderField> going = new ArrayList<>(fields.size());
    for (HeaderField field : returning(fields)) {
      if (!OF_THE_CALLERS_CONNECTION.contains(lowerCase(field.name()))
          && HeaderNames.isPlain(field.name())) {
        going.add(field);
      }
    }
    return going;
  }

  /** What goes back to the caller, in order. */
  List<HeaderField> returning(List<HeaderField> fields) {
    Set<String> named = namedInConnection(fields);
    List<HeaderField> passing = new ArrayList<>(fields.size());
    for (HeaderField field : fields) {
      if (!ConnectionHeaders.include(field.name())
          && (named.isEmpty() || !named.contains(lowerCase(field.name())))
          && !own.owns(field.name())) {
        passing.add(field);
      }
    }
    return passing;
  }

  private static Set<String> namedInConnection(List<HeaderField> fields) {
    Set<String> named = new HashSet<>();
    for (HeaderField field : fields) {
      if (field.is("Connection")) {
        for (String name : field.value().split(",")) {
          named.add(lowerCase(name.strip()));
        }
      }
    }
    return named;
  }

  private static String lowerCase(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
