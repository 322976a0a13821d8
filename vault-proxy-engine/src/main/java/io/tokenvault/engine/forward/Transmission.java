package io.tokenvault.engine.forward;

import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.engine.forward.OutgoingRequest.OutgoingBody;
import io.tokenvault.engine.forward.egress.TrackedTlsSockets;
import io.tokenvault.engine.forward.egress.TrackedTlsSockets.TransportStream;
import io.tokenvault.engine.timeout.TimeLimit;
import io.tokenvault.ports.api.ProxyResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.Connection;
import okhttp3.EventListener;
import okhttp3.Headers;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.internal.connection.RealCall;
import okhttp3.internal.connection.RealConnection;
import okhttp3.internal.http.ExchangeCodec;
import okhttp3.internal.http.RealInterceptorChain;
import okio.BufferedSink;
import okio.BufferedSource;

/**
 * One request on its connection. It writes exactly the request that was given, undoing additions of
 * OkHttp, enforces the time limits, and hides the status of the response from OkHttp. Otherwise
 * OkHttp would repeat requests with the responses 408, 421 and 503 and fail those with 407.
 */
final class Transmission {

  private static final int OK = 200;

  private final OutgoingRequest request;
  private final TrackedTlsSockets tls;
  private final ForwardTimeouts timeouts;
  private volatile TimeLimit limit;
  private volatile boolean reachedTls;
  private volatile boolean connected;
  private volatile boolean http1;

  /** The bytes of the connection; empty for HTTP/2, where requests share it. */
  private volatile Optional<TransportStream> transport = Optional.empty();

  private volatile DestinationResponse received;

  Transmission(OutgoingRequest request, TrackedTlsSockets tls, ForwardTimeouts timeouts) {
    this.request = request;
    this.tls = tls;
    this.timeouts = timeouts;
  }

  private static int millis(Duration limit) {
    return Math.toIntExact(limit.toMillis());
  }

  /** Transmits the request; a network interceptor that finds its instance by the request's tag. */
  static Response intercept(Interceptor.Chain chain) throws IOException {
    return chain.request().tag(Transmission.class).transmit(chain);
  }

  /**
   * Executes a call within the time limits.
   *
   * @throws SocketTimeoutException if a limit was exceeded
   */
  Response execute(Call call) throws IOException {
    TimeLimit watched = TimeLimit.of(call::cancel);
    limit = watched;
    try (watched) {
      watched.start(timeouts.connect());
      return call.execute();
    } catch (IOException failed) {
      if (isExpired()) {
        throw new SocketTimeoutException();
      }
      throw transport.filter(TransportStream::isExceeded).isPresent()
          ? new ProtocolException("a head that is too large")
          : failed;
    }
  }

  /** Returns whether the call was canceled because it exceeded a time limit. */
  boolean isExpired() {
    return limit.isExceeded();
  }

  /**
   * Starts the limit for sending a part of the body. On HTTP/1.1, OkHttp's own timeout would wait
   * for the very write that it is to end, on the one thread that serves the timeouts of all calls.
   */
  void limitSending() {
    if (http1) {
      limit.start(timeouts.idle());
    }
  }

  /** Starts the limit for the response. Called when the request is sent. */
  void awaitResponse() {
    limit.start(timeouts.firstByte());
  }

  /** Returns whether a TLS handshake was begun, which can fail with any exception. */
  boolean reachedTls() {
    return reachedTls;
  }

  /** Returns whether a connection was made in time, so that a failure belongs to the exchange. */
  boolean connected() {
    return connected;
  }

  /** Returns the response as the destination sent it; {@code end} runs when it is closed. */
  ProxyResponse open(Response response, Runnable end) {
    return received.open(response, transport, end);
  }

  /**
   * Sends the request and keeps the head of the response, which is replaced by a plain 200 for
   * OkHttp.
   */
  private Response transmit(Interceptor.Chain chain) throws IOException {
    requireUsable(chain);
    Response response = exchange(chain);
    DestinationResponse head = DestinationResponse.read(response);
    // The idle limit applies to the rest of the response, in place of that for its first byte.
    if (http1) {
      chain.connection().socket().setSoTimeout(millis(timeouts.idle()));
    } else {
      response.body().source().timeout().timeout(timeouts.idle().toMillis(), TimeUnit.MILLISECONDS);
    }
    received = head;
    return response.newBuilder().code(OK).headers(Headers.of()).build();
  }

  /** Sends the request and receives the head of the response, each within its limit. */
  private Response exchange(Interceptor.Chain chain) throws IOException {
    limit.end();
    connected = true;
    http1 = isHttp1(chain.connection());
    if (http1) {
      TransportStream bytes = tls.transport(chain.connection().socket());
      bytes.expectHead();
      transport = Optional.of(bytes);
    }
    if (chain.request().body() == null) {
      awaitResponse();
    } else {
      limitSending();
    }
    Response response = proceed(chain);
    limit.end();
    return response;
  }

  private Response proceed(Interceptor.Chain chain) throws IOException {
    try {
      return chain.proceed(exact(chain.request()));
    } catch (IllegalStateException | IllegalArgumentException unexpected) {
      // OkHttp fails this way on some responses, such as one with the status -12.
      throw new ProtocolException("a response that OkHttp cannot read");
    }
  }

  /**
   * Closes a pooled connection that is no longer usable.
   *
   * @throws StaleConnectionException if nothing was written to it
   */
  private void requireUsable(Interceptor.Chain chain) throws IOException {
    Socket socket = chain.connection().socket();
    if (isHttp1(chain.connection()) && (hasUnsolicitedBytes(chain) || tls.isClosedByPeer(socket))) {
      socket.close();
      throw new StaleConnectionException();
    }
  }

  private static boolean isHttp1(Connection connection) {
    return connection.protocol() == Protocol.HTTP_1_1 || connection.protocol() == Protocol.HTTP_1_0;
  }

  /**
   * Returns the request with the method and headers that were given, and OkHttp's framing headers
   * only.
   */
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

  /**
   * Returns whether OkHttp has read bytes that a destination sent after the end of its last
   * response, which it does not report. The next request on the connection would receive them as
   * its own response, although they may belong to another tenant.
   */
  private static boolean hasUnsolicitedBytes(Interceptor.Chain chain) throws IOException {
    // A codec is the only access to the buffers. Creating one has no effect: each exchange has its
    // own.
    ExchangeCodec codec =
        ((RealConnection) chain.connection())
            .newCodec$okhttp(((RealCall) chain.call()).getClient(), (RealInterceptorChain) chain);
    // Our own limit ends writes on HTTP/1.1; that of OkHttp would take a global lock for each.
    codec.getSocket().getSink().timeout().timeout(0, TimeUnit.MILLISECONDS);
    return !((BufferedSource) codec.getSocket().getSource()).getBuffer().exhausted();
  }

  /**
   * Thrown if a connection turns out to be closed before anything of the request was written to it.
   */
  static final class StaleConnectionException extends IOException {
    private static final long serialVersionUID = 1L;
  }

  /** Notes that a TLS handshake begins, in the instance in the request's tag. */
  static final class HandshakeListener extends EventListener {

    @Override
    public void secureConnectStart(Call call) {
      call.request().tag(Transmission.class).reachedTls = true;
    }
  }

  /**
   * Streams a request's body to OkHttp and keeps the failure if the body cannot be read. An
   * instance serves one exchange.
   */
  final class CallerBody extends RequestBody {

    private static final int BUFFER_SIZE = 16 * 1024;

    private final OutgoingBody body;
    private volatile IOException failure;

    CallerBody(OutgoingBody body) {
      this.body = body;
    }

    /** Returns why the body could not be read to its end; empty if no read has failed. */
    Optional<IOException> failure() {
      return Optional.ofNullable(failure);
    }

    @Override
    public MediaType contentType() {
      return null;
    }

    @Override
    public long contentLength() {
      return body.length().orElse(-1);
    }

    /**
     * Returns true: the caller's stream cannot be read again, so that OkHttp must not repeat the
     * request.
     */
    @Override
    public boolean isOneShot() {
      return true;
    }

    /**
     * Copies the body and flushes when the caller pauses, so that the destination receives a
     * streamed body without delay.
     */
    @Override
    public void writeTo(BufferedSink sink) throws IOException {
      InputStream content = body.content();
      long length = body.length().orElse(BUFFER_SIZE);
      byte[] buffer = new byte[(int) Math.min(BUFFER_SIZE, Math.max(1, length))];
      for (int count = read(content, buffer); count >= 0; count = read(content, buffer)) {
        sink.write(buffer, 0, count);
        if (content.available() == 0) {
          sink.flush();
        }
      }
      awaitResponse();
    }

    /**
     * Reads from the caller with the time limit for sending paused: it applies to the destination
     * only.
     */
    private int read(InputStream content, byte[] buffer) throws IOException {
      limit.end();
      int count = readContent(content, buffer);
      if (count >= 0) {
        limitSending();
      }
      return count;
    }

    /** Reads from the caller and keeps a failure. */
    private int readContent(InputStream content, byte[] buffer) throws IOException {
      try {
        return content.read(buffer);
      } catch (IOException unreadable) {
        failure = unreadable;
        throw unreadable;
      }
    }
  }
}
