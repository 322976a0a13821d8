package io.tokenvault.adapters.http;

import io.tokenvault.ports.api.ConnectionHeaders;
import io.tokenvault.ports.api.ServiceHeaders;
import java.util.regex.Pattern;

/**
 * Which headers of a proxy's answer go to the caller, whoever gave them, be it a tenant's
 * transform: none that says where this connection's messages end, and none that looks like ours.
 */
final class AnswerHeaders {

  /** RFC 9110, section 5.6.2. */
  private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

  private final ServiceHeaders own;

  AnswerHeaders(ServiceHeaders own) {
    this.own = own;
  }

  boolean pass(String name) {
    return TOKEN.matcher(name).matches()
        && !ConnectionHeaders.include(name)
        && (!own.owns(name) || name.equals(own.destinationStatus()));
  }
}
