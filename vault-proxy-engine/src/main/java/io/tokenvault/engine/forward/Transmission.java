package io.tokenvault.engine.forward;

import io.tokenvault.ports.api.HeaderField;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
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

  private static final int HIDDEN_STATUS = 200;

  private final OutgoingRequest request;
  private final int idleMillis;
  private volatile boolean connected;
  private volatile int status;
  private volatile List<HeaderField> headers = List.of();

  Transmission(OutgoingRequest request, int idleMillis) {
    this.request = request;
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

  private Response transmit(Interceptor.Chain chain) throws IOException {
    connected = true;
    Response answer = chain.proceed(exact(chain.request()));
    allowPauses(chain.connection(), answer);
    status = answer.code();
    headers = fields(answer.headers());
    return answer.newBuilder().code(HIDDEN_STATUS).headers(Headers.of()).build();
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

  /** From the first byte on the destination may pause longer, or less long, than before it. */
  private void allowPauses(Connection connection, Response answer) throws IOException {
    if (connection.protocol() == Protocol.HTTP_1_1 || connection.protocol() == Protocol.HTTP_1_0) {
      Socket socket = connection.socket();
      socket.setSoTimeout(idleMillis);
    }
    answer.body().source().timeout().timeout(idleMillis, TimeUnit.MILLISECONDS);
  }

  private static List<HeaderField> fields(Headers headers) {
    List<HeaderField> fields = new ArrayList<>(headers.size());
    for (int i = 0; i < headers.size(); i++) {
      fields.add(new HeaderField(headers.name(i), headers.value(i)));
    }
    return fields;
  }
}
