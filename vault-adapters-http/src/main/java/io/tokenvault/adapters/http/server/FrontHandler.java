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
 * What happens to every request first: it gets its trace id, browsers' questions are answered, and
 * invocations of the proxy are taken out as they came on the wire. The servlets behind it would
 * decode paths and regroup headers.
 */
final class FrontHandler extends Handler.Wrapper {

  private static final Pattern DOT_SEGMENT = Pattern.compile("/\\.{1,2}(?:/|$)");

  private final Optional<ProxyHandler> proxy;
  private final CorsHeaders cors;
  private final ProblemMapper problems;
  private final ServiceHeaders headers;
  private final DrainState departure;

  /**
   * @param proxy empty: invocations are paths like all others
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
   * HTTP/1.0 has no chunks, so that its other readers may see another end (RFC 9112, 6.1). Other
   * codings than chunks, which Jetty lets through, would be forgotten on the way.
   */
  private static boolean isFramedTwoWays(Request request) {
    HttpFields fields = request.getHeaders();
    return fields.contains(HttpHeader.TRANSFER_ENCODING)
        && (request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_1_0
            || !"chunked".equalsIgnoreCase(fields.get(HttpHeader.TRANSFER_ENCODING)));
  }

  /** The routes decode paths, so nothing may be in one that can be read in two ways. */
  private static boolean isMalformed(HttpURI uri) {
    String path = uri.getPath();
    return uri.hasViolations() || path == null || DOT_SEGMENT.matcher(path).find();
  }

  /** Names the request in all lines of the log that its thread writes until the end. */
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
   * A request without the header by which Javalin would take it for one of another method, so that
   * a GET that something let through as harmless cannot delete.
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
