package io.tokenvault.engine.expression;

import java.nio.charset.StandardCharsets;

/**
 * Follows the bytes of a multipart body (RFC 2046, section 5.1), in pieces of any size, and tells
 * where the contents of its parts are. Lines end with CR LF, and a line that begins with the
 * delimiter but goes on with anything but blanks is malformed, since readers differ on it. For one
 * body.
 */
final class MultipartLexer {

  /** Is told what the body holds. */
  interface Parts {

    /** What stands before the first part. */
    default void preamble(byte[] bytes, int offset, int length) {}

    /**
     * @param start of the part's content, in bytes from the beginning of the body
     */
    void begin(PartHeaders headers, long start);

    /** Some of the part's content. */
    default void content(byte[] bytes, int offset, int length) {}

    /**
     * @param end of the part's content, in bytes from the beginning of the body
     */
    void end(long end);

    /** What does not follow the syntax, and all that comes after it. */
    default void malformed(byte[] bytes, int offset, int length) {}
  }

  private enum State {
    PREAMBLE,
    DELIMITER_LINE,
    HEADERS,
    CONTENT,
    EPILOGUE,
    MALFORMED
  }

  /** What is larger is taken for malformed. */
  private static final int MAX_PREAMBLE = 64 * 1024;

  private static final int MAX_PARTS = 10_000;
  private static final String LINE_END = "\r\n";
  private static final String DASHES = "--";

  private final Parts parts;
  private final String dashedBoundary;
  private final DelimiterSearch search;
  private HeaderLines lines = new HeaderLines();
  private State state = State.PREAMBLE;
  private long position;
  private int count;

  MultipartLexer(String boundary, Parts parts) {
    this.parts = parts;
    this.dashedBoundary = DASHES + boundary;
    this.search = new DelimiterSearch(LINE_END + dashedBoundary);
  }

  void feed(byte[] bytes, int offset, int length) {
    int end = offset + length;
    int at = offset;
    while (at < end) {
      int next =
          switch (state) {
            case PREAMBLE -> searchPreamble(bytes, at, end);
            case CONTENT -> searchContent(bytes, at, end);
            case HEADERS, DELIMITER_LINE -> readLine(bytes, at, end);
            case EPILOGUE -> end;
            case MALFORMED -> reject(bytes, at, end);
          };
      at = next;
    }
  }

  private int searchPreamble(byte[] bytes, int from, int end) {
    int limit = (int) Math.min(end, from + MAX_PREAMBLE - position);
    int next = search.advance(bytes, from, limit, parts::preamble);
    position += next - from;
    if (search.isFound()) {
      state = State.DELIMITER_LINE;
    } else if (position == MAX_PREAMBLE) {
      state = State.MALFORMED;
    }
    return next;
  }

  private int searchContent(byte[] bytes, int from, int end) {
    int next = search.advance(bytes, from, end, parts::content);
    position += next - from;
    if (search.isFound()) {
      parts.end(position - search.foundLength());
      state = State.DELIMITER_LINE;
    }
    return next;
  }

  private int readLine(byte[] bytes, int from, int end) {
    int next = lines.advance(bytes, from, end);
    position += next - from;
    if (lines.isTooLong()) {
      giveUp();
    } else if (lines.hasLine()) {
      endLine(lines.takeLine());
    }
    return next;
  }

  private void endLine(String line) {
    if (!line.endsWith(LINE_END)) {
      giveUp();
      return;
    }
    String content = line.substring(0, line.length() - LINE_END.length());
    if (state == State.DELIMITER_LINE) {
      endDelimiter(content);
    } else if (content.startsWith(dashedBoundary)) {
      endDelimiter(content.substring(dashedBoundary.length()));
    } else if (content.isEmpty()) {
      parts.begin(PartHeaders.parse(lines.all()), position);
      search.restart();
      state = State.CONTENT;
    }
  }

  /**
   * @param rest of the line after the boundary
   */
  private void endDelimiter(String rest) {
    if (rest.isBlank() && count++ < MAX_PARTS) {
      lines = new HeaderLines();
      state = State.HEADERS;
    } else if (isClosing(rest) && count > 0) {
      state = State.EPILOGUE;
    } else {
      giveUp();
    }
  }

  private static boolean isClosing(String rest) {
    return rest.startsWith(DASHES) && rest.substring(DASHES.length()).isBlank();
  }

  private void giveUp() {
    byte[] rejected = lines.all().getBytes(StandardCharsets.ISO_8859_1);
    parts.malformed(rejected, 0, rejected.length);
    state = State.MALFORMED;
  }

  private int reject(byte[] bytes, int from, int end) {
    parts.malformed(bytes, from, end - from);
    return end;
  }

  /** Whether the body that ends here is well-formed. */
  boolean isComplete() {
    String last = lines.unfinished();
    return state == State.EPILOGUE
        || (state == State.DELIMITER_LINE && count > 0 && isClosing(last))
        || (state == State.HEADERS
            && last.startsWith(dashedBoundary)
            && isClosing(last.substring(dashedBoundary.length())));
  }

  /** Whether all that there was is preamble. */
  boolean hasNoPart() {
    return count == 0;
  }

  /** The rest of a delimiter's line, and the lines that describe a part, as they come. */
  private static final class HeaderLines {

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
}
