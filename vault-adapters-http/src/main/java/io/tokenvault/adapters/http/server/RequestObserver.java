package io.tokenvault.adapters.http.server;

import io.tokenvault.adapters.http.operations.RequestWatch;
import io.tokenvault.adapters.http.operations.RequestWatch.WatchedRequest;
import io.tokenvault.adapters.http.trace.RouteName;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Reports every finished request to a {@link RequestWatch}, including rejected ones. */
final class RequestObserver extends Handler.Wrapper {

  private final ListenerRole face;
  private final RequestWatch watch;

  /**
   * Creates the handler.
   *
   * @param face the role of the listener, which is reported with each request
   * @param watch is notified when a request ends
   */
  RequestObserver(ListenerRole face, RequestWatch watch, Handler handler) {
    super(handler);
    this.face = face;
    this.watch = watch;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    return super.handle(request, response, new Counting(request, response, callback));
  }

  /** Reports one request when its exchange completes. */
  private final class Counting extends Callback.Nested {

    private final Request request;
    private final Response response;
    private final long start = System.nanoTime();

    Counting(Request request, Response response, Callback callback) {
      super(callback);
      this.request = request;
      this.response = response;
    }

    @Override
    public void succeeded() {
      tell(response.getStatus());
      super.succeeded();
    }

    @Override
    public void failed(Throwable failure) {
      tell(response.isCommitted() ? response.getStatus() : HttpStatus.INTERNAL_SERVER_ERROR_500);
      super.failed(failure);
    }

    /** Reports the request with the status of its response. */
    private void tell(int status) {
      HttpMethod method = HttpMethod.INSENSITIVE_CACHE.get(request.getMethod());
      watch.answered(
          new WatchedRequest(
              face.isAdmin(), method == null ? "OTHER" : method.asString(), RouteName.of(request)),
          HttpStatus.getCode(status) == null ? 0 : status,
          System.nanoTime() - start);
    }
  }
}
