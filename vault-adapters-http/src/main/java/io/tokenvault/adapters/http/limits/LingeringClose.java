package io.tokenvault.adapters.http.limits;

import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Reads the rest of a request body after the response has been sent, within limits.
 *
 * <p>Closing a connection with unread input resets it, and the caller would often see the reset
 * instead of the response. At most 32 MiB are read, for at most 5 seconds. Reading is asynchronous
 * and occupies no thread while it waits.
 */
public final class LingeringClose extends Handler.Wrapper {

  private static final long MAX_BYTES = 32L << 20;
  private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(5);

  public LingeringClose(Handler handler) {
    super(handler);
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    return super.handle(request, response, new Drain(request, callback));
  }

  /** Completes the exchange once the rest of its body has been read or a limit is reached. */
  private static final class Drain extends Callback.Nested implements Runnable {

    private final Request request;
    private long bytes;
    private long deadline;

    Drain(Request request, Callback callback) {
      super(callback);
      this.request = request;
    }

    /** Starts to read the rest of the body. Runs when the response is complete. */
    @Override
    public void succeeded() {
      if (request.getHeaders().contains(HttpHeader.EXPECT, HttpHeaderValue.CONTINUE.asString())) {
        // A caller that waits for 100 Continue has read the final response instead; reading the
        // body would send the 100.
        super.succeeded();
        return;
      }
      deadline = System.nanoTime() + MAX_NANOS;
      run();
    }

    /** Reads the chunks that are available, and asks to be called again when there are more. */
    @Override
    public void run() {
      while (bytes <= MAX_BYTES && System.nanoTime() < deadline) {
        Content.Chunk chunk = request.read();
        if (chunk == null) {
          request.demand(this);
          return;
        }
        bytes += chunk.remaining();
        chunk.release();
        if (chunk.isLast() || Content.Chunk.isFailure(chunk)) {
          break;
        }
      }
      super.succeeded();
    }
  }
}
