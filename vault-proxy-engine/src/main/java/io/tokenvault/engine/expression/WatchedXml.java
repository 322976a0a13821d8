package io.tokenvault.engine.expression;

import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.util.Optional;
import java.util.function.Function;

/** Watches XML whose charset is told by its own beginning, in which no expression is complete. */
final class WatchedXml implements WatchedBytes {

  private final Function<Optional<Charset>, WatchedBytes> decoding;
  private final ByteArrayOutputStream beginning = new ByteArrayOutputStream();
  private Optional<WatchedBytes> decoded = Optional.empty();

  WatchedXml(Function<Optional<Charset>, WatchedBytes> decoding) {
    this.decoding = decoding;
  }

  @Override
  public boolean see(byte[] bytes, int offset, int length) {
    if (decoded.isPresent()) {
      return decoded.get().see(bytes, offset, length);
    }
    for (int i = 0; i < length; i++) {
      beginning.write(bytes[offset + i]);
      byte[] known = beginning.toByteArray();
      if (!XmlCharset.isOpen(known)) {
        return decide(known) || see(bytes, offset + i + 1, length - i - 1);
      }
    }
    return false;
  }

  private boolean decide(byte[] known) {
    WatchedBytes watch = decoding.apply(XmlCharset.of(known));
    decoded = Optional.of(watch);
    return watch.see(known, 0, known.length);
  }
}
