package io.tokenvault.adapters.http.limits;

import java.util.function.Function;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.HttpStream;

/**
 * Whether the server is about to stop. From then on it says that it is not ready, and each answer
 * is the last one on its connection; what comes is served as before.
 */
public final class DrainState implements Function<HttpStream, HttpStream> {

  private volatile boolean begun;

  public void begin() {
    begun = true;
  }

  public boolean hasBegun() {
    return begun;
  }

  /** For every exchange: one that began before may be answered after. */
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
