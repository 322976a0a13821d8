package io.tokenvault.engine.worker.node.buffer;

import io.tokenvault.engine.worker.node.script.ByteView;
import io.tokenvault.engine.worker.node.script.NodeError;
import io.tokenvault.engine.worker.node.script.Unicode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
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
  UTF8(
      text -> Unicode.withoutLoneSurrogates(text).getBytes(StandardCharsets.UTF_8),
      TextEncoding::decodeUtf8,
      "utf8",
      "utf-8"),

  /** UTF-16 with the low byte first; an odd byte at the end is dropped. */
  UTF16LE(
      TextEncoding::encodeUtf16, TextEncoding::decodeUtf16, "utf16le", "utf-16le", "ucs2", "ucs-2"),

  /** ISO 8859-1; only the low byte of each character is written. */
  LATIN1(
      TextEncoding::lowBytes,
      bytes -> new String(bytes.array, bytes.offset, bytes.length, StandardCharsets.ISO_8859_1),
      "latin1",
      "binary"),

  /**
   * ASCII; the high bit of each byte is ignored on decoding, and writing is that of {@link
   * #LATIN1}.
   */
  ASCII(TextEncoding::lowBytes, TextEncoding::decodeAscii, "ascii"),

  /** Hexadecimal; encoding stops at the first pair that is not hexadecimal. */
  HEX(
      TextEncoding::encodeHex,
      bytes -> HexFormat.of().formatHex(bytes.array, bytes.offset, bytes.offset + bytes.length),
      "hex"),

  /** Base64 with padding; see {@link #decodeBase64} for reading. */
  BASE64(
      TextEncoding::decodeBase64,
      bytes -> Base64.getEncoder().encodeToString(bytes.copy()),
      "base64"),

  /** URL-safe Base64 without padding; see {@link #decodeBase64} for reading. */
  BASE64URL(
      TextEncoding::decodeBase64,
      bytes -> Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.copy()),
      "base64url");

  private static final int LONGEST_NAME = "base64url".length();

  /** The encodings by their names in lower case. */
  private static final Map<String, TextEncoding> NAMES = new HashMap<>();

  static {
    for (TextEncoding encoding : values()) {
      encoding.names.forEach(name -> NAMES.put(name, encoding));
    }
  }

  private final Function<String, byte[]> encoder;
  private final Function<ByteView, String> decoder;

  /** The names in lower case. */
  private final List<String> names;

  TextEncoding(
      Function<String, byte[]> encoder, Function<ByteView, String> decoder, String... names) {
    this.encoder = encoder;
    this.decoder = decoder;
    this.names = List.of(names);
  }

  public byte[] encode(String text) {
    return encoder.apply(text);
  }

  public String decode(ByteView bytes) {
    return decoder.apply(bytes);
  }

  /**
   * Returns the greatest index up to a limit at which encoded bytes can be cut without splitting a
   * character. Malformed bytes count as characters.
   */
  int unitEnd(byte[] bytes, int limit) {
    return switch (this) {
      case UTF8 -> utf8UnitEnd(bytes, limit);
      case UTF16LE -> limit & ~1;
      default -> limit;
    };
  }

  private static int utf8UnitEnd(byte[] bytes, int limit) {
    int lead = limit - 1;
    while (lead >= 0 && lead > limit - 4 && (bytes[lead] & 0xc0) == 0x80) {
      lead--;
    }
    if (lead < 0) {
      return limit;
    }
    int first = bytes[lead] & 0xff;
    int size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
    return limit - lead < size ? lead : limit;
  }

  /** Returns the encoding of a name in any case; null if there is none. */
  static TextEncoding named(String name) {
    TextEncoding exact = NAMES.get(name);
    return exact != null || name.length() > LONGEST_NAME
        ? exact
        : NAMES.get(name.toLowerCase(Locale.ROOT));
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

  private static String decodeUtf8(ByteView bytes) {
    ByteView readable = Unicode.withoutEncodedSurrogates(bytes);
    return new String(readable.array, readable.offset, readable.length, StandardCharsets.UTF_8);
  }

  private static byte[] encodeUtf16(String text) {
    ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(text.length(), 2));
    bytes.order(ByteOrder.LITTLE_ENDIAN).asCharBuffer().put(text);
    return bytes.array();
  }

  private static String decodeUtf16(ByteView bytes) {
    ByteBuffer units = ByteBuffer.wrap(bytes.array, bytes.offset, bytes.length);
    return units.order(ByteOrder.LITTLE_ENDIAN).asCharBuffer().toString();
  }

  private static String decodeAscii(ByteView bytes) {
    byte[] low = bytes.copy();
    for (int i = 0; i < low.length; i++) {
      low[i] = (byte) (low[i] & 0x7f);
    }
    return new String(low, StandardCharsets.ISO_8859_1);
  }

  private static byte[] encodeHex(String text) {
    int end = 0;
    while (end < text.length() && HexFormat.isHexDigit(text.charAt(end))) {
      end++;
    }
    return HexFormat.of().parseHex(text, 0, end - end % 2);
  }

  /** Returns the low byte of each character. */
  private static byte[] lowBytes(String text) {
    byte[] bytes = new byte[text.length()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) text.charAt(i);
    }
    return bytes;
  }

  /** The value of each ASCII character; -1 if it is not a digit. */
  private static final byte[] BASE64_VALUES = base64Values();

  private static byte[] base64Values() {
    byte[] base64Values = new byte[128];
    Arrays.fill(base64Values, (byte) -1);
    String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int i = 0; i < alphabet.length(); i++) {
      base64Values[alphabet.charAt(i)] = (byte) i;
    }
    base64Values['-'] = 62;
    base64Values['_'] = 63;
    return base64Values;
  }

  /** Decodes text. Any text is valid; bits after the last complete byte are dropped. */
  public static byte[] decodeBase64(String text) {
    byte[] out = new byte[(int) (text.length() * 3L / 4)];
    int length = 0;
    int bits = 0;
    int held = 0;
    for (int i = 0; i < text.length() && text.charAt(i) != '='; i++) {
      int value = text.charAt(i) < 128 ? BASE64_VALUES[text.charAt(i)] : -1;
      if (value < 0) {
        continue;
      }
      bits = (bits << 6) | value;
      held += 6;
      if (held >= 8) {
        held -= 8;
        out[length++] = (byte) (bits >> held);
      }
    }
    return length == out.length ? out : Arrays.copyOf(out, length);
  }

  /**
   * Returns the length that {@code Buffer.byteLength} reports, which depends only on the length of
   * the text and the padding at its end.
   */
  static long guessedBase64Length(String text) {
    long length = text.length();
    if (length > 0 && text.charAt(text.length() - 1) == '=') {
      length--;
    }
    if (length > 1 && text.charAt((int) length - 1) == '=') {
      length--;
    }
    return length * 3 / 4;
  }

  /**
   * Decoder of text that is received in pieces. The bytes of an incomplete character, or of an
   * incomplete group of Base64 digits, are kept for the next piece.
   */
  public static final class PartialText {
    private final TextEncoding encoding;

    /** The bytes that are kept for the next piece. */
    private byte[] rest = {};

    public PartialText(TextEncoding encoding) {
      this.encoding = encoding;
    }

    public TextEncoding encoding() {
      return encoding;
    }

    public String add(byte[] bytes) {
      byte[] all = ByteView.of(bytes).copyAfter(rest);
      int end =
          encoding == BASE64 || encoding == BASE64URL
              ? all.length - all.length % 3
              : encoding.unitEnd(all, all.length);
      rest = Arrays.copyOfRange(all, end, all.length);
      return encoding.decode(new ByteView(all, 0, end));
    }

    public String end(byte[] bytes) {
      byte[] all = ByteView.of(bytes).copyAfter(rest);
      rest = new byte[0];
      return encoding.decode(ByteView.of(all));
    }
  }
}
