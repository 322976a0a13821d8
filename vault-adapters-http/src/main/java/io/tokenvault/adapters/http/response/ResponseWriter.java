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

/** Sends whole answers, and those to failures. */
public final class ResponseWriter {

  /** On every answer of ours, and on none that a destination gave. */
  private static final Map<String, String> ALWAYS =
      Map.of("Cache-Control", "no-store", "X-Content-Type-Options", "nosniff");

  private static final int PIECE = 64 << 10;

  private final ProblemMapper problems;
  private final ServiceHeaders headers;
  private final int minBodyRate;

  /**
   * @param minBodyRate see {@link MinimumDataRate}
   */
  public ResponseWriter(ProblemMapper problems, ServiceHeaders headers, int minBodyRate) {
    this.minBodyRate = minBodyRate;
    this.problems = problems;
    this.headers = headers;
  }

  /** Sends what the action gives, or the problem that it fails with. */
  public void write(Context context, Supplier<ApiResponse> action) throws IOException {
    write(context, answer(context, action));
  }

  /** Sends the problem that a failure amounts to. */
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
    // Javalin has set a type of its own.
    response.setContentType(null);
    if (answer.body().isPresent()) {
      ApiResponse.Body body = answer.body().get();
      response.setContentType(body.contentType());
      response.setContentLength(body.bytes().length);
      send(body.bytes(), response.getOutputStream());
    }
  }

  /** In pieces, so that a caller who takes them too slowly is noticed. */
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

  /** Sends an answer past the servlets. */
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
   * What becomes of a connection whose request is answered before its body was read. The body would
   * be taken for the next request: {@link LingeringClose} reads a small one after the answer, so
   * that the connection can go on, and for all others the answer says that the connection ends.
   */
  private static final class UnreadBody {

    private static final int SMALL = 256 << 10;

    private UnreadBody() {}

    /** To be called before the answer is written. */
    static void settle(Request request, Response response) {
      if (!isSmall(request) && !isHereToItsEnd(request)) {
        response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
      }
    }

    /**
     * Reads what has come already. Jetty's own way of doing so ends the body where more is under
     * way, and {@link LingeringClose} could not read on.
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

    /** Whether it is announced as small, and is under way without being asked for. */
    private static boolean isSmall(Request request) {
      return request.getLength() >= 0
          && request.getLength() <= SMALL
          && !request.getHeaders().contains(HttpHeader.EXPECT);
    }
  }
}
