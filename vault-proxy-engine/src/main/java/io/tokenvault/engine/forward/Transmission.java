package io.tokenvault.engine.forward;

import io.tokenvault.domain.request.HeaderField;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import okhttp3.Call;
import okhttp3.Connection;
import okhttp3.Headers;
import okhttp3.Interceptor;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.internal.connection.RealCall;
import okhttp3.internal.connection.RealConnection;
import okhttp3.internal.http.RealInterceptorChain;
import okio.AsyncTimeout;
import okio.BufferedSource;
import okio.Source;

/**
 * One request on its connection. Puts on the wire exactly what was asked for, undoing what OkHttp
 * added above, and hides from OkHttp what the answer was, so that it never follows up by itself (it
 * would repeat requests answered 408, 421 or 503, and fail those answered 407).
 */
final class Transmission {

  private static final int OK = 200;

  /** In milliseconds: on HTTP/1.1 the limit here ends a write before OkHttp's timeout. */
  private static final int AFTER_OWN_LIMIT = 1000;

  private final OutgoingRequest request;
  private final TrackedTlsSockets tls;
  private final ForwardTimeouts timeouts;
  private volatile Call call;
  private volatile CallLimit connecting;
  private volatile CallLimit sending;
  private volatile CallLimit answering;
  private volatile boolean connected;
  private volatile boolean http1;
  private volatile int status;
  private volatile List<HeaderField> headers = List.of();
  private volatile long announcedLength = -1;
  private volatile boolean bodied;

  Transmission(OutgoingRequest request, TrackedTlsSockets tls, ForwardTimeouts timeouts) {
    this.request = request;
    this.tls = tls;
    this.timeouts = timeouts;
  }

  /**
   * To be run as an interceptor, by the tag of the request. Of OkHttp's own timeouts only that of
   * writing is needed, for streams of HTTP/2, which it ends without an end to their answers.
   */
  static Response limit(Interceptor.Chain chain) throws IOException {
    ForwardTimeouts timeouts = chain.request().tag(Transmission.class).timeouts;
    return chain
        .withConnectTimeout(timeouts.connectMillis(), TimeUnit.MILLISECONDS)
        .withWriteTimeout(timeouts.idleMillis() + AFTER_OWN_LIMIT, TimeUnit.MILLISECONDS)
        .proceed(chain.request());
  }

  /** To be run as a network interceptor, by the tag of the request. */
  static Response intercept(Interceptor.Chain chain) throws IOException {
    return chain.request().tag(Transmission.class).transmit(chain);
  }

  Response execute(Call newCall) throws IOException {
    call = newCall;
    connecting = CallLimit.start(call, timeouts.connectMillis());
    try {
      return call.execute();
    } catch (IOException failed) {
      throw isExpired() ? new SocketTimeoutException() : failed;
    } finally {
      started().forEach(CallLimit::exit);
    }
  }

  /** Whether the call was ended because it took too long. */
  boolean isExpired() {
    return started().anyMatch(CallLimit::isExpired);
  }

  private Stream<CallLimit> started() {
    return Stream.of(
            Optional.ofNullable(connecting),
            Optional.ofNullable(sending),
            Optional.ofNullable(answering))
        .flatMap(Optional::stream);
  }

  /**
   * To be called before a part of the request is sent: the destination has to take it in time. On
   * HTTP/1.1 a timeout of OkHttp's own would wait, on the one thread that ends everybody's
   * timeouts, for the very write that it is to end.
   */
  void goOnSending() {
    if (http1) {
      sending = CallLimit.start(call, timeouts.idleMillis());
    }
  }

  /**
   * To be called when that part is out.
   *
   * @throws SocketTimeoutException if that came too late
   */
  void pauseSending() throws SocketTimeoutException {
    if (http1 && sending.exit()) {
      throw new SocketTimeoutException();
    }
  }

  /** To be called when the request is out. */
  void awaitAnswer() {
    answering = CallLimit.start(call, timeouts.firstByteMillis());
  }

  /** Whether there was a connection in time, so that a failure is the exchange's. */
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

  /**
   * Returns the body of the response, if only an empty one.
   *
   * @param end is run when it is closed
   */
  DestinationResponseBody body(Response response, Runnable end) {
    return bodied
        ? DestinationResponseBody.of(response, announcedLength(), end)
        : DestinationResponseBody.none(response, end);
  }

  private Response transmit(Interceptor.Chain chain) throws IOException {
    requireUsable(chain);
    Response answer = exchange(chain);
    ResponseHeadCheck.requireSound(answer);
    allowPauses(chain.connection(), answer);
    status = answer.code();
    headers = fields(answer.headers());
    announcedLength = contentLength(answer);
    bodied = ResponseHeadCheck.hasBody(answer);
    return answer.newBuilder().code(OK).headers(Headers.of()).build();
  }

  private Response exchange(Interceptor.Chain chain) throws IOException {
    if (connecting.exit()) {
      throw new SocketTimeoutException();
    }
    connected = true;
    http1 = isHttp1(chain.connection());
    if (chain.request().body() == null) {
      awaitAnswer();
    } else {
      goOnSending();
    }
    Response answer = proceed(chain);
    if (answering != null && answering.exit()) {
      throw new SocketTimeoutException();
    }
    return answer;
  }

  private Response proceed(Interceptor.Chain chain) throws IOException {
    try {
      return chain.proceed(exact(chain.request()));
    } catch (IllegalStateException | IllegalArgumentException unexpected) {
      // What OkHttp makes of some answers, such as one with the status -12.
      throw new ProtocolException("an answer that OkHttp cannot read");
    }
  }

  private void requireUsable(Interceptor.Chain chain) throws IOException {
    Socket socket = chain.connection().socket();
    if (isHttp1(chain.connection()) && (Surplus.isReadOn(chain) || tls.isClosedByPeer(socket))) {
      socket.close();
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

  /** From the first byte on the destination may pause longer, or less long, than before it. */
  private void allowPauses(Connection connection, Response answer) throws IOException {
    if (isHttp1(connection)) {
      connection.socket().setSoTimeout(timeouts.idleMillis());
      return;
    }
    answer.body().source().timeout().timeout(timeouts.idleMillis(), TimeUnit.MILLISECONDS);
  }

  private static long contentLength(Response answer) {
    return ResponseHeadCheck.hasBody(answer)
        ? answer.body().contentLength()
        : ResponseHeadCheck.announcedLength(answer);
  }

  private static List<HeaderField> fields(Headers headers) {
    List<HeaderField> fields = new ArrayList<>(headers.size());
    for (int i = 0; i < headers.size(); i++) {
      fields.add(new HeaderField(headers.name(i), headers.value(i)));
    }
    return fields;
  }

  /** Cancels a call unless {@link #exit} comes in time. Started once. */
  private static final class CallLimit extends AsyncTimeout {

    private final Call call;
    private volatile boolean expired;

    private CallLimit(Call call) {
      this.call = call;
    }

    static CallLimit start(Call call, int millis) {
      CallLimit limit = new CallLimit(call);
      limit.timeout(millis, TimeUnit.MILLISECONDS);
      limit.enter();
      return limit;
    }

    /** Whether it was this limit that ended the call. */
    boolean isExpired() {
      return expired;
    }

    @Override
    protected void timedOut() {
      expired = true;
      call.cancel();
    }
  }

  /**
   * Bytes that a destination sent past the end of its last answer. The next request on the
   * connection would take them for its own answer, which may be another tenant's.
   */
  private static final class Surplus {

    private Surplus() {}

    /** Whether OkHttp has read some already, of which it tells nobody. */
    static boolean isReadOn(Interceptor.Chain chain) throws IOException {
      // The only way to its buffer; to make a codec changes nothing, each exchange has its own.
      Source source =
          ((RealConnection) chain.connection())
              .newCodec$okhttp(((RealCall) chain.call()).getClient(), (RealInterceptorChain) chain)
              .getSocket()
              .getSource();
      return !((BufferedSource) source).getBuffer().exhausted();
    }
  }

  /** A connection turned out to be closed before anything of the request was written to it. */
  static final class StaleConnectionException extends IOException {
    private static final long serialVersionUID = 1L;
  }
}
