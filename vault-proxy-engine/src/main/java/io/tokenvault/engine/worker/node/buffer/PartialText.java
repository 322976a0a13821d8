package io.tokenvault.engine.worker.node.buffer;

import io.tokenvault.engine.worker.node.script.ByteView;
import java.util.Arrays;

/** Text that comes out in pieces: bytes of a unit that is not complete wait for the next piece. */
public final class PartialText {
  private final TextEncoding encoding;
  private byte[] rest = {};

  public PartialText(TextEncoding encoding) {
    this.encoding = encoding;
  }

  public TextEncoding encoding() {
    return encoding;
  }

  public String add(byte[] bytes) {
    byte[] all = joined(bytes);
    int end = complete(all);
    rest = Arrays.copyOfRange(all, end, all.length);
    return encoding.decode(new ByteView(all, 0, end));
  }

  public String end(byte[] bytes) {
    byte[] all = joined(bytes);
    rest = new byte[0];
    return encoding.decode(ByteView.of(all));
  }

  private byte[] joined(byte[] bytes) {
    byte[] all = Arrays.copyOf(rest, rest.length + bytes.length);
    System.arraycopy(bytes, 0, all, rest.length, bytes.length);
    return all;
  }

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
