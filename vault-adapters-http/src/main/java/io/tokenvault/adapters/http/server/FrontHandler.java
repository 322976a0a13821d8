package io.tokenvault.adapters.http.server;

import io.tokenvault.adapters.http.exchange.RequestObserver;
import io.tokenvault.adapters.http.exchange.TraceId;
import io.tokenvault.adapters.http.response.CorsHeaders;
import io.tokenvault.adapters.http.response.RejectedRequestException;
import io.tokenvault.adapters.http.response.RejectedRequestException.Cause;
import io.tokenvault.adapters.http.response.ResponseWriter;
import io.tokenvault.ports.api.ServiceHeaders;
import io.tokenvault.ports.usecase.authorization.AuditTrail.CurrentTrace;
import java.util.Locale;
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

  private static final String OPTIONS = "OPTIONS";
  private static final String TRACE_ID = "trace_id";
  private static final String TRACEPARENT = "traceparent";

  private final Optional<ProxyHandler> proxy;
  private final CorsHeaders cors;
  private final boolean isOpenToPages;
  private final ResponseWriter writer;
  private final ServiceHeaders headers;

  /**
   * Creates the handler.
   *
   * @param proxy empty for a listener without the proxy, where its path is unknown like any other
   * @param cors adds the headers for browser pages of allowed origins
   * @param writer sends rejections
   * @param headers names the header of the trace id
   */
  FrontHandler(
      Optional<ProxyHandler> proxy,
      CorsHeaders cors,
      ResponseWriter writer,
      ServiceHeaders headers) {
    this.proxy = proxy;
    this.cors = cors;
    this.isOpenToPages = cors.isEnabled();
    this.writer = writer;
    this.headers = headers;
  }

  /**
   * Handles a request. During that time, all log lines and audit entries of the thread carry the
   * trace id; log lines also have the caller's {@code traceparent} if there is one.
   */
  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    TraceId trace = TraceId.of(request, headers);
    response.getHeaders().put(headers.traceId(), trace.value());
    MDC.put(TRACE_ID, trace.value());
    CurrentTrace.set(Optional.of(trace.value()));
    TraceId.traceparent(request).ifPresent(parent -> MDC.put(TRACEPARENT, parent));
    try {
      return dispatch(request, response, callback);
    } finally {
      CurrentTrace.clear();
      MDC.remove(TRACE_ID);
      MDC.remove(TRACEPARENT);
    }
  }

  private boolean dispatch(Request request, Response response, Callback callback) throws Exception {
    if (isFramedTwoWays(request)) {
      Response.writeError(request, response, callback, HttpStatus.BAD_REQUEST_400);
      return true;
    }
    if (request.getMethod().equals(OPTIONS) && cors.isPreflight(request)) {
      cors.respondToPreflight(request, response, callback);
      return true;
    }
    if (isOpenToPages) {
      cors.allow(request, response);
    }
    if (proxy.isPresent() && RequestObserver.isProxy(request)) {
      RequestObserver.setRoute(request, RequestObserver.PROXY_PATH);
      proxy.get().handle(request, response, callback);
      return true;
    }
    response.getHeaders().put(getServer().getDateField());
    if (isMalformed(request.getHttpURI())) {
      RejectedRequestException malformed =
          new RejectedRequestException(
              Cause.MALFORMED_REQUEST,
              "The URL's path must be percent-encoded, without . and .. and empty segments.");
      writer.reject(response, callback, malformed, false);
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

  /**
   * Rejects requests for foreign host names with status 421, on a listener that only this machine
   * can reach.
   *
   * <p>It protects against DNS rebinding: otherwise a foreign page could resolve its own name to a
   * loopback address and, in an operator's browser, read the pages that need no API key.
   */
  static final class LocalHostCheck extends Handler.Wrapper {

    /** Matches IPv4 and IPv6 addresses, which cannot be rebound. */
    private static final Pattern ADDRESS =
        Pattern.compile("[0-9.]+|\\[?[0-9a-f:.%]*:[0-9a-f:.%]*]?");

    private final String ownName;
    private final ResponseWriter writer;

    /**
     * Creates the check.
     *
     * @param ownName the host that the listener is configured with; accepted besides local names
     *     and IP addresses
     * @param handler handles accepted requests
     */
    LocalHostCheck(String ownName, ResponseWriter writer, Handler handler) {
      super(handler);
      this.ownName = ownName.toLowerCase(Locale.ROOT);
      this.writer = writer;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      if (isLocal(Request.getServerName(request))) {
        return super.handle(request, response, callback);
      }
      RejectedRequestException foreignHost =
          new RejectedRequestException(
              Cause.FOREIGN_NAME,
              "This listener accepts requests from this machine only, by the name localhost or its"
                  + " address.");
      writer.reject(response, callback, foreignHost, false);
      return true;
    }

    private boolean isLocal(String host) {
      String name = String.valueOf(host).toLowerCase(Locale.ROOT);
      return name.equals("localhost")
          || name.equals(ownName)
          || name.endsWith(".localhost")
          || ADDRESS.matcher(name).matches();
    }
  }
}
