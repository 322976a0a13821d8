package io.tokenvault.engine;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.engine.expression.WatchedBytes;
import io.tokenvault.engine.forward.BodyRefusedException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** The rest of a body that is too large to hold; ends with a failure where an expression does. */
final class WatchedStream extends FilterInputStream {

  private final WatchedBytes watch;

  WatchedStream(InputStream content, WatchedBytes watch) {
    super(content);
    this.watch = watch;
  }

  static RefusedException tooLarge() {
    return new RefusedException(
        FailureCause.BODY_TOO_LARGE, "A body with expressions must be smaller than this one.");
  }

  @Override
  public int read() throws IOException {
    byte[] single = new byte[1];
    return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    int count = super.read(buffer, offset, length);
    if (count > 0 && watch.see(buffer, offset, count)) {
      throw new BodyRefusedException(tooLarge());
    }
    return count;
  }
}
