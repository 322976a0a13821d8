package io.tokenvault.adapters.http;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.api.ServiceHeaders;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Turns requests away at once while as many as allowed are being worked on, so that there is always
 * a thread left to say so. Health checks have places of their own.
 */
final class RequestLimit extends Handler.Wrapper {

  static final int HEALTH_CHECKS = 16;

  private static final Set<String> HEALTH_PATHS =
      Set.of("/healthz", "/healthz/", "/readyz", "/readyz/");

  private final Semaphore requests;
  private final Semaphore healthChecks = new Semaphore(HEALTH_CHECKS);
  private final Problems problems;
  private final ServiceHeaders headers;
  private final Cors cors;

  RequestLimit(
      int maxRequests, Problems problems, ServiceHeaders headers, Cors cors, Handler handler) {
    super(handler);
    this.requests = new Semaphore(maxRequests);
    this.problems = problems;
    this.headers = headers;
    this.cors = cors;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    Semaphore places = isHealthCheck(request) ? healthChecks : requests;
    if (!places.tryAcquire()) {
      turnAway(request, response, callback);
      return true;
    }
    Place place = new Place(callback, places);
    boolean handled = false;
    try {
      handled = super.handle(request, response, place);
    } finally {
      if (!handled) {
        place.leave();
      }
    }
    return handled;
  }

  private static boolean isHealthCheck(Request request) {
    String path = request.getHttpURI().getPath();
    return path != null && HEALTH_PATHS.contains(path);
  }

  private void turnAway(Request request, Response response, Callback callback) {
    RefusedException overloaded =
        new RefusedException(
            FailureCause.OVERLOADED, "Too many requests are being worked on; try again.");
    TraceId trace = TraceId.of(request, headers);
    response.getHeaders().put(headers.traceId(), trace.value());
    cors.allow(request, response);
    Answer answer =
        ProxyHandler.takes(request)
            ? problems.proxyAnswer(overloaded, trace)
            : problems.answer(overloaded, trace);
    AnswerWriter.write(response, answer, callback);
  }

  /** Is left once, when the exchange is over. */
  private static final class Place extends Callback.Nested {

    private final Semaphore places;
    private final AtomicBoolean left = new AtomicBoolean();

    Place(Callback callback, Semaphore places) {
      super(callback);
      this.places = places;
    }

    void leave() {
      if (left.compareAndSet(false, true)) {
        places.release();
      }
    }

    @Override
    public void succeeded() {
      leave();
      super.succeeded();
    }

    @Override
    public void failed(Throwable failure) {
      leave();
      super.failed(failure);
    }
  }
}
