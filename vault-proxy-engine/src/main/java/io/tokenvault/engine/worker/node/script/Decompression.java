package io.tokenvault.engine.worker.node.script;

import io.tokenvault.engine.worker.node.script.Compression.Format;
import io.tokenvault.engine.worker.node.script.Compression.Output;
import java.util.function.LongConsumer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Decompression for the module {@code zlib}. Used once.
 *
 * <p>Work is counted before each block of output, so that a small input with a large output exceeds
 * the limits of its invocation early.
 */
final class Decompression {

  /** The number of bytes of output between two checks of the limits. */
  private static final int BLOCK = 32 * 1024;

  /** The work of decompressing a byte, in units of {@code spend}. */
  private static final int COST = 4;

  /** The greatest length of the output; a longer one could exhaust the heap of the worker. */
  private static final long MAX_OUTPUT = Runtime.getRuntime().maxMemory() / 4;

  /** The first two bytes of every part of a gzip file. */
  private static final int MAGIC_1 = 0x1f;

  private static final int MAGIC_2 = 0x8b;

  /** The bytes of a header of gzip between its flags and its optional fields. */
  private static final int TIME_AND_SYSTEM = 6;

  private final ByteView data;
  private final byte[] dictionary;
  private final long limit;
  private final LongConsumer work;
  private final Output output = new Output();
  private int at;

  /**
   * Prepares to decompress data.
   *
   * @param dictionary the preset dictionary; null for none
   * @param limit the greatest length of the output
   * @param work counts the work
   */
  Decompression(ByteView data, byte[] dictionary, double limit, LongConsumer work) {
    this.data = data;
    this.dictionary = dictionary;
    this.limit = (long) Math.min(limit, MAX_OUTPUT);
    this.work = work;
  }

  /**
   * Decompresses the data.
   *
   * @param partial whether incomplete data is decompressed as far as it goes
   * @throws Corrupt if the data cannot be decompressed
   */
  byte[] run(Format format, boolean partial) throws Corrupt {
    boolean isGzip = data.length > 1 && data.at(0) == MAGIC_1 && data.at(1) == MAGIC_2;
    try {
      if (format == Format.GZIP || (format == Format.ANY && isGzip)) {
        do {
          member();
        } while (left() > 0 && data.at(at) != 0);
      } else {
        inflate(new Inflater(format == Format.RAW), format == Format.RAW, new CRC32());
      }
    } catch (Incomplete e) {
      if (!partial) {
        throw new Corrupt("Z_BUF_ERROR", "unexpected end of file");
      }
    }
    return output.joined();
  }

  /** Decompresses one part of a gzip file: RFC 1952, section 2.3. */
  private void member() throws Corrupt, Incomplete {
    int start = at;
    int first = next();
    if (next() != MAGIC_2 || first != MAGIC_1) {
      throw new Corrupt("incorrect header check");
    }
    if (next() != Deflater.DEFLATED) {
      throw new Corrupt("unknown compression method");
    }
    int flags = next();
    if ((flags & 0xe0) != 0) {
      throw new Corrupt("unknown header flags set");
    }
    skip(TIME_AND_SYSTEM);
    if ((flags & 4) != 0) {
      skip((int) number(Short.BYTES));
    }
    for (int texts = Integer.bitCount(flags & 0x18); texts > 0; texts--) {
      skipText();
    }
    if ((flags & 2) != 0) {
      CRC32 checksum = new CRC32();
      checksum.update(data.array, data.offset + start, at - start);
      if (number(Short.BYTES) != (checksum.getValue() & 0xffff)) {
        throw new Corrupt("header crc mismatch");
      }
    }
    long before = output.length();
    CRC32 checksum = new CRC32();
    inflate(new Inflater(true), false, checksum);
    if (number(Integer.BYTES) != checksum.getValue()) {
      throw new Corrupt("incorrect data check");
    }
    if (number(Integer.BYTES) != output.length() - before) {
      throw new Corrupt("incorrect length check");
    }
  }

  private void inflate(Inflater inflater, boolean startsWithDictionary, CRC32 checksum)
      throws Corrupt, Incomplete {
    try {
      if (startsWithDictionary && dictionary != null) {
        inflater.setDictionary(dictionary);
      }
      inflater.setInput(data.array, data.offset + at, left());
      byte[] block = new byte[BLOCK];
      while (!inflater.finished()) {
        work.accept((long) COST * BLOCK);
        int length = inflater.inflate(block);
        checksum.update(block, 0, length);
        output.add(block, length);
        if (output.length() > limit) {
          throw new Corrupt("ERR_BUFFER_TOO_LARGE", Long.toString(limit));
        }
        if (length == 0 && !inflater.finished()) {
          unblock(inflater);
        }
      }
      at = data.length - inflater.getRemaining();
    } catch (DataFormatException e) {
      throw new Corrupt(e.getMessage() == null ? "invalid data" : e.getMessage());
    } finally {
      inflater.end();
    }
  }

  private void unblock(Inflater inflater) throws Corrupt, Incomplete {
    if (!inflater.needsDictionary()) {
      throw new Incomplete();
    }
    if (dictionary == null) {
      throw new Corrupt("Z_NEED_DICT", "Missing dictionary");
    }
    try {
      inflater.setDictionary(dictionary);
    } catch (IllegalArgumentException e) {
      throw new Corrupt("Z_NEED_DICT", "Bad dictionary");
    }
  }

  private int left() {
    return data.length - at;
  }

  private int next() throws Incomplete {
    skip(1);
    return data.at(at - 1);
  }

  private void skip(int count) throws Incomplete {
    if (count > left()) {
      throw new Incomplete();
    }
    at += count;
  }

  private void skipText() throws Incomplete {
    while (next() != 0) {
      work.accept(1);
    }
  }

  /** Reads a number with the low byte first. */
  private long number(int bytes) throws Incomplete {
    long number = 0;
    for (int i = 0; i < bytes; i++) {
      number |= (long) next() << (Byte.SIZE * i);
    }
    return number;
  }

  /** The data cannot be decompressed; the message is that of zlib. */
  static final class Corrupt extends Exception {
    private static final long serialVersionUID = 1L;

    private final String code;

    private Corrupt(String message) {
      this("Z_DATA_ERROR", message);
    }

    private Corrupt(String code, String message) {
      super(message, null, false, false);
      this.code = code;
    }

    /** Returns the value of the property {@code code} of the error. */
    String code() {
      return code;
    }
  }

  /** The data ends too early. */
  private static final class Incomplete extends Exception {
    private static final long serialVersionUID = 1L;

    private Incomplete() {
      super(null, null, false, false);
    }
  }
}
