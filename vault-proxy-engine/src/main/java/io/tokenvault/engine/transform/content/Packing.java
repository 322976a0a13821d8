package io.tokenvault.engine.transform.content;

import io.tokenvault.engine.expression.text.WorkMemory;
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

/** The content codings that can be undone (RFC 9110, section 8.4.1). */
public enum Packing {
  /** Nothing to undo. */
  NONE,
  GZIP,
  /** That of zlib, or what many take for it: the same without its head. */
  DEFLATE;

  private static final int CHUNK = 64 * 1024;
  private static final int ZLIB_HEAD = 31;
  private static final int METHOD_MASK = 0x0f;

  /** There is more in it than may be held. */
  public static final class TooLargeException extends IOException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * @param contentEncoding all values of the header as one; empty if there is none
   * @return empty if it is another coding, or several
   */
  public static Optional<Packing> of(Optional<String> contentEncoding) {
    switch (contentEncoding.orElse("").strip().toLowerCase(Locale.ROOT)) {
      case "":
      case "identity":
        return Optional.of(NONE);
      case "gzip":
      case "x-gzip":
        return Optional.of(GZIP);
      case "deflate":
        return Optional.of(DEFLATE);
      default:
        return Optional.empty();
    }
  }

  /**
   * @param limit in bytes, of what comes out
   * @param memory is asked for what comes out, as it comes
   * @throws TooLargeException if that is more
   * @throws IOException if it is broken
   */
  public byte[] unpack(byte[] packed, int limit, WorkMemory memory) throws IOException {
    if (this == NONE) {
      return packed;
    }
    ByteArrayOutputStream unpacked = new ByteArrayOutputStream();
    try (InputStream content = open(packed)) {
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

  private InputStream open(byte[] packed) throws IOException {
    InputStream in = new ByteArrayInputStream(packed);
    if (this == GZIP) {
      return new GZIPInputStream(in);
    }
    return new RawOrZlib(in, new Inflater(!hasZlibHead(packed)));
  }

  private static boolean hasZlibHead(byte[] packed) {
    return packed.length > 1
        && (packed[0] & METHOD_MASK) == Deflater.DEFLATED
        && (((packed[0] & 0xff) << Byte.SIZE) | (packed[1] & 0xff)) % ZLIB_HEAD == 0;
  }

  /** Frees its inflater, which the JDK's own does only for one it made. */
  private static final class RawOrZlib extends InflaterInputStream {
    RawOrZlib(InputStream in, Inflater inflater) {
      super(in, inflater);
    }

    @Override
    public void close() throws IOException {
      super.close();
      inf.end();
    }
  }
}
