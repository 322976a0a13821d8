package io.tokenvault.adapters.http.server;

import io.tokenvault.adapters.http.exchange.RequestObserver;
import io.tokenvault.adapters.http.response.ProblemMapper;
import io.tokenvault.adapters.http.response.RejectedRequestException;
import io.tokenvault.adapters.http.response.ResponseWriter;
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

  private final ResponseWriter writer;

  JettyErrorHandler(ResponseWriter writer) {
    this.writer = writer;
  }

  @Override
  public boolean errorPageForMethod(String method) {
    return true;
  }

  /**
   * Renders the rejection. The path of a request that could not be parsed is unknown, so its
   * connection is asked as well whether it was sent to the proxy.
   */
  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    writer.reject(
        response,
        callback,
        failure(request, response.getStatus()),
        RequestObserver.isProxy(request) || HttpConnections.lastWasForProxy(request));
    return true;
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
        : rejection(RejectedRequestException.Cause.ofStatus(status));
  }

  /** Returns a rejection. A retry soon after a stop reaches the server's replacement. */
  private static RejectedRequestException rejection(RejectedRequestException.Cause cause) {
    return new RejectedRequestException(
        cause,
        cause.title() + ".",
        cause == RejectedRequestException.Cause.STOPPING
            ? Map.of("Retry-After", ProblemMapper.SECONDS_TO_WAIT)
            : Map.of());
  }
}
