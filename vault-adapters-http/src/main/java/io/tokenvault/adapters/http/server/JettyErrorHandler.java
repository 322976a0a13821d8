package io.tokenvault.adapters.http.server;

import io.tokenvault.adapters.http.response.ApiResponse;
import io.tokenvault.adapters.http.response.ProblemMapper;
import io.tokenvault.adapters.http.response.RejectedRequestException;
import io.tokenvault.adapters.http.response.RejectionCause;
import io.tokenvault.adapters.http.response.ResponseWriter;
import io.tokenvault.adapters.http.trace.RouteName;
import io.tokenvault.adapters.http.trace.TraceId;
import io.tokenvault.ports.api.ServiceHeaders;
import java.util.Map;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/**
 * Renders requests that Jetty rejects, such as unparseable ones, as problems like those of the
 * routes.
 */
final class JettyErrorHandler extends ErrorHandler {

  private static final int FIRST_SERVER_ERROR = 500;

  private final ProblemMapper problems;
  private final ServiceHeaders headers;

  JettyErrorHandler(ProblemMapper problems, ServiceHeaders headers) {
    this.problems = problems;
    this.headers = headers;
  }

  @Override
  public boolean errorPageForMethod(String method) {
    return true;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    TraceId trace = TraceId.of(request, headers);
    response.getHeaders().put(headers.traceId(), trace.value());
    Throwable failure = failure(request, response.getStatus());
    ApiResponse answer =
        isForProxy(request)
            ? problems.proxyAnswer(failure, trace)
            : problems.answer(failure, trace);
    ResponseWriter.write(response, answer, callback);
    return true;
  }

  /**
   * Returns whether the request was sent to the proxy. The path of a request that could not be
   * parsed is unknown, so its connection is consulted as well.
   */
  private static boolean isForProxy(Request request) {
    return RouteName.isProxy(request) || HttpConnections.lastWasForProxy(request);
  }

  /**
   * Returns the failure to render: the exception behind an internal error, which is logged, or a
   * rejection for the status.
   */
  private static Throwable failure(Request request, int status) {
    Object cause = request.getAttribute(ERROR_EXCEPTION);
    return status >= FIRST_SERVER_ERROR
            && cause instanceof Throwable fault
            && !(fault instanceof HttpException)
        ? fault
        : refusal(RejectionCause.ofStatus(status));
  }

  /**
   * Returns the headers of a rejection. A retry soon after a stop reaches the server's replacement
   * or another node.
   */
  private static Map<String, String> headers(RejectionCause failure) {
    return failure == RejectionCause.STOPPING
        ? Map.of("Retry-After", ProblemMapper.SECONDS_TO_WAIT)
        : Map.of();
  }

  private static RejectedRequestException refusal(RejectionCause failure) {
    return new RejectedRequestException(failure, failure.title() + ".", headers(failure));
  }
}
