package io.tokenvault.engine.expression;

/** The rest of a delimiter's line, and the lines that describe a part, as they come. */
final class HeaderLines {

  private static final int MAX_LENGTH = 64 * 1024;
  private static final char LINE_END = '\n';

  private final StringBuilder taken = new StringBuilder();
  private final StringBuilder line = new StringBuilder();

  /** Returns how far it came: to the end, or behind the line. */
  int advance(byte[] bytes, int from, int end) {
    int at = from;
    while (at < end && !hasLine() && !isTooLong()) {
      line.append((char) (bytes[at] & 0xff));
      at++;
    }
    return at;
  }

  boolean isTooLong() {
    return taken.length() + line.length() > MAX_LENGTH;
  }

  boolean hasLine() {
    return !line.isEmpty() && line.charAt(line.length() - 1) == LINE_END;
  }

  /** The line with its end. */
  String takeLine() {
    String complete = line.toString();
    taken.append(complete);
    line.setLength(0);
    return complete;
  }

  /** What came after the last line that was taken. */
  String unfinished() {
    return line.toString();
  }

  /** All that came, each byte a character. */
  String all() {
    return taken + unfinished();
  }
}
