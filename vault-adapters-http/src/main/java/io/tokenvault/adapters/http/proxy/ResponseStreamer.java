package io.tokenvault.adapters.http.proxy;

import io.tokenvault.adapters.http.limits.MinimumDataRate;
import io.tokenvault.adapters.http.response.CorsHeaders;
import io.tokenvault.domain.request.BodyRules;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.ports.api.HeaderNames;
import io.tokenvault.ports.api.ProxyResponse;
import io.tokenvault.ports.api.ServiceHeaders;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.OptionalLong;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;

/** Streams responses of destinations to callers as they arrive. */
final class ResponseStreamer {

  private static final int BUFFER_SIZE = 32 << 10;

  /** The size of one TLS record; shorter bodies are sent together with the headers. */
  private static final int SHORT = 16 << 10;

  private static final int NO_CONTENT = 204;

  private final AnswerHeaders headers;
  private final CorsHeaders cors;
  private final int minBodyRate;

  /**
   * Creates a streamer.
   *
   * @param headers names the service's own headers
   * @param cors decides which CORS headers of destinations are dropped
   * @param minBodyRate the minimum data rate of callers, see {@link MinimumDataRate}
   */
  ResponseStreamer(ServiceHeaders headers, CorsHeaders cors, int minBodyRate) {
    this.headers = new AnswerHeaders(headers);
    this.cors = cors;
    this.minBodyRate = minBodyRate;
  }

  /**
   * Sends the status, the headers and the body. The caller of this method ends the response.
   *
   * @throws IOException if either side breaks off; nothing was sent if the response is not
   *     committed then
   */
  void send(ProxyResponse answer, Request request, Response response) throws IOException {
    start(answer, request, response);
    if (hasBody(request, answer.status())) {
      copy(answer, response);
    } else {
      sendHead(response);
    }
  }

  /** Sets the status and headers of the response without sending them. */
  private void start(ProxyResponse answer, Request request, Response response) {
    response.setStatus(answer.status());
    for (HeaderField field : answer.headers()) {
      if (headers.pass(field.name()) && !cors.decides(request, field.name())) {
        response.getHeaders().add(field.name(), field.value());
      }
    }
    // RFC 9110, section 8.6: a 204 has no Content-Length, not even 0.
    if (answer.status() != NO_CONTENT) {
      answer
          .bodyLength()
          .ifPresent(length -> response.getHeaders().put(HttpHeader.CONTENT_LENGTH, length));
    }
  }

  private static boolean hasBody(Request request, int status) {
    return BodyRules.hasBody(request.getMethod(), status);
  }

  private static boolean isShort(OptionalLong length) {
    return length.isPresent() && length.getAsLong() > 0 && length.getAsLong() <= SHORT;
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
  private void copy(ProxyResponse answer, Response response) throws IOException {
    InputStream body = answer.body();
    if (!isShort(answer.bodyLength()) && body.available() == 0) {
      sendHead(response);
    }
    MinimumDataRate pace = new MinimumDataRate(minBodyRate);
    byte[] buffer = new byte[BUFFER_SIZE];
    int count;
    while ((count = body.read(buffer)) >= 0) {
      long start = System.nanoTime();
      Content.Sink.write(response, false, ByteBuffer.wrap(buffer, 0, count));
      pace.note(System.nanoTime() - start, count);
    }
  }

  /**
   * Filters the headers of a proxy's response, whether the destination or a tenant's transform set
   * them.
   */
  private static final class AnswerHeaders {

    private final ServiceHeaders own;

    AnswerHeaders(ServiceHeaders own) {
      this.own = own;
    }

    /**
     * Returns whether a header is sent to the caller. Invalid names, headers that delimit messages
     * on this connection, and names of the service's own headers are dropped, except those that the
     * proxy itself sets.
     */
    boolean pass(String name) {
      return HeaderNames.isToken(name)
          && !HeaderNames.isOfConnection(name)
          && (!own.owns(name)
              || name.equals(own.destinationStatus())
              || name.equals(own.idempotencyRepeat()));
    }
  }
}
