package io.tokenvault.ports.api;

import java.util.Locale;
import java.util.Set;

/**
 * Headers that are about one connection, or about where a message on it ends (RFC 9110, sections
 * 7.6.1 and 8.6). Each side of the proxy makes its own.
 */
public final class ConnectionHeaders {

  private static final Set<String> NAMES =
      Set.of(
          "connection",
          "proxy-connection",
          "keep-alive",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade",
          "content-length");

  private ConnectionHeaders() {}

  /** Whether a header is one of them, whatever the case of its letters. */
  public static boolean include(String name) {
    return NAMES.contains(name.toLowerCase(Locale.ROOT));
  }
}
