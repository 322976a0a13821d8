package io.tokenvault.engine.forward;

import io.tokenvault.ports.api.HeaderField;
import java.io.IOException;
import java.net.ProtocolException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import okhttp3.Connection;
import okhttp3.Headers;
import okhttp3.Interceptor;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;

/**
 * One request on its connection. Puts on the wire exactly what was asked for, undoing what OkHttp
 * added above, and hides from OkHttp what the answer was, so that it never follows up by itself (it
 * would repeat requests answered 408, 421 or 503, and fail those answered 407).
 */
final class Transmission {

  private static final int OK = 200;
  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;
  private static final Pattern DIGITS = Pattern.compile("[0-9]{1,18}");

  private final OutgoingRequest request;
  private final TrackedTls tls;
  private final int idleMillis;
  private volatile boolean connected;
  private volatile int status;
  private volatile List<HeaderField> headers = List.of();
  private volatile long announcedLength = -1;

  Transmission(OutgoingRequest request, TrackedTls tls, int idleMillis) {
    this.request = request;
    this.tls = tls;
    this.idleMillis = idleMillis;
  }

  /** To be run as a network interceptor, by the tag of the request. */
  static Response intercept(Interceptor.Chain chain) throws IOException {
    return chain.request().tag(Transmission.class).transmit(chain);
  }

  /** Whether there was a connection, so that a failure is the exchange's. */
  boolean connected() {
    return connected;
  }

  /** As the destination gave it. */
  int status() {
    return status;
  }

  /** As the destination gave them. */
  List<HeaderField> headers() {
    return headers;
  }

  /**
   * The length of the answer's body, where it is known; of the body that it stands for, where it
   * has none (after {@code HEAD}, and with 304).
   */
  OptionalLong announcedLength() {
    return announcedLength < 0 ? OptionalLong.empty() : OptionalLong.of(announcedLength);
  }

  private Response transmit(Interceptor.Chain chain) throws IOException {
    requireUsable(chain.connection());
    connected = true;
    Response answer = chain.proceed(exact(chain.request()));
    requireFinal(answer);
    allowPauses(chain.connection(), answer);
    status = answer.code();
    headers = fields(answer.headers());
    announcedLength = contentLength(answer);
    return answer.newBuilder().code(OK).headers(Headers.of()).build();
  }

  private void requireUsable(Connection connection) throws IOException {
    if (isHttp1(connection) && tls.isClosedByPeer(connection.socket())) {
      connection.socket().close();
      throw new StaleConnectionException();
    }
  }

  private static boolean isHttp1(Connection connection) {
    return connection.protocol() == Protocol.HTTP_1_1 || connection.protocol() == Protocol.HTTP_1_0;
  }

  private Request exact(Request bridged) {
    Headers.Builder exact = new Headers.Builder();
    for (String own : List.of("Host", "Content-Length", "Transfer-Encoding")) {
      String value = bridged.header(own);
      if (value != null) {
        exact.add(own, value);
      }
    }
    for (HeaderField field : request.headers()) {
      exact.addUnsafeNonAscii(field.name(), field.value());
    }
    return bridged
        .newBuilder()
        .method(request.method(), bridged.body())
        .headers(exact.build())
        .build();
  }

  /** Nobody asked to change protocols. */
  private static void requireFinal(Response answer) throws IOException {
    if (answer.code() < OK) {
      answer.close();
      throw new ProtocolException("an interim answer in place of a final one");
    }
  }

  /** From the first byte on the destination may pause longer, or less long, than before it. */
  private void allowPauses(Connection connection, Response answer) throws IOException {
    if (isHttp1(connection)) {
      connection.socket().setSoTimeout(idleMillis);
    }
    answer.body().source().timeout().timeout(idleMillis, TimeUnit.MILLISECONDS);
  }

  private long contentLength(Response answer) {
    boolean bodyless =
        request.method().equals("HEAD") || status == NO_CONTENT || status == NOT_MODIFIED;
    return bodyless ? announced(answer) : answer.body().contentLength();
  }

  private static long announced(Response answer) {
    String announced = answer.header("Content-Length", "");
    return DIGITS.matcher(announced).matches() ? Long.parseLong(announced) : -1;
  }

  private static List<HeaderField> fields(Headers headers) {
    List<HeaderField> fields = new ArrayList<>(headers.size());
    for (int i = 0; i < headers.size(); i++) {
      fields.add(new HeaderField(headers.name(i), headers.value(i)));
    }
    return fields;
  }
}
