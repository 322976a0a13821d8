package io.tokenvault.adapters.http.response;

import io.javalin.http.Context;
import io.tokenvault.adapters.http.exchange.MinimumDataRate;
import io.tokenvault.adapters.http.exchange.TraceId;
import io.tokenvault.ports.api.ServiceHeaders;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.function.Supplier;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Sends complete responses, including those to failures, and decides what becomes of a connection
 * whose request body was not read. Every response is marked as not cacheable, since it can contain
 * sensitive data.
 */
public final class ResponseWriter {

  /** Set on every response of the vault itself, but not on those of destinations. */
  private static final Map<String, String> ALWAYS =
      Map.of("Cache-Control", "no-store", "X-Content-Type-Options", "nosniff");

  private static final int PIECE = 64 << 10;

  /** The largest unread body after which a connection is reused. */
  private static final int SMALL_BODY = 256 << 10;

  private final ProblemMapper problems;
  private final ServiceHeaders headers;
  private final int minBodyRate;

  /**
   * Creates the writer.
   *
   * @param minBodyRate the minimum data rate at which callers must receive, see {@link
   *     MinimumDataRate}
   */
  public ResponseWriter(ProblemMapper problems, ServiceHeaders headers, int minBodyRate) {
    this.problems = problems;
    this.headers = headers;
    this.minBodyRate = minBodyRate;
  }

  /**
   * Runs the action and sends its response, or the problem that it fails with.
   *
   * @throws IOException if the caller disconnects or receives too slowly
   */
  public void write(Context context, Supplier<ApiResponse> action) throws IOException {
    ApiResponse result;
    try {
      result = action.get();
    } catch (Throwable failure) {
      result = problem(context, failure);
    }
    write(context, result);
  }

  /**
   * Sends the problem for a failure.
   *
   * @throws IOException if the caller disconnects or receives too slowly
   */
  public void write(Context context, Exception failure) throws IOException {
    write(context, problem(context, failure));
  }

  private ApiResponse problem(Context context, Throwable failure) {
    return problems.response(
        failure,
        TraceId.of(ServletContextRequest.getServletContextRequest(context.req()), headers));
  }

  private void write(Context context, ApiResponse result) throws IOException {
    ServletContextRequest request = ServletContextRequest.getServletContextRequest(context.req());
    announceEnd(request, request.getServletContextResponse());
    HttpServletResponse response = context.res();
    response.setStatus(result.status());
    ALWAYS.forEach(response::setHeader);
    result.headers().forEach(response::setHeader);
    // Javalin has set a default content type.
    response.setContentType(null);
    if (result.body().isPresent()) {
      ApiResponse.Body body = result.body().get();
      response.setContentType(body.contentType());
      response.setContentLength(body.bytes().length);
      send(body.bytes(), response.getOutputStream());
    }
  }

  /**
   * Sends the bytes in pieces, so that the data rate is checked after each of them. A single piece
   * needs no check, since nothing follows it.
   */
  private void send(byte[] bytes, OutputStream out) throws IOException {
    if (bytes.length <= PIECE) {
      out.write(bytes);
      return;
    }
    MinimumDataRate rate = new MinimumDataRate(minBodyRate);
    for (int offset = 0; offset < bytes.length; offset += PIECE) {
      int count = Math.min(PIECE, bytes.length - offset);
      long start = System.nanoTime();
      out.write(bytes, offset, count);
      rate.record(System.nanoTime() - start, count);
    }
  }

  /**
   * Sends the problem for a failure from a Jetty handler, outside of Javalin's routes, with the
   * trace id of the request.
   *
   * @param callback completes when the response has been sent
   * @param isProxy whether the problem has the form of the proxy's own failures
   */
  public void reject(Response response, Callback callback, Throwable failure, boolean isProxy) {
    TraceId trace = TraceId.of(response.getRequest(), headers);
    response.getHeaders().put(headers.traceId(), trace.value());
    write(
        response,
        isProxy ? problems.proxyResponse(failure, trace) : problems.response(failure, trace),
        callback);
  }

  /**
   * Sends a response from a Jetty handler, outside of Javalin's routes.
   *
   * @param callback completes when the response has been sent
   */
  static void write(Response response, ApiResponse result, Callback callback) {
    Request request = response.getRequest();
    announceEnd(request, response);
    response.setStatus(result.status());
    response
        .getHeaders()
        .put(request.getConnectionMetaData().getConnector().getServer().getDateField());
    ALWAYS.forEach(response.getHeaders()::put);
    result.headers().forEach(response.getHeaders()::put);
    if (result.body().isEmpty()) {
      response.write(true, null, callback);
      return;
    }
    ApiResponse.Body body = result.body().get();
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, body.contentType());
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.bytes().length);
    response.write(true, ByteBuffer.wrap(body.bytes()), callback);
  }

  /**
   * Announces the end of the connection if it cannot be reused. Must be called before the response
   * is written.
   *
   * <p>The rest of an unread body would be parsed as the next request. {@code LingeringClose} reads
   * a small body after the response, so that the connection can be reused; for any other the
   * connection closes.
   */
  private static void announceEnd(Request request, Response response) {
    boolean isSmall =
        request.getLength() >= 0
            && request.getLength() <= SMALL_BODY
            && !request.getHeaders().contains(HttpHeader.EXPECT);
    if (!isSmall && !hasArrived(request)) {
      response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
    }
  }

  /**
   * Reads the part of the body that has arrived, and returns whether that was all. Jetty's own
   * method would end the body if more is expected, and {@code LingeringClose} could not continue.
   */
  private static boolean hasArrived(Request request) {
    for (int bytes = 0; bytes <= SMALL_BODY; ) {
      Content.Chunk chunk = request.read();
      if (chunk == null || Content.Chunk.isFailure(chunk)) {
        return false;
      }
      bytes += chunk.remaining();
      boolean last = chunk.isLast();
      chunk.release();
      if (last) {
        return true;
      }
    }
    return false;
  }
}
