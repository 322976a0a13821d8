package io.tokenvault.ports.api;

import java.util.Locale;
import java.util.Set;

/**
 * Header names that describe one connection or the framing of a message on it (RFC 9110, sections
 * 7.6.1 and 8.6). They are never forwarded: each side of the proxy sets its own.
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

  /** Returns whether a header describes the connection, regardless of the case of its name. */
  public static boolean include(String name) {
    return NAMES.contains(name.toLowerCase(Locale.ROOT));
  }
}
