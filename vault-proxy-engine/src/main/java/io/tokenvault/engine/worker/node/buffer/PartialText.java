package io.tokenvault.engine.worker.node.buffer;

import io.tokenvault.engine.worker.node.script.ByteView;
import java.util.Arrays;

/**
 * Decoder of text that is received in pieces. The bytes of an incomplete character, or of an
 * incomplete group of Base64 digits, are kept for the next piece.
 */
public final class PartialText {
  private final TextEncoding encoding;

  /** The bytes that are kept for the next piece. */
  private byte[] rest = {};

  public PartialText(TextEncoding encoding) {
    this.encoding = encoding;
  }

  public TextEncoding encoding() {
    return encoding;
  }

  /** Decodes a piece as far as its characters are complete. */
  public String add(byte[] bytes) {
    byte[] all = joined(bytes);
    int end = complete(all);
    rest = Arrays.copyOfRange(all, end, all.length);
    return encoding.decode(new ByteView(all, 0, end));
  }

  /** Decodes the last piece; an incomplete character is decoded as malformed. */
  public String end(byte[] bytes) {
    byte[] all = joined(bytes);
    rest = new byte[0];
    return encoding.decode(ByteView.of(all));
  }

  /** Joins the kept bytes with the next piece. */
  private byte[] joined(byte[] bytes) {
    byte[] all = Arrays.copyOf(rest, rest.length + bytes.length);
    System.arraycopy(bytes, 0, all, rest.length, bytes.length);
    return all;
  }

  /** Returns the length of the complete characters. */
  private int complete(byte[] bytes) {
    switch (encoding) {
      case BASE64:
      case BASE64URL:
        return bytes.length - bytes.length % 3;
      case UTF16LE:
        return bytes.length & ~1;
      case UTF8:
        return completeUtf8(bytes);
      default:
        return bytes.length;
    }
  }

  /** Returns the length without an incomplete UTF-8 sequence at the end. */
  private static int completeUtf8(byte[] bytes) {
    int lead = bytes.length - 1;
    while (lead >= 0 && lead > bytes.length - 4 && (bytes[lead] & 0xc0) == 0x80) {
      lead--;
    }
    if (lead < 0) {
      return bytes.length;
    }
    int first = bytes[lead] & 0xff;
    int size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
    return bytes.length - lead < size ? lead : bytes.length;
  }
}
