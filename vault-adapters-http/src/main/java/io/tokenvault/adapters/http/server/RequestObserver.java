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

/** Tells of every request when it is over, also of those that were turned away. */
final class RequestObserver extends Handler.Wrapper {

  private final ListenerRole face;
  private final RequestWatch watch;

  RequestObserver(ListenerRole face, RequestWatch watch, Handler handler) {
    super(handler);
    this.face = face;
    this.watch = watch;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    return super.handle(request, response, new Counting(request, response, callback));
  }

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
