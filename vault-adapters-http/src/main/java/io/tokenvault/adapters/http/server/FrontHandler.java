package io.tokenvault.adapters.http.server;

import io.tokenvault.adapters.http.limits.DrainState;
import io.tokenvault.adapters.http.proxy.ProxyHandler;
import io.tokenvault.adapters.http.resource.UnknownRoutes;
import io.tokenvault.adapters.http.response.CorsHeaders;
import io.tokenvault.adapters.http.response.ProblemMapper;
import io.tokenvault.adapters.http.response.ResponseWriter;
import io.tokenvault.adapters.http.trace.RouteName;
import io.tokenvault.adapters.http.trace.TraceContext;
import io.tokenvault.adapters.http.trace.TraceId;
import io.tokenvault.ports.api.ServiceHeaders;
import java.util.Optional;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.MDC;

/**
 * Handles every request before the routes: sets its trace id, rejects ambiguous requests, responds
 * to CORS preflights, and passes invocations of the proxy to {@link ProxyHandler}.
 *
 * <p>The proxy is called from here because it needs the request as it was sent; the servlet layer
 * behind this handler decodes paths and regroups headers.
 */
final class FrontHandler extends Handler.Wrapper {

  private static final Pattern DOT_SEGMENT = Pattern.compile("/\\.{1,2}(?:/|$)");

  private final Optional<ProxyHandler> proxy;
  private final CorsHeaders cors;
  private final ProblemMapper problems;
  private final ServiceHeaders headers;
  private final DrainState departure;

  /**
   * Creates the handler.
   *
   * @param proxy empty for a listener without the proxy, where its path is unknown like any other
   * @param cors adds the headers for browser pages of allowed origins
   * @param problems renders rejections
   * @param headers names the header of the trace id
   * @param departure closes connections while the server drains
   */
  FrontHandler(
      Optional<ProxyHandler> proxy,
      CorsHeaders cors,
      ProblemMapper problems,
      ServiceHeaders headers,
      DrainState departure) {
    this.proxy = proxy;
    this.cors = cors;
    this.problems = problems;
    this.headers = headers;
    this.departure = departure;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    request.addHttpStreamWrapper(departure);
    TraceId trace = TraceId.of(request, headers);
    response.getHeaders().put(headers.traceId(), trace.value());
    LogContext.begin(request, trace);
    try {
      return handle(request, response, callback, trace);
    } finally {
      LogContext.end();
    }
  }

  private boolean handle(Request request, Response response, Callback callback, TraceId trace)
      throws Exception {
    if (isFramedTwoWays(request)) {
      Response.writeError(request, response, callback, HttpStatus.BAD_REQUEST_400);
      return true;
    }
    if (cors.isPreflight(request)) {
      cors.answerPreflight(request, response, callback);
      return true;
    }
    cors.allow(request, response);
    if (proxy.isPresent() && RouteName.isProxy(request)) {
      RouteName.note(request, RouteName.PROXY);
      proxy.get().handle(request, response, callback);
      return true;
    }
    response.getHeaders().put(getServer().getDateField());
    if (isMalformed(request.getHttpURI())) {
      ResponseWriter.write(
          response, problems.answer(UnknownRoutes.malformedPath(), trace), callback);
      return true;
    }
    return super.handle(new UnchangedMethod(request), response, callback);
  }

  /**
   * Returns whether recipients could disagree about where the body ends, which allows request
   * smuggling. HTTP/1.0 has no chunked coding (RFC 9112, section 6.1), and Jetty accepts but
   * ignores codings other than chunked.
   */
  private static boolean isFramedTwoWays(Request request) {
    HttpFields fields = request.getHeaders();
    return fields.contains(HttpHeader.TRANSFER_ENCODING)
        && (request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_1_0
            || !"chunked".equalsIgnoreCase(fields.get(HttpHeader.TRANSFER_ENCODING)));
  }

  /**
   * Returns whether the path can be interpreted in more than one way. Routes decode paths, so
   * ambiguous ones are rejected.
   */
  private static boolean isMalformed(HttpURI uri) {
    String path = uri.getPath();
    return uri.hasViolations() || path == null || DOT_SEGMENT.matcher(path).find();
  }

  /**
   * Adds the trace id, and the caller's {@code traceparent} if there is one, to all log lines that
   * the thread writes while it handles the request.
   */
  private static final class LogContext {

    private static final String TRACE_ID = "trace_id";
    private static final String TRACEPARENT = "traceparent";

    private LogContext() {}

    static void begin(Request request, TraceId trace) {
      MDC.put(TRACE_ID, trace.value());
      TraceContext.of(request).ifPresent(context -> MDC.put(TRACEPARENT, context.traceparent()));
    }

    static void end() {
      MDC.remove(TRACE_ID);
      MDC.remove(TRACEPARENT);
    }
  }

  /**
   * A request without the header that makes Javalin use another method. Otherwise a GET that a
   * firewall allowed could act as a DELETE.
   */
  private static final class UnchangedMethod extends Request.Wrapper {

    private static final String OVERRIDE = "X-HTTP-Method-Override";

    private final HttpFields headers;

    UnchangedMethod(Request request) {
      super(request);
      HttpFields all = request.getHeaders();
      this.headers = all.contains(OVERRIDE) ? HttpFields.build(all).remove(OVERRIDE) : all;
    }

    @Override
    public HttpFields getHeaders() {
      return headers;
    }
  }
}
