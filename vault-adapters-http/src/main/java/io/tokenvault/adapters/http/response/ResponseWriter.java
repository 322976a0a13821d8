package io.tokenvault.adapters.http.response;

import io.javalin.http.Context;
import io.tokenvault.adapters.http.limits.LingeringClose;
import io.tokenvault.adapters.http.limits.MinimumDataRate;
import io.tokenvault.adapters.http.trace.TraceId;
import io.tokenvault.ports.api.ServiceHeaders;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.function.Supplier;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Sends complete responses, including those to failures. Every response is marked as not cacheable,
 * since it can contain sensitive data.
 */
public final class ResponseWriter {

  /** Set on every response of the vault itself, but not on those of destinations. */
  private static final Map<String, String> ALWAYS =
      Map.of("Cache-Control", "no-store", "X-Content-Type-Options", "nosniff");

  private static final int PIECE = 64 << 10;

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
    this.minBodyRate = minBodyRate;
    this.problems = problems;
    this.headers = headers;
  }

  /**
   * Runs the action and sends its response, or the problem that it fails with.
   *
   * @throws IOException if the caller disconnects or receives too slowly
   */
  public void write(Context context, Supplier<ApiResponse> action) throws IOException {
    write(context, answer(context, action));
  }

  /**
   * Sends the problem for a failure.
   *
   * @throws IOException if the caller disconnects or receives too slowly
   */
  public void refuse(Context context, Throwable failure) throws IOException {
    write(context, problems.answer(failure, trace(context)));
  }

  private ApiResponse answer(Context context, Supplier<ApiResponse> action) {
    try {
      return action.get();
    } catch (Throwable failure) {
      return problems.answer(failure, trace(context));
    }
  }

  private TraceId trace(Context context) {
    return TraceId.of(ServletContextRequest.getServletContextRequest(context.req()), headers);
  }

  private void write(Context context, ApiResponse answer) throws IOException {
    ServletContextRequest request = ServletContextRequest.getServletContextRequest(context.req());
    UnreadBody.settle(request, request.getServletContextResponse());
    HttpServletResponse response = context.res();
    response.setStatus(answer.status());
    ALWAYS.forEach(response::setHeader);
    answer.headers().forEach(response::setHeader);
    // Javalin has set a default content type.
    response.setContentType(null);
    if (answer.body().isPresent()) {
      ApiResponse.Body body = answer.body().get();
      response.setContentType(body.contentType());
      response.setContentLength(body.bytes().length);
      send(body.bytes(), response.getOutputStream());
    }
  }

  /** Sends the bytes in pieces, so that the data rate is checked after each of them. */
  private void send(byte[] bytes, OutputStream out) throws IOException {
    MinimumDataRate pace = new MinimumDataRate(minBodyRate);
    for (int offset = 0; offset < bytes.length; offset += PIECE) {
      int count = Math.min(PIECE, bytes.length - offset);
      long start = System.nanoTime();
      out.write(bytes, offset, count);
      pace.note(System.nanoTime() - start, count);
    }
  }

  private static HttpField date(Request request) {
    return request.getConnectionMetaData().getConnector().getServer().getDateField();
  }

  /**
   * Sends a response from a Jetty handler, outside of Javalin's routes.
   *
   * @param callback completes when the response has been sent
   */
  public static void write(Response response, ApiResponse answer, Callback callback) {
    UnreadBody.settle(response.getRequest(), response);
    response.setStatus(answer.status());
    response.getHeaders().put(date(response.getRequest()));
    ALWAYS.forEach(response.getHeaders()::put);
    answer.headers().forEach(response.getHeaders()::put);
    if (answer.body().isEmpty()) {
      response.write(true, null, callback);
      return;
    }
    ApiResponse.Body body = answer.body().get();
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, body.contentType());
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.bytes().length);
    response.write(true, ByteBuffer.wrap(body.bytes()), callback);
  }

  /**
   * Decides whether a connection can be reused after a response to a request whose body was not
   * read.
   *
   * <p>The rest of the body would be parsed as the next request. {@link LingeringClose} reads a
   * small body after the response, so that the connection can be reused; for any other the response
   * announces that the connection closes.
   */
  private static final class UnreadBody {

    private static final int SMALL = 256 << 10;

    private UnreadBody() {}

    /**
     * Announces the end of the connection if it cannot be reused. Must be called before the
     * response is written.
     */
    static void settle(Request request, Response response) {
      if (!isSmall(request) && !isHereToItsEnd(request)) {
        response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
      }
    }

    /**
     * Reads the part of the body that has arrived, and returns whether that was all. Jetty's own
     * method would end the body if more is expected, and {@link LingeringClose} could not continue.
     */
    private static boolean isHereToItsEnd(Request request) {
      for (int bytes = 0; bytes <= SMALL; ) {
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

    /** Returns whether the announced body is small and is sent without waiting for 100 Continue. */
    private static boolean isSmall(Request request) {
      return request.getLength() >= 0
          && request.getLength() <= SMALL
          && !request.getHeaders().contains(HttpHeader.EXPECT);
    }
  }
}
