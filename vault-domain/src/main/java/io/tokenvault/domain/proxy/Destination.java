package io.tokenvault.domain.proxy;

import java.util.HexFormat;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The base URL that requests are forwarded to (interface, section 4, rule 2 of proxy invocation).
 *
 * <p>The scheme is {@code https}, and the host is a DNS name that cannot be read as an IP address.
 * It has any port, no user information, no fragment, and at most 2048 characters.
 *
 * @param host in lowercase
 * @param port 1 to 65535
 * @param path as it was written, without trailing slashes; empty or starting with a slash
 * @param query as it was written, without the question mark
 */
public record Destination(String host, int port, String path, Optional<String> query) {

  public static final int MAX_LENGTH = 2048;

  private static final int HTTPS_PORT = 443;
  private static final int MAX_PORT = 65_535;
  private static final int MAX_HOST_LENGTH = 253;

  private static final Pattern URL =
      Pattern.compile("(?i:https)://([^/?#]*+)([^?#]*+)(?:\\?([^#]*+))?");
  private static final Pattern AUTHORITY =
      Pattern.compile("([^:@\\[\\]]++)(?::([1-9][0-9]{0,4}))?");
  private static final Pattern LABEL =
      Pattern.compile("[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?");
  private static final Pattern NUMBER = Pattern.compile("[0-9]++|0[xX][0-9a-fA-F]*+");
  private static final Pattern URI_CHARACTERS =
      Pattern.compile("(?:[A-Za-z0-9\\-._~:/?#\\[\\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*+");
  // Matches decoded bytes, with one character for each: some servers accept overlong UTF-8, drop
  // control characters or end a name at one, or drop a segment's parameters.
  private static final Pattern DOT_SEGMENT =
      Pattern.compile(
          "(?s)[\\x00-\\x1f\\x7f]*+(?:\\.|\\xc0\\xae|\\xe0\\x80\\xae){1,2}"
              + "(?:[;\\x00-\\x1f\\x7f].*)?");
  private static final Pattern SEGMENT_END =
      Pattern.compile("/|\\\\|\\xc0\\xaf|\\xc1\\x9c|\\xe0\\x80\\xaf|\\xe0\\x81\\x9c");
  private static final Pattern TRIPLET = Pattern.compile("%[0-9A-Fa-f]{2}");
  private static final int TRIPLET_LENGTH = 3;

  public Destination {
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(query, "query");
  }

  /**
   * Parses a base URL.
   *
   * @throws InvalidDestinationException if it is invalid; the message states what is expected
   */
  public static Destination parse(String url) throws InvalidDestinationException {
    require(url.length() <= MAX_LENGTH, "must be at most " + MAX_LENGTH + " characters long");
    require(
        URI_CHARACTERS.matcher(url).matches(),
        "must not contain characters that are invalid in a URL, such as spaces, braces,"
            + " backslashes or letters outside ASCII (write international names in punycode)");
    require(!url.contains("#"), "must not have a fragment");
    Matcher parts = URL.matcher(url);
    require(parts.matches(), "must be an https URL such as https://api.example.com/base");
    require(!parts.group(1).contains("@"), "must not contain user information");
    Matcher authority = AUTHORITY.matcher(parts.group(1));
    require(authority.matches(), "must name a DNS host, with a port from 1 to 65535 if any");
    String host = authority.group(1).toLowerCase(Locale.ROOT);
    requireHostName(host);
    String path = parts.group(2);
    require(!hasDotSegment(path), "must not have the path segments . and .., even encoded");
    return new Destination(
        host,
        port(authority.group(2)),
        withoutTrailingSlashes(path),
        Optional.ofNullable(parts.group(3)));
  }

  private static void requireHostName(String host) throws InvalidDestinationException {
    require(!host.endsWith("."), "must not end its host name with a dot");
    require(host.length() <= MAX_HOST_LENGTH, "must have a host name of at most 253 characters");
    String[] labels = host.split("\\.", -1);
    require(
        !NUMBER.matcher(labels[labels.length - 1]).matches(),
        "must name a DNS host, not an IP address");
    for (String label : labels) {
      require(LABEL.matcher(label).matches(), "must name a DNS host, such as api.example.com");
    }
  }

  private static int port(String digits) throws InvalidDestinationException {
    if (digits == null) {
      return HTTPS_PORT;
    }
    int port = Integer.parseInt(digits);
    require(port <= MAX_PORT, "must have a port from 1 to 65535");
    return port;
  }

  private static String withoutTrailingSlashes(String path) {
    int end = path.length();
    while (end > 0 && path.charAt(end - 1) == '/') {
      end--;
    }
    return path.substring(0, end);
  }

  /**
   * Returns whether a raw path has a {@code .} or {@code ..} segment: in any encoding, encoded more
   * than once, after a backslash, or followed by parameters.
   */
  public static boolean hasDotSegment(String rawPath) {
    if (isHarmless(rawPath)) {
      return false;
    }
    for (String segment : SEGMENT_END.split(decodedToItsEnd(rawPath), -1)) {
      if (DOT_SEGMENT.matcher(segment).matches()) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether no character can be part of an encoded dot, as in most paths. */
  private static boolean isHarmless(String rawPath) {
    for (int i = 0; i < rawPath.length(); i++) {
      char each = rawPath.charAt(i);
      if (each >= 0x80 || each == '.' || each == '%') {
        return false;
      }
    }
    return true;
  }

  /**
   * Decodes percent-encoding until none is left, with one character for each byte. Servers differ
   * in how often they decode; dots and separators do not change however often that is.
   */
  private static String decodedToItsEnd(String raw) {
    StringBuilder decoded = new StringBuilder(raw.length());
    for (int i = 0; i < raw.length(); i++) {
      decoded.append(raw.charAt(i));
      while (endsWithTriplet(decoded)) {
        int start = decoded.length() - TRIPLET_LENGTH;
        char character = (char) HexFormat.fromHexDigits(decoded, start + 1, decoded.length());
        decoded.setLength(start);
        decoded.append(character);
      }
    }
    return decoded.toString();
  }

  private static boolean endsWithTriplet(StringBuilder text) {
    int start = text.length() - TRIPLET_LENGTH;
    return start >= 0 && TRIPLET.matcher(text).region(start, text.length()).matches();
  }

  private static void require(boolean right, String message) throws InvalidDestinationException {
    if (!right) {
      throw new InvalidDestinationException(message);
    }
  }

  /** Returns scheme, host and port, without the port if it is the default. */
  public String origin() {
    return "https://" + host + (port == HTTPS_PORT ? "" : ":" + port);
  }

  /** Returns whether the name has only one label or is reserved for the local machine. */
  public boolean isLocalName() {
    return host.indexOf('.') < 0 || host.endsWith(".localhost");
  }

  @Override
  public String toString() {
    return origin() + path + query.map(text -> "?" + text).orElse("");
  }
}
