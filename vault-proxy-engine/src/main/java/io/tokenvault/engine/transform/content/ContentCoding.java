package io.tokenvault.engine.transform.content;

import io.tokenvault.engine.expression.template.WorkMemory;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;

/** Content coding that can be decoded (RFC 9110, section 8.4.1). */
public enum ContentCoding {

  /** No coding. */
  NONE,
  /** The format of RFC 1952. */
  GZIP,
  /** The zlib format, or the raw deflate data that some servers send instead. */
  DEFLATE;

  private static final int CHUNK = 64 * 1024;

  /** A zlib header is a multiple of this number (RFC 1950, section 2.2). */
  private static final int ZLIB_HEAD = 31;

  private static final int METHOD_MASK = 0x0f;

  /** The greatest number of empty gzip members before another; many would exhaust the stack. */
  private static final int MAX_EMPTY_MEMBERS = 100;

  /** The decoded content exceeds the limit. */
  public static final class TooLargeException extends IOException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * Returns the coding of a message.
   *
   * @param contentEncoding the values of the {@code Content-Encoding} header joined by commas;
   *     empty if there is none
   * @return empty if it is another coding, or several
   */
  public static Optional<ContentCoding> of(Optional<String> contentEncoding) {
    return switch (contentEncoding.orElse("").strip().toLowerCase(Locale.ROOT)) {
      case "", "identity" -> Optional.of(NONE);
      case "gzip", "x-gzip" -> Optional.of(GZIP);
      case "deflate" -> Optional.of(DEFLATE);
      default -> Optional.empty();
    };
  }

  /**
   * Decodes content.
   *
   * @param limit the greatest length of the decoded content, in bytes
   * @param memory the reservation that is charged for the decoded content as it grows
   * @throws TooLargeException if the limit is exceeded
   * @throws IOException if the content is malformed
   */
  public byte[] unpack(byte[] packed, int limit, WorkMemory memory) throws IOException {
    if (this == NONE) {
      return packed;
    }
    InputStream in = new ByteArrayInputStream(packed);
    if (this == GZIP) {
      return read(new Gzip(in), limit, memory);
    }
    Inflater inflater = new Inflater(!hasZlibHead(packed));
    try {
      return read(new InflaterInputStream(in, inflater), limit, memory);
    } finally {
      inflater.end();
    }
  }

  private static byte[] read(InputStream content, int limit, WorkMemory memory) throws IOException {
    ByteArrayOutputStream unpacked = new ByteArrayOutputStream();
    try (content) {
      byte[] chunk = content.readNBytes(CHUNK);
      while (chunk.length > 0) {
        memory.reserve(2L * chunk.length);
        unpacked.writeBytes(chunk);
        if (unpacked.size() > limit) {
          throw new TooLargeException();
        }
        chunk = content.readNBytes(CHUNK);
      }
    }
    return unpacked.toByteArray();
  }

  /** Returns whether the content starts with a zlib header (RFC 1950, section 2.2). */
  private static boolean hasZlibHead(byte[] packed) {
    return packed.length > 1
        && (packed[0] & METHOD_MASK) == Deflater.DEFLATED
        && (((packed[0] & 0xff) << Byte.SIZE) | (packed[1] & 0xff)) % ZLIB_HEAD == 0;
  }

  /** Stream that limits empty gzip members: the JDK calls {@code read} again within it for each. */
  private static final class Gzip extends GZIPInputStream {
    private int depth;

    Gzip(InputStream in) throws IOException {
      super(in);
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      if (depth > MAX_EMPTY_MEMBERS) {
        throw new ZipException("too many empty gzip members");
      }
      depth++;
      try {
        return super.read(buffer, offset, length);
      } finally {
        depth--;
      }
    }
  }
}
