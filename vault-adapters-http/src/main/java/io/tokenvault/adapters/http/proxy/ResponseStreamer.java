package io.tokenvault.adapters.http.proxy;

import io.tokenvault.adapters.http.limits.MinimumDataRate;
import io.tokenvault.adapters.http.response.CorsHeaders;
import io.tokenvault.domain.request.BodyRules;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.ports.api.ConnectionHeaders;
import io.tokenvault.ports.api.HeaderNames;
import io.tokenvault.ports.api.ProxyAnswer;
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

/** Passes answers of destinations on as they arrive. */
final class ResponseStreamer {

  private static final int BUFFER_SIZE = 32 << 10;

  /** Of one record of TLS. */
  private static final int SHORT = 16 << 10;

  private static final int NO_CONTENT = 204;

  private final AnswerHeaders headers;
  private final CorsHeaders cors;
  private final int minBodyRate;

  /**
   * @param minBodyRate see {@link MinimumDataRate}
   */
  ResponseStreamer(ServiceHeaders headers, CorsHeaders cors, int minBodyRate) {
    this.headers = new AnswerHeaders(headers);
    this.cors = cors;
    this.minBodyRate = minBodyRate;
  }

  /**
   * All of it but the end, which the caller completes.
   *
   * @throws IOException if either side breaks off; nothing was sent if the response is not
   *     committed then
   */
  void send(ProxyAnswer answer, Request request, Response response) throws IOException {
    start(answer, request, response);
    if (hasBody(request, answer.status())) {
      copy(answer, response);
    } else {
      sendHead(response);
    }
  }

  private void start(ProxyAnswer answer, Request request, Response response) {
    response.setStatus(answer.status());
    for (HeaderField field : answer.headers()) {
      if (headers.pass(field.name()) && !cors.decides(request, field.name())) {
        response.getHeaders().add(field.name(), field.value());
      }
    }
    // RFC 9110, section 8.6: no length with this one, not even 0.
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

  /** Before the end is known; with it, Jetty would announce a length of 0 that nobody gave. */
  private static void sendHead(Response response) throws IOException {
    Content.Sink.write(response, false, BufferUtil.EMPTY_BUFFER);
  }

  /**
   * What has arrived is sent at once, the headers alone if nothing else has. A short body comes
   * together with its headers, and so they leave together; one of a length that nobody knows may be
   * a stream of events, whose first can be a long time off.
   */
  private void copy(ProxyAnswer answer, Response response) throws IOException {
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
   * Which headers of a proxy's answer go to the caller, whoever gave them, be it a tenant's
   * transform: none that says where this connection's messages end, and none that looks like ours.
   */
  private static final class AnswerHeaders {

    private final ServiceHeaders own;

    AnswerHeaders(ServiceHeaders own) {
      this.own = own;
    }

    boolean pass(String name) {
      return HeaderNames.isToken(name)
          && !ConnectionHeaders.include(name)
          && (!own.owns(name)
              || name.equals(own.destinationStatus())
              || name.equals(own.idempotencyRepeat()));
    }
  }
}
