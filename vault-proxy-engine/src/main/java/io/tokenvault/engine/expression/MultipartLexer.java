package io.tokenvault.engine.expression;

import io.tokenvault.engine.expression.MultipartBody.PartHeaders;
import java.nio.charset.StandardCharsets;

/**
 * Finds the contents of the parts of a multipart body (RFC 2046, section 5.1) that arrives in
 * pieces of any size. An instance serves one body.
 *
 * <p>Lines end with CR LF. A line that starts with the delimiter and continues with anything but
 * blanks is malformed, because implementations differ on it.
 */
final class MultipartLexer {

  /** Receives the structure of a body. */
  interface Parts {

    /** Receives bytes before the first part. */
    default void preamble(byte[] bytes, int offset, int length) {}

    /**
     * Receives the start of a part.
     *
     * @param start offset of the part's content in the body, in bytes
     */
    void begin(PartHeaders headers, long start);

    /** Receives bytes of the current part. */
    default void content(byte[] bytes, int offset, int length) {}

    /**
     * Receives the end of a part.
     *
     * @param end offset of the end of the part's content in the body, in bytes
     */
    void end(long end);

    /** Receives bytes that violate the syntax, and all bytes after them. */
    default void malformed(byte[] bytes, int offset, int length) {}
  }

  /** State of the lexer, named after the element that it is reading. */
  private enum State {
    PREAMBLE,
    DELIMITER_LINE,
    HEADERS,
    CONTENT,
    EPILOGUE,
    MALFORMED
  }

  /** Longest preamble in bytes; a longer one is malformed. */
  private static final int MAX_PREAMBLE = 64 * 1024;

  /** Largest number of parts; a body with more is malformed. */
  private static final int MAX_PARTS = 10_000;

  /** Largest total length in bytes of the lines of a delimiter and of a part's headers. */
  private static final int MAX_LINES = 64 * 1024;

  private static final String LINE_END = "\r\n";
  private static final String DASHES = "--";

  private final Parts parts;
  private final String dashedBoundary;
  private final DelimiterSearch search;

  /** The rest of a delimiter's line or the header lines of a part, each byte as a character. */
  private final StringBuilder lines = new StringBuilder();

  /** Index in {@code lines} at which the current line starts. */
  private int lineStart;

  private State state = State.PREAMBLE;
  private long position;
  private int count;

  /** Creates a lexer for a boundary without its dashes. */
  MultipartLexer(String boundary, Parts parts) {
    this.parts = parts;
    this.dashedBoundary = DASHES + boundary;
    this.search = new DelimiterSearch(LINE_END + dashedBoundary);
  }

  /** Consumes the next bytes of the body. */
  void feed(byte[] bytes, int offset, int length) {
    int end = offset + length;
    int at = offset;
    while (at < end) {
      at =
          switch (state) {
            case PREAMBLE -> searchPreamble(bytes, at, end);
            case CONTENT -> searchContent(bytes, at, end);
            case HEADERS, DELIMITER_LINE -> readLine(bytes, at, end);
            case EPILOGUE -> end;
            case MALFORMED -> {
              parts.malformed(bytes, at, end - at);
              yield end;
            }
          };
    }
  }

  /** Consumes the preamble up to the first delimiter. */
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

  /** Consumes the content of a part up to the next delimiter. */
  private int searchContent(byte[] bytes, int from, int end) {
    int next = search.advance(bytes, from, end, parts::content);
    position += next - from;
    if (search.isFound()) {
      parts.end(position - search.foundLength());
      state = State.DELIMITER_LINE;
    }
    return next;
  }

  /** Consumes a part's header or the rest of a delimiter's line, up to the end of a line. */
  private int readLine(byte[] bytes, int from, int end) {
    int at = from;
    boolean isOpen = true;
    while (at < end && isOpen) {
      lines.append((char) (bytes[at] & 0xff));
      isOpen = bytes[at] != '\n' && lines.length() <= MAX_LINES;
      at++;
    }
    position += at - from;
    if (lines.length() > MAX_LINES) {
      giveUp();
    } else if (!isOpen) {
      endLine(unfinishedLine());
    }
    return at;
  }

  /** Decides how the body continues after a line. */
  private void endLine(String line) {
    lineStart = lines.length();
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
      parts.begin(PartHeaders.parse(lines.toString()), position);
      search.restart();
      state = State.CONTENT;
    }
  }

  /**
   * Decides how the body continues after a delimiter.
   *
   * @param rest of the line after the boundary
   */
  private void endDelimiter(String rest) {
    if (rest.isBlank() && count++ < MAX_PARTS) {
      lines.setLength(0);
      lineStart = 0;
      state = State.HEADERS;
    } else if (isClosing(rest) && count > 0) {
      state = State.EPILOGUE;
    } else {
      giveUp();
    }
  }

  /** Returns whether the rest of a delimiter's line marks the last delimiter. */
  private static boolean isClosing(String rest) {
    return rest.startsWith(DASHES) && rest.substring(DASHES.length()).isBlank();
  }

  /** Treats the lines that were read, and all that follows, as malformed. */
  private void giveUp() {
    byte[] rejected = lines.toString().getBytes(StandardCharsets.ISO_8859_1);
    parts.malformed(rejected, 0, rejected.length);
    state = State.MALFORMED;
  }

  /** Returns whether the body, if it ends here, is well-formed. */
  boolean isComplete() {
    String last = unfinishedLine();
    return state == State.EPILOGUE
        || (state == State.DELIMITER_LINE && count > 0 && isClosing(last))
        || (state == State.HEADERS
            && last.startsWith(dashedBoundary)
            && isClosing(last.substring(dashedBoundary.length())));
  }

  /** Returns what follows the last complete line. */
  private String unfinishedLine() {
    return lines.substring(lineStart);
  }

  /** Returns whether everything so far is preamble. */
  boolean hasNoPart() {
    return count == 0;
  }

  /**
   * Searches for a delimiter in bytes that arrive in pieces. The delimiter starts with its only CR.
   * At the start of the input, the line end before it counts as present.
   */
  private static final class DelimiterSearch {

    /** Receives the bytes that belong to no delimiter. */
    @FunctionalInterface
    interface OtherBytes {
      void take(byte[] bytes, int offset, int length);
    }

    private static final int LINE_END = 2;

    private final byte[] delimiter;
    private int matched;
    private int assumed;

    /**
     * Creates a search.
     *
     * @param delimiter including the line end before it
     */
    DelimiterSearch(String delimiter) {
      this.delimiter = delimiter.getBytes(StandardCharsets.US_ASCII);
      restart();
    }

    /** Starts a new search, as after a line end. */
    void restart() {
      matched = LINE_END;
      assumed = LINE_END;
    }

    boolean isFound() {
      return matched == delimiter.length;
    }

    /** Returns how many of the input's bytes the delimiter consists of. */
    int foundLength() {
      return delimiter.length - assumed;
    }

    /**
     * Consumes bytes up to the end of the input or of the delimiter.
     *
     * @return the index after the last byte that was consumed
     */
    int advance(byte[] bytes, int from, int end, OtherBytes others) {
      int at = from;
      while (at < end && !isFound()) {
        if (matched == 0) {
          at = skip(bytes, at, end, others);
        } else if (bytes[at] == delimiter[matched]) {
          matched++;
          at++;
        } else {
          others.take(delimiter, assumed, matched - assumed);
          matched = 0;
          assumed = 0;
        }
      }
      return at;
    }

    /** Passes bytes on up to the next CR. */
    private int skip(byte[] bytes, int from, int end, OtherBytes others) {
      int at = from;
      while (at < end && bytes[at] != delimiter[0]) {
        at++;
      }
      others.take(bytes, from, at - from);
      if (at == end) {
        return end;
      }
      matched = 1;
      return at + 1;
    }
  }
}
