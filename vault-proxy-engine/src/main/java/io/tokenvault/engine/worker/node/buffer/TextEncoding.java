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

/** The encodings of {@code Buffer}: text to bytes and back, lenient where Node.js is. */
public enum TextEncoding {
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

  private static final byte[] HEX_DIGITS = "0123456789abcdef".getBytes(StandardCharsets.ISO_8859_1);
  private static final Map<String, TextEncoding> NAMES = names();

  public abstract byte[] encode(String text);

  public abstract String decode(ByteView bytes);

  /** Where to cut bytes of this encoding so that no character is written in part. */
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

  /** Null where there is none of that name. */
  static TextEncoding named(String name) {
    TextEncoding exact = NAMES.get(name);
    return exact != null ? exact : NAMES.get(lowerAscii(name));
  }

  private static String lowerAscii(String name) {
    return name.length() > 9 ? "" : name.toLowerCase(java.util.Locale.ROOT);
  }

  /** UTF-8 where the value is undefined; a name that is not known throws. */
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

  /** UTF-8 for what is no text, empty or not known, as {@code crypto} takes it. */
  public static TextEncoding lenient(Object value) {
    TextEncoding encoding = value instanceof CharSequence ? named(value.toString()) : null;
    return encoding == null ? UTF8 : encoding;
  }

  private static byte[] lowBytes(String text) {
    byte[] bytes = new byte[text.length()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) text.charAt(i);
    }
    return bytes;
  }

  private static String ascii(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static int digit(char c) {
    return c < 128 ? Character.digit(c, 16) : -1;
  }
}
