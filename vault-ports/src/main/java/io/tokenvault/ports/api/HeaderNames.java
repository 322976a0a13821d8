package io.tokenvault.ports.api;

import java.util.Locale;
import java.util.Set;

/**
 * Validates and classifies header names and values. It avoids regular expressions because it runs
 * for every header of every invocation.
 */
public final class HeaderNames {

  private static final String SYMBOLS = "!#$%&'*+.^_`|~-";
  private static final boolean[] OF_TOKENS = ofTokens();

  private static final Set<String> OF_CONNECTIONS =
      Set.of(
          "connection",
          "proxy-connection",
          "keep-alive",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade",
          "content-length");

  private HeaderNames() {}

  private static boolean[] ofTokens() {
    boolean[] allowed = new boolean[128];
    for (char each = 0; each < allowed.length; each++) {
      allowed[each] = isLetterOrDigit(each) || SYMBOLS.indexOf(each) >= 0;
    }
    return allowed;
  }

  private static boolean isLetterOrDigit(char each) {
    return (each >= '0' && each <= '9')
        || (each >= 'A' && each <= 'Z')
        || (each >= 'a' && each <= 'z');
  }

  /** Returns whether a name is a {@code token} as RFC 9110, section 5.6.2 defines it. */
  public static boolean isToken(String name) {
    for (int i = 0; i < name.length(); i++) {
      char each = name.charAt(i);
      if (each >= OF_TOKENS.length || !OF_TOKENS[each]) {
        return false;
      }
    }
    return !name.isEmpty();
  }

  /**
   * Returns whether a name is not empty and consists of letters, digits, {@code -} and {@code _},
   * which every HTTP implementation accepts.
   */
  public static boolean isPlain(String name) {
    for (int i = 0; i < name.length(); i++) {
      char each = name.charAt(i);
      if (!isLetterOrDigit(each) && each != '-' && each != '_') {
        return false;
      }
    }
    return !name.isEmpty();
  }

  /**
   * Returns whether a value contains CR, LF or NUL, which can end a header line or a string early
   * for a recipient (header injection).
   */
  public static boolean splits(String value) {
    for (int i = 0; i < value.length(); i++) {
      char each = value.charAt(i);
      if (each == '\r' || each == '\n' || each == '\0') {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether a name, regardless of its case, describes one connection or the framing of a
   * message on it (RFC 9110, sections 7.6.1 and 8.6). Such headers are never forwarded: each side
   * of the proxy sets its own.
   */
  public static boolean isOfConnection(String name) {
    return OF_CONNECTIONS.contains(name.toLowerCase(Locale.ROOT));
  }
}
