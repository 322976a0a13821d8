package io.tokenvault.domain.request;

import java.util.List;
import java.util.Objects;

/**
 * One header line as it was received; a repeated header yields several fields.
 *
 * @param value one character for each byte (ISO 8859-1), so that no byte is lost
 */
public record HeaderField(String name, String value) {

  private static final String TOKEN_SYMBOLS = "!#$%&'*+.^_`|~-";

  private static final List<String> OF_CONNECTIONS =
      List.of(
          "connection",
          "proxy-connection",
          "keep-alive",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade",
          "content-length");

  public HeaderField {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(value, "value");
  }

  /** Returns whether the field has this name, ignoring case. */
  public boolean is(String otherName) {
    return name.equalsIgnoreCase(otherName);
  }

  /**
   * Returns whether the name describes one connection or the framing of a message on it (RFC 9110,
   * sections 7.6.1 and 8.6). Such headers are never forwarded: each side of the proxy sets its own.
   */
  public boolean isOfConnection() {
    for (String each : OF_CONNECTIONS) {
      if (is(each)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether the name is a {@code token} as RFC 9110, section 5.6.2 defines it. */
  public boolean isNamedByToken() {
    return isNamedWith(TOKEN_SYMBOLS);
  }

  /**
   * Returns whether the name is not empty and consists of letters, digits, {@code -} and {@code _},
   * which every HTTP implementation accepts.
   */
  public boolean isNamedPlainly() {
    return isNamedWith("-_");
  }

  /** Checks without a regular expression, since this runs for every header of every invocation. */
  private boolean isNamedWith(String symbols) {
    for (int i = 0; i < name.length(); i++) {
      char each = name.charAt(i);
      if (!isLetterOrDigit(each) && symbols.indexOf(each) < 0) {
        return false;
      }
    }
    return !name.isEmpty();
  }

  private static boolean isLetterOrDigit(char each) {
    return (each >= '0' && each <= '9')
        || (each >= 'A' && each <= 'Z')
        || (each >= 'a' && each <= 'z');
  }

  /**
   * Returns whether the value contains CR, LF or NUL, which can end a header line or a string early
   * for a recipient (header injection).
   */
  public boolean splitsLines() {
    return value.indexOf('\r') >= 0 || value.indexOf('\n') >= 0 || value.indexOf('\0') >= 0;
  }

  /** Returns the name only, because values can be secret. */
  @Override
  public String toString() {
    return "HeaderField[" + name + "]";
  }
}
