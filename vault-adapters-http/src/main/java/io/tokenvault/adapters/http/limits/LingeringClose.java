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
 * Goes on reading what a caller still sends when it has its answer already. Closing at once would
 * reset the connection, and the caller would often see that instead of the answer. No thread waits
 * meanwhile.
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

  /** Completes the exchange once the rest of its body has come, or enough of it. */
  private static final class Drain extends Callback.Nested implements Runnable {

    private final Request request;
    private long bytes;
    private long deadline;

    Drain(Request request, Callback callback) {
      super(callback);
      this.request = request;
    }

    @Override
    public void succeeded() {
      if (request.getHeaders().contains(HttpHeader.EXPECT, HttpHeaderValue.CONTINUE.asString())) {
        // Who waited for leave to send has read the refusal instead; reading would give the leave.
        super.succeeded();
        return;
      }
      deadline = System.nanoTime() + MAX_NANOS;
      run();
    }

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
