package io.tokenvault.adapters.http.overload;

import io.tokenvault.adapters.http.operations.RequestWatch;
import io.tokenvault.adapters.http.response.ApiResponse;
import io.tokenvault.adapters.http.response.CorsHeaders;
import io.tokenvault.adapters.http.response.ProblemMapper;
import io.tokenvault.adapters.http.response.ResponseWriter;
import io.tokenvault.adapters.http.trace.RouteName;
import io.tokenvault.adapters.http.trace.TraceId;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.api.ServiceHeaders;
import io.tokenvault.ports.runtime.RateLimits.Subject;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Limits the number of concurrent requests and rejects more of them immediately, so that a thread
 * is always left to send the rejection.
 *
 * <p>Liveness and readiness checks have slots of their own, 16 each, so that readiness checks that
 * wait for the database do not block liveness checks. Each caller may use only a {@linkplain
 * RequestShares share} of the slots, which is counted from its authentication until the response is
 * complete.
 */
public final class RequestLimit extends Handler.Wrapper {

  /** The number of slots for each kind of health check. */
  static final int HEALTH_CHECKS = 16;

  private static final String PLACE = RequestLimit.class.getName();

  private final Semaphore requests;
  private final Semaphore liveness = new Semaphore(HEALTH_CHECKS);
  private final Semaphore readiness = new Semaphore(HEALTH_CHECKS);
  private final RequestShares shares;
  private final ProblemMapper problems;
  private final ServiceHeaders headers;
  private final CorsHeaders cors;

  /**
   * Creates the limit.
   *
   * @param maxRequests the number of slots, not counting health checks
   * @param watch is notified of requests that exceed their caller's share
   * @param problems renders rejections
   * @param headers names the header of the trace id
   * @param cors lets browser pages read rejections
   * @param handler handles accepted requests
   */
  public RequestLimit(
      int maxRequests,
      RequestWatch watch,
      ProblemMapper problems,
      ServiceHeaders headers,
      CorsHeaders cors,
      Handler handler) {
    super(handler);
    this.requests = new Semaphore(maxRequests);
    this.shares = new RequestShares(maxRequests, watch);
    this.problems = problems;
    this.headers = headers;
    this.cors = cors;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    Semaphore places = places(request);
    if (!places.tryAcquire()) {
      turnAway(request, response, callback);
      return true;
    }
    Place place = new Place(callback, places, shares);
    request.setAttribute(PLACE, place);
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

  /**
   * Counts a request against its caller's share. Must be called after authentication and before the
   * body is read; later calls for the same request have no effect.
   *
   * @throws RefusedException if the share of the caller or its tenant is used up
   */
  public static void takeShare(Request request, Subject subject) {
    if (request.getAttribute(PLACE) instanceof Place place) {
      place.takeShare(subject);
    }
  }

  private Semaphore places(Request request) {
    return switch (String.valueOf(request.getHttpURI().getPath())) {
      case "/healthz", "/healthz/" -> liveness;
      case "/readyz", "/readyz/" -> readiness;
      default -> requests;
    };
  }

  /** Rejects a request because all slots are taken. */
  private void turnAway(Request request, Response response, Callback callback) {
    RefusedException overloaded =
        new RefusedException(
            FailureCause.OVERLOADED, "Too many requests are being worked on; try again.");
    TraceId trace = TraceId.of(request, headers);
    response.getHeaders().put(headers.traceId(), trace.value());
    cors.allow(request, response);
    ApiResponse answer =
        RouteName.isProxy(request)
            ? problems.proxyAnswer(overloaded, trace)
            : problems.answer(overloaded, trace);
    ResponseWriter.write(response, answer, callback);
  }

  /**
   * The slot of one request. It is released exactly once, when the exchange completes or nothing
   * handles it.
   */
  private static final class Place extends Callback.Nested {

    private final Semaphore places;
    private final RequestShares shares;
    private Optional<Subject> known = Optional.empty();
    private boolean left;

    Place(Callback callback, Semaphore places, RequestShares shares) {
      super(callback);
      this.places = places;
      this.shares = shares;
    }

    synchronized void takeShare(Subject subject) {
      if (known.isEmpty() && !left) {
        shares.take(subject);
        known = Optional.of(subject);
      }
    }

    synchronized void leave() {
      if (!left) {
        left = true;
        known.ifPresent(shares::release);
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
