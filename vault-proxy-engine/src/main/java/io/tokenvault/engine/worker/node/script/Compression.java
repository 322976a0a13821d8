package io.tokenvault.engine.worker.node.script;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** Compression for the module {@code zlib}. Work is counted before each block. */
final class Compression {

  /** The formats of the functions of {@code zlib}. */
  enum Format {
    DEFLATE,
    RAW,
    GZIP,
    /** Either of {@link #GZIP} and {@link #DEFLATE}, by the first bytes; only to decompress. */
    ANY
  }

  /** The number of bytes between two checks of the limits. */
  private static final int BLOCK = 32 * 1024;

  /** The work of compressing a byte at the levels 0 to 9, in units of {@code spend}. */
  private static final int[] COSTS = {3, 10, 12, 15, 20, 25, 30, 40, 80, 120};

  private static final int DEFAULT_LEVEL = 6;
  private static final int TRAILER = 8;

  private final LongConsumer work;

  Compression(LongConsumer work) {
    this.work = work;
  }

  byte[] compress(ByteView data, Format format, int level, int strategy, byte[] dictionary) {
    Deflater deflater = new Deflater(level, format != Format.DEFLATE);
    try {
      deflater.setStrategy(strategy > Deflater.HUFFMAN_ONLY ? Deflater.DEFAULT_STRATEGY : strategy);
      if (dictionary != null && format != Format.GZIP) {
        deflater.setDictionary(dictionary);
      }
      Output output = new Output();
      if (format == Format.GZIP) {
        byte[] header = header(level, strategy);
        output.add(header, header.length);
      }
      deflate(deflater, data, COSTS[level < 0 ? DEFAULT_LEVEL : level], output);
      if (format == Format.GZIP) {
        output.add(trailer(crc32(data, 0), data.length), TRAILER);
      }
      return output.joined();
    } finally {
      deflater.end();
    }
  }

  private void deflate(Deflater deflater, ByteView data, int cost, Output output) {
    byte[] block = new byte[BLOCK];
    for (int at = 0; at < data.length || !deflater.finished(); at += BLOCK) {
      int length = Math.max(0, Math.min(BLOCK, data.length - at));
      work.accept((long) cost * (length + 1));
      deflater.setInput(data.array, data.offset + Math.min(at, data.length), length);
      if (at + BLOCK >= data.length) {
        deflater.finish();
      }
      while (!deflater.needsInput() || (at + BLOCK >= data.length && !deflater.finished())) {
        work.accept(BLOCK);
        output.add(block, deflater.deflate(block));
      }
    }
  }

  /** Returns the header of RFC 1952, section 2.3, without a time. */
  private static byte[] header(int level, int strategy) {
    boolean fastest = level == 0 || level == 1 || strategy >= Deflater.HUFFMAN_ONLY;
    int effort = level == Deflater.BEST_COMPRESSION ? 2 : fastest ? 4 : 0;
    int unix = 3;
    return new byte[] {
      0x1f, (byte) 0x8b, Deflater.DEFLATED, 0, 0, 0, 0, 0, (byte) effort, (byte) unix
    };
  }

  private static byte[] trailer(long checksum, int length) {
    return ByteBuffer.allocate(TRAILER)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt((int) checksum)
        .putInt(length)
        .array();
  }

  /**
   * Returns the checksum of RFC 1952.
   *
   * @param start the checksum of the data before
   */
  long crc32(ByteView data, long start) {
    work.accept(data.length);
    if (start == 0) {
      CRC32 checksum = new CRC32();
      checksum.update(data.array, data.offset, data.length);
      return checksum.getValue();
    }
    work.accept(8L * data.length);
    int register = ~(int) start;
    for (int i = 0; i < data.length; i++) {
      register ^= data.at(i);
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        register = (register >>> 1) ^ (0xedb88320 & -(register & 1));
      }
    }
    return Integer.toUnsignedLong(~register);
  }

  /** Output in parts, which are not copied while it grows. */
  static final class Output {
    private final List<byte[]> parts = new ArrayList<>();
    private int length;

    void add(byte[] block, int count) {
      length = Math.addExact(length, count);
      if (count > 0) {
        parts.add(Arrays.copyOf(block, count));
      }
    }

    int length() {
      return length;
    }

    byte[] joined() {
      byte[] whole = new byte[length];
      int at = 0;
      for (byte[] part : parts) {
        System.arraycopy(part, 0, whole, at, part.length);
        at += part.length;
      }
      return whole;
    }
  }
}
