package io.tokenvault.engine.worker.node.buffer;

import io.tokenvault.engine.worker.node.script.ByteView;
import io.tokenvault.engine.worker.node.script.NodeError;
import io.tokenvault.engine.worker.node.script.Unicode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Undefined;

/**
 * Text encodings of {@code Buffer}.
 *
 * <p>They are as lenient as those of Node.js: any string can be encoded and any bytes can be
 * decoded, with data that does not fit dropped or replaced. "Encode" means from string to bytes,
 * also for hexadecimal and Base64.
 */
public enum TextEncoding {
  /** UTF-8; lone surrogates and malformed sequences become U+FFFD. */
  UTF8 {
    @Override
    public byte[] encode(String text) {
      return Unicode.withoutLoneSurrogates(text).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String decode(ByteView bytes) {
      ByteView readable = Unicode.withoutEncodedSurrogates(bytes);
      return new String(readable.array, readable.offset, readable.length, StandardCharsets.UTF_8);
    }

    @Override
    int unitEnd(byte[] bytes, int limit) {
      int end = limit;
      while (end > 0 && end < bytes.length && (bytes[end] & 0xc0) == 0x80) {
        end--;
      }
      return end;
    }
  },

  /** UTF-16 with the low byte first; an odd byte at the end is dropped. */
  UTF16LE {
    @Override
    public byte[] encode(String text) {
      byte[] bytes = new byte[Math.multiplyExact(text.length(), 2)];
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        bytes[2 * i] = (byte) c;
        bytes[2 * i + 1] = (byte) (c >> 8);
      }
      return bytes;
    }

    @Override
    public String decode(ByteView bytes) {
      char[] text = new char[bytes.length / 2];
      for (int i = 0; i < text.length; i++) {
        text[i] = (char) (bytes.at(2 * i) | (bytes.at(2 * i + 1) << 8));
      }
      return new String(text);
    }

    @Override
    int unitEnd(byte[] bytes, int limit) {
      return limit & ~1;
    }
  },

  /** ISO 8859-1; only the low byte of each character is written. */
  LATIN1 {
    @Override
    public byte[] encode(String text) {
      return lowBytes(text);
    }

    @Override
    public String decode(ByteView bytes) {
      return new String(bytes.array, bytes.offset, bytes.length, StandardCharsets.ISO_8859_1);
    }
  },

  /**
   * ASCII; the high bit of each byte is ignored on decoding, and writing is that of {@link
   * #LATIN1}.
   */
  ASCII {
    @Override
    public byte[] encode(String text) {
      return lowBytes(text);
    }

    @Override
    public String decode(ByteView bytes) {
      byte[] low = bytes.copy();
      for (int i = 0; i < low.length; i++) {
        low[i] = (byte) (low[i] & 0x7f);
      }
      return new String(low, StandardCharsets.ISO_8859_1);
    }
  },

  /** Hexadecimal; encoding stops at the first pair that is not hexadecimal. */
  HEX {
    @Override
    public byte[] encode(String text) {
      byte[] bytes = new byte[text.length() / 2];
      for (int i = 0; i < bytes.length; i++) {
        int high = digit(text.charAt(2 * i));
        int low = digit(text.charAt(2 * i + 1));
        if (high < 0 || low < 0) {
          return java.util.Arrays.copyOf(bytes, i);
        }
        bytes[i] = (byte) ((high << 4) | low);
      }
      return bytes;
    }

    @Override
    public String decode(ByteView bytes) {
      byte[] digits = new byte[Math.multiplyExact(bytes.length, 2)];
      for (int i = 0; i < bytes.length; i++) {
        digits[2 * i] = HEX_DIGITS[bytes.at(i) >> 4];
        digits[2 * i + 1] = HEX_DIGITS[bytes.at(i) & 15];
      }
      return new String(digits, StandardCharsets.ISO_8859_1);
    }
  },

  /** Base64 with padding; see {@link LenientBase64} for reading. */
  BASE64 {
    @Override
    public byte[] encode(String text) {
      return LenientBase64.decode(text);
    }

    @Override
    public String decode(ByteView bytes) {
      return ascii(Base64.getEncoder().encode(bytes.copy()));
    }
  },

  /** URL-safe Base64 without padding; see {@link LenientBase64} for reading. */
  BASE64URL {
    @Override
    public byte[] encode(String text) {
      return LenientBase64.decode(text);
    }

    @Override
    public String decode(ByteView bytes) {
      return ascii(Base64.getUrlEncoder().withoutPadding().encode(bytes.copy()));
    }
  };

  /** The digits of decoded bytes. */
  private static final byte[] HEX_DIGITS = "0123456789abcdef".getBytes(StandardCharsets.ISO_8859_1);

  /** The encodings by their names in lower case. */
  private static final Map<String, TextEncoding> NAMES = names();

  /** Returns the bytes of a string. */
  public abstract byte[] encode(String text);

  /** Returns the string of bytes. */
  public abstract String decode(ByteView bytes);

  /**
   * Returns the greatest index up to a limit at which encoded bytes can be cut without splitting a
   * character.
   */
  int unitEnd(byte[] bytes, int limit) {
    return limit;
  }

  private static Map<String, TextEncoding> names() {
    Map<String, TextEncoding> names = new HashMap<>();
    names.put("utf8", UTF8);
    names.put("utf-8", UTF8);
    names.put("ucs2", UTF16LE);
    names.put("ucs-2", UTF16LE);
    names.put("utf16le", UTF16LE);
    names.put("utf-16le", UTF16LE);
    names.put("latin1", LATIN1);
    names.put("binary", LATIN1);
    names.put("ascii", ASCII);
    names.put("hex", HEX);
    names.put("base64", BASE64);
    names.put("base64url", BASE64URL);
    return names;
  }

  /** Returns the encoding of a name in any case; null if there is none. */
  static TextEncoding named(String name) {
    TextEncoding exact = NAMES.get(name);
    return exact != null ? exact : NAMES.get(lowerAscii(name));
  }

  /** Returns a name in lower case; an empty string if it is too long for a name. */
  private static String lowerAscii(String name) {
    return name.length() > 9 ? "" : name.toLowerCase(java.util.Locale.ROOT);
  }

  /**
   * Returns the encoding of an argument; UTF-8 if it is undefined.
   *
   * @throws NodeError if it is not the name of an encoding
   */
  public static TextEncoding of(Object value) {
    if (Undefined.isUndefined(value)) {
      return UTF8;
    }
    String name = ScriptRuntime.toString(value);
    TextEncoding encoding = named(name);
    if (encoding == null) {
      throw NodeError.unknownEncoding(name);
    }
    return encoding;
  }

  /**
   * Returns the encoding of an argument; UTF-8 if it is not the name of an encoding, as {@code
   * crypto} treats it.
   */
  public static TextEncoding lenient(Object value) {
    TextEncoding encoding = value instanceof CharSequence ? named(value.toString()) : null;
    return encoding == null ? UTF8 : encoding;
  }

  /** Returns the low byte of each character. */
  private static byte[] lowBytes(String text) {
    byte[] bytes = new byte[text.length()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) text.charAt(i);
    }
    return bytes;
  }

  /** Returns ASCII bytes as a string. */
  private static String ascii(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** Returns the value of a hexadecimal digit; -1 if it is none. */
  private static int digit(char c) {
    return c < 128 ? Character.digit(c, 16) : -1;
  }
}
