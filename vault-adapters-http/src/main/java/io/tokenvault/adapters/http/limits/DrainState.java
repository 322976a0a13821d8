package io.tokenvault.adapters.http.limits;

import java.util.function.Function;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.HttpStream;

/**
 * The state of a server that is about to stop. Once draining has begun, the readiness check fails
 * and every response closes its connection; requests are still served.
 *
 * <p>An instance is a wrapper for the streams of Jetty's exchanges and may be shared by all
 * threads.
 */
public final class DrainState implements Function<HttpStream, HttpStream> {

  private volatile boolean begun;

  /** Begins draining. It cannot be undone; later calls have no effect. */
  public void begin() {
    begun = true;
  }

  public boolean hasBegun() {
    return begun;
  }

  /**
   * Wraps the stream of an exchange. Every exchange is wrapped, since one that started before
   * draining may be responded to during it.
   */
  @Override
  public HttpStream apply(HttpStream stream) {
    return new HttpStream.Wrapper(stream) {
      @Override
      public void prepareResponse(HttpFields.Mutable headers) {
        super.prepareResponse(headers);
        if (begun) {
          headers.put(HttpFields.CONNECTION_CLOSE);
        }
      }
    };
  }
}
