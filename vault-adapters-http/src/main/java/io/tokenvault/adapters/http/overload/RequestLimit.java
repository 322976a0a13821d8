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
 * Turns requests away at once while as many as allowed are being worked on, so that there is always
 * a thread left to say so. Health checks have places of their own, each kind for itself: one that
 * waits for the database keeps no other from being answered. Of the places for requests each caller
 * has a {@linkplain RequestShares share} only, from when it is known until the end.
 */
public final class RequestLimit extends Handler.Wrapper {

  /** How many health checks of each kind are worked on. */
  static final int HEALTH_CHECKS = 16;

  private static final String PLACE = RequestLimit.class.getName();

  private final Semaphore requests;
  private final Semaphore liveness = new Semaphore(HEALTH_CHECKS);
  private final Semaphore readiness = new Semaphore(HEALTH_CHECKS);
  private final RequestShares shares;
  private final ProblemMapper problems;
  private final ServiceHeaders headers;
  private final CorsHeaders cors;

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
   * To be called when it is known whose a request is, before its body is read. Calling it again for
   * the same request does nothing.
   *
   * @throws RefusedException if too many of theirs are being worked on
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

  /** Is left once, when the exchange is over. */
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
