package io.tokenvault.adapters.http.server;

import io.tokenvault.adapters.http.exchange.MinimumDataRate;
import io.tokenvault.adapters.http.exchange.RequestObserver;
import io.tokenvault.adapters.http.exchange.TraceId;
import io.tokenvault.adapters.http.request.RequestLimit;
import io.tokenvault.adapters.http.response.CorsHeaders;
import io.tokenvault.adapters.http.response.RejectedRequestException;
import io.tokenvault.adapters.http.response.ResponseWriter;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.request.BodyRules;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.ports.api.CallerPresence;
import io.tokenvault.ports.api.InvokeProxy;
import io.tokenvault.ports.api.ProxyCall;
import io.tokenvault.ports.api.ProxyResponse;
import io.tokenvault.ports.api.ServiceHeaders;
import io.tokenvault.ports.runtime.RateLimits.Subject;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.NetworkChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;

/**
 * Handles invocations of the proxy: passes the request to {@link InvokeProxy} as it was sent, and
 * streams the response as it arrives.
 *
 * <p>Failures of the proxy itself are rendered as problems as long as nothing has been sent; later
 * ones break off the response. Thread-safe.
 */
final class ProxyHandler {

  /** The replacement character, which Jetty substitutes for invalid UTF-8. */
  private static final char NOT_UTF_8 = '\ufffd';

  /** Methods that concern the connection to a proxy, or that echo headers, which may be secret. */
  private static final Set<String> NEVER_FORWARDED = Set.of("CONNECT", "TRACE");

  private static final List<String> FORWARDED =
      List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

  private static final int BUFFER_SIZE = 32 << 10;

  /** The size of one TLS record; shorter bodies are sent together with the headers. */
  private static final int SHORT_BODY = 16 << 10;

  private static final int NO_CONTENT = 204;

  private final InvokeProxy proxy;
  private final ResponseWriter writer;
  private final ServiceHeaders headers;
  private final CorsHeaders cors;
  private final int minBodyRate;
  private final boolean passTraceContext;

  /**
   * Creates the handler.
   *
   * @param proxy forwards requests
   * @param writer sends failures
   * @param headers names the service's own headers
   * @param cors decides which CORS headers of destinations are dropped
   * @param minBodyRate the minimum data rate of callers, see {@link MinimumDataRate}
   * @param passTraceContext whether destinations receive the caller's trace headers
   */
  ProxyHandler(
      InvokeProxy proxy,
      ResponseWriter writer,
      ServiceHeaders headers,
      CorsHeaders cors,
      int minBodyRate,
      boolean passTraceContext) {
    this.proxy = proxy;
    this.writer = writer;
    this.headers = headers;
    this.cors = cors;
    this.minBodyRate = minBodyRate;
    this.passTraceContext = passTraceContext;
  }

  /**
   * Handles an invocation. Completes the callback when the response has been sent, and fails it
   * when the response breaks off.
   */
  void handle(Request request, Response response, Callback callback) {
    ProxyResponse result;
    try {
      result = invoke(request);
    } catch (Throwable failure) {
      writer.reject(response, callback, failure, true);
      return;
    }
    pass(result, request, response, callback);
  }

  /** Checks the method and the URL, and forwards the request. */
  private ProxyResponse invoke(Request request) {
    if (!isForwarded(request.getMethod())) {
      throw RejectedRequestException.wrongMethod(FORWARDED);
    }
    if (isMalformed(request.getHttpURI())) {
      throw new RejectedRequestException(
          RejectedRequestException.Cause.MALFORMED_REQUEST,
          "The URL must be ASCII or UTF-8, and cannot have a fragment.");
    }
    return proxy.invoke(call(request));
  }

  /**
   * Returns whether a method is forwarded. Methods are case-sensitive; those with lower-case
   * letters are rejected, since they may be mistaken for standard ones.
   */
  private static boolean isForwarded(String method) {
    return method.equals(method.toUpperCase(Locale.ROOT)) && !NEVER_FORWARDED.contains(method);
  }

  /**
   * Returns whether the URL cannot be forwarded unchanged: it has a fragment, or bytes that are not
   * UTF-8.
   */
  private static boolean isMalformed(HttpURI uri) {
    return uri.getFragment() != null || uri.getPathQuery().indexOf(NOT_UTF_8) >= 0;
  }

  /**
   * Returns the request in the form of the port, with its path below {@code /proxy} and its body
   * unread.
   */
  private ProxyCall call(Request request) {
    long length = request.getLength();
    return new ProxyCall(
        request.getMethod(),
        request.getHttpURI().getPath().substring(RequestObserver.PROXY_PATH.length()),
        Optional.ofNullable(request.getHttpURI().getQuery()),
        forwarded(request.getHeaders()),
        MinimumDataRate.limit(Request.asInputStream(request), minBodyRate),
        length < 0 ? OptionalLong.empty() : OptionalLong.of(length),
        presence(request),
        subject -> admit(request, subject));
  }

  private static void admit(Request request, Subject subject) {
    RequestObserver.setCaller(request, subject);
    RequestLimit.takeShare(request, subject);
  }

  /**
   * Returns a presence that ends when Jetty reports a failure of the connection or, with HTTP/2, of
   * the stream.
   *
   * <p>Over HTTP/1.1, a caller that disconnects while nothing is read or written is not noticed;
   * the time limits of the exchange with the destination end it then. They also replace the idle
   * timeout of the connection, which is silent while the destination works.
   */
  private static CallerPresence presence(Request request) {
    CompletableFuture<Void> gone = new CompletableFuture<>();
    request.addIdleTimeoutListener(timeout -> false);
    request.addFailureListener(failure -> gone.complete(null));
    return action -> {
      var unused = gone.thenRun(action);
    };
  }

  /** Returns the headers that are forwarded; the trace headers are optional. */
  private List<HeaderField> forwarded(HttpFields fields) {
    List<HeaderField> forwarded = new ArrayList<>(fields.size());
    for (HttpField field : fields) {
      if (passTraceContext || !TraceId.TRACE_HEADERS.contains(field.getLowerCaseName())) {
        String value = field.getValue();
        forwarded.add(new HeaderField(field.getName(), value == null ? "" : value));
      }
    }
    return forwarded;
  }

  /**
   * Sends the destination's response.
   *
   * <p>If the destination breaks off before anything was sent, the caller receives a problem
   * instead. If either side breaks off later, the callback fails, which aborts the response.
   */
  private void pass(ProxyResponse result, Request request, Response response, Callback callback) {
    HttpFields own = HttpFields.build(response.getHeaders());
    try (result) {
      start(result, request, response);
      if (BodyRules.hasBody(request.getMethod(), result.status())) {
        copy(result, response);
      } else {
        sendHead(response);
      }
    } catch (IOException | RuntimeException brokenOff) {
      if (response.isCommitted()) {
        resetIfAmbiguous(request);
        callback.failed(brokenOff);
      } else {
        response.reset();
        response.getHeaders().add(own);
        writer.reject(
            response,
            callback,
            brokenOff instanceof IOException broken ? refusal(broken) : brokenOff,
            true);
      }
      return;
    }
    response.write(true, BufferUtil.EMPTY_BUFFER, callback);
  }

  /** Sets the status and headers of the response without sending them. */
  private void start(ProxyResponse result, Request request, Response response) {
    response.setStatus(result.status());
    for (HeaderField field : result.headers()) {
      if (isReturned(field) && !cors.decides(request, field.name())) {
        response.getHeaders().add(field.name(), field.value());
      }
    }
    // RFC 9110, section 8.6: a 204 has no Content-Length, not even 0.
    if (result.status() != NO_CONTENT) {
      result
          .bodyLength()
          .ifPresent(length -> response.getHeaders().put(HttpHeader.CONTENT_LENGTH, length));
    }
  }

  /**
   * Returns whether a header is sent to the caller, whether the destination or a tenant's transform
   * set it. Invalid names, headers that delimit messages on this connection, and names of the
   * service's own headers are dropped, except those that the proxy itself sets.
   */
  private boolean isReturned(HeaderField field) {
    return field.isNamedByToken()
        && !field.isOfConnection()
        && (!headers.owns(field.name())
            || field.name().equals(headers.destinationStatus())
            || field.name().equals(headers.idempotencyRepeat()));
  }

  /**
   * Sends the headers only. They are not marked as the last content, for which Jetty would add a
   * Content-Length of 0 that the destination did not send.
   */
  private static void sendHead(Response response) throws IOException {
    Content.Sink.write(response, false, BufferUtil.EMPTY_BUFFER);
  }

  /**
   * Copies the body, sending whatever has arrived immediately.
   *
   * <p>The headers of a short body are sent together with it. Those of a longer one are sent alone
   * if no content has arrived yet: a body of unknown length may be an event stream whose first
   * event takes a long time.
   */
  private void copy(ProxyResponse result, Response response) throws IOException {
    InputStream body = result.body();
    long length = result.bodyLength().orElse(0);
    boolean isShort = length > 0 && length <= SHORT_BODY;
    if (!isShort && body.available() == 0) {
      sendHead(response);
    }
    MinimumDataRate rate = new MinimumDataRate(minBodyRate);
    byte[] buffer = new byte[isShort ? (int) length : BUFFER_SIZE];
    int count;
    while ((count = body.read(buffer)) >= 0) {
      long start = System.nanoTime();
      Content.Sink.write(response, false, ByteBuffer.wrap(buffer, 0, count));
      rate.record(System.nanoTime() - start, count);
    }
  }

  /** Returns the failure for a destination that was too slow or ended its response early. */
  private static RefusedException refusal(IOException broken) {
    return broken instanceof InterruptedIOException
        ? new RefusedException(
            FailureCause.ANSWER_TIMEOUT, "The destination stopped sending its response.")
        : new RefusedException(
            FailureCause.DESTINATION_BROKE_OFF,
            "The destination's response ended before its first byte.");
  }

  /**
   * Resets the connection of an incomplete response if the end of the connection marks the end of
   * the body, since an orderly close, including that of TLS, would make the response look complete.
   * Must be called before the connection is closed.
   */
  private static void resetIfAmbiguous(Request request) {
    ConnectionMetaData connection = request.getConnectionMetaData();
    boolean endsWithBody =
        connection.getHttpVersion() == HttpVersion.HTTP_1_0 || !connection.isPersistent();
    if (endsWithBody && transport(connection) instanceof NetworkChannel channel) {
      try (channel) {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
      } catch (IOException callerIsGone) {
        // A caller that has disconnected cannot be misled.
      }
    }
  }

  /** Returns the transport of the connection, below TLS. */
  private static Object transport(ConnectionMetaData connection) {
    EndPoint endPoint = connection.getConnection().getEndPoint();
    while (endPoint instanceof EndPoint.Wrapper wrapper) {
      endPoint = wrapper.unwrap();
    }
    return endPoint.getTransport();
  }
}
