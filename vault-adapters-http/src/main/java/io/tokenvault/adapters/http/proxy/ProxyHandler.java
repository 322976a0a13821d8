package io.tokenvault.adapters.http.proxy;

import io.tokenvault.adapters.http.limits.MinimumDataRate;
import io.tokenvault.adapters.http.overload.RequestLimit;
import io.tokenvault.adapters.http.resource.UnknownRoutes;
import io.tokenvault.adapters.http.response.CorsHeaders;
import io.tokenvault.adapters.http.response.ProblemMapper;
import io.tokenvault.adapters.http.response.ResponseWriter;
import io.tokenvault.adapters.http.trace.RouteName;
import io.tokenvault.adapters.http.trace.TraceContext;
import io.tokenvault.adapters.http.trace.TraceId;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.ports.api.CallerPresence;
import io.tokenvault.ports.api.InvokeProxy;
import io.tokenvault.ports.api.ProxyCall;
import io.tokenvault.ports.api.ProxyResponse;
import io.tokenvault.ports.api.ServiceHeaders;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.http.HttpVersion;
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
public final class ProxyHandler {

  /** The replacement character, which Jetty substitutes for invalid UTF-8. */
  private static final char NOT_UTF_8 = '\ufffd';

  /** Methods that concern the connection to a proxy, or that echo headers, which may be secret. */
  private static final Set<String> NEVER_FORWARDED = Set.of("CONNECT", "TRACE");

  private static final List<String> FORWARDED =
      List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

  private final InvokeProxy proxy;
  private final ProblemMapper problems;
  private final ServiceHeaders headers;
  private final ResponseStreamer passing;
  private final int minBodyRate;
  private final boolean passTraceContext;

  /**
   * Creates the handler.
   *
   * @param proxy forwards requests
   * @param problems renders failures
   * @param headers names the service's own headers
   * @param cors decides which CORS headers of destinations are dropped
   * @param minBodyRate the minimum data rate of callers, see {@link MinimumDataRate}
   * @param passTraceContext whether destinations receive the caller's trace headers
   */
  public ProxyHandler(
      InvokeProxy proxy,
      ProblemMapper problems,
      ServiceHeaders headers,
      CorsHeaders cors,
      int minBodyRate,
      boolean passTraceContext) {
    this.passTraceContext = passTraceContext;
    this.proxy = proxy;
    this.problems = problems;
    this.headers = headers;
    this.passing = new ResponseStreamer(headers, cors, minBodyRate);
    this.minBodyRate = minBodyRate;
  }

  /**
   * Handles an invocation. Completes the callback when the response has been sent, and fails it
   * when the response breaks off.
   */
  public void handle(Request request, Response response, Callback callback) {
    ProxyResponse answer;
    try {
      answer = invoke(request);
    } catch (Throwable failure) {
      ResponseWriter.write(
          response, problems.proxyAnswer(failure, TraceId.of(request, headers)), callback);
      return;
    }
    pass(answer, request, response, callback);
  }

  /** Checks the method and the URL, and forwards the request. */
  private ProxyResponse invoke(Request request) {
    if (!isForwarded(request.getMethod())) {
      throw UnknownRoutes.wrongMethod(FORWARDED);
    }
    if (isMangled(request.getHttpURI())) {
      throw UnknownRoutes.malformedTarget();
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
  private static boolean isMangled(HttpURI uri) {
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
        request.getHttpURI().getPath().substring(RouteName.PROXY.length()),
        Optional.ofNullable(request.getHttpURI().getQuery()),
        request.getHeaders().stream().filter(this::goesOn).map(ProxyHandler::field).toList(),
        MinimumDataRate.limit(Request.asInputStream(request), minBodyRate),
        length < 0 ? OptionalLong.empty() : OptionalLong.of(length),
        presence(request),
        subject -> RequestLimit.takeShare(request, subject));
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

  /** Returns whether a header is forwarded; the trace headers are optional. */
  private boolean goesOn(HttpField field) {
    return passTraceContext || !TraceContext.HEADERS.contains(field.getLowerCaseName());
  }

  private static HeaderField field(HttpField field) {
    return new HeaderField(field.getName(), Optional.ofNullable(field.getValue()).orElse(""));
  }

  /**
   * Sends the destination's response.
   *
   * <p>If the destination breaks off before anything was sent, the caller receives a problem
   * instead. If either side breaks off later, the callback fails, which aborts the response.
   */
  private void pass(ProxyResponse answer, Request request, Response response, Callback callback) {
    HttpFields own = HttpFields.build(response.getHeaders());
    try (answer) {
      passing.send(answer, request, response);
    } catch (IOException | RuntimeException brokenOff) {
      if (response.isCommitted()) {
        BrokenOff.showByReset(request);
        callback.failed(brokenOff);
      } else {
        response.reset();
        response.getHeaders().add(own);
        answerInstead(brokenOff, request, response, callback);
      }
      return;
    }
    response.write(true, BufferUtil.EMPTY_BUFFER, callback);
  }

  /** Sends a problem in place of a response that broke off before its first byte. */
  private void answerInstead(
      Exception brokenOff, Request request, Response response, Callback callback) {
    Throwable failure = brokenOff instanceof IOException broken ? refusal(broken) : brokenOff;
    ResponseWriter.write(
        response, problems.proxyAnswer(failure, TraceId.of(request, headers)), callback);
  }

  /** Returns the failure for a destination that was too slow or broke off. */
  private static RefusedException refusal(IOException broken) {
    return broken instanceof InterruptedIOException
        ? new RefusedException(
            FailureCause.ANSWER_TIMEOUT, "The destination did not go on with its answer in time.")
        : new RefusedException(
            FailureCause.DESTINATION_BROKE_OFF,
            "The destination's answer broke off before its first byte.");
  }

  /** Makes an incomplete response recognizable to the caller. */
  private static final class BrokenOff {

    private BrokenOff() {}

    /**
     * Resets the connection if the end of the connection marks the end of the body, since an
     * orderly close, including that of TLS, would make the response look complete. Must be called
     * before the connection is closed.
     */
    static void showByReset(Request request) {
      if (endsItsConnection(request.getConnectionMetaData())
          && transport(request) instanceof NetworkChannel channel) {
        reset(channel);
      }
    }

    /** Returns whether the connection closes after the response. */
    private static boolean endsItsConnection(ConnectionMetaData connection) {
      return connection.getHttpVersion() == HttpVersion.HTTP_1_0 || !connection.isPersistent();
    }

    /** Returns the transport of the connection, below TLS. */
    private static Object transport(Request request) {
      EndPoint endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
      while (endPoint instanceof EndPoint.Wrapper wrapper) {
        endPoint = wrapper.unwrap();
      }
      return endPoint.getTransport();
    }

    private static void reset(NetworkChannel channel) {
      try (channel) {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
      } catch (IOException callerIsGone) {
        // A caller that has disconnected cannot be misled.
      }
    }
  }
}
