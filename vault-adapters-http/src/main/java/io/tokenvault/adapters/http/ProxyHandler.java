package io.tokenvault.adapters.http;

import io.tokenvault.ports.api.HeaderField;
import io.tokenvault.ports.api.InvokeProxy;
import io.tokenvault.ports.api.ProxyAnswer;
import io.tokenvault.ports.api.ProxyCall;
import io.tokenvault.ports.api.ServiceHeaders;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;

/** Invocations of the proxy: bytes in as they came, bytes out as they come. */
final class ProxyHandler {

  static final String PATH = "/proxy";

  private static final int BUFFER_SIZE = 32 << 10;

  /** Of one record of TLS. */
  private static final int SHORT = 16 << 10;

  /** What the web server puts in the place of such bytes. */
  private static final char NOT_UTF_8 = '\ufffd';

  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;
  private static final Set<String> NEVER_FORWARDED = Set.of("CONNECT", "TRACE");
  private static final List<String> FORWARDED =
      List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

  private final InvokeProxy proxy;
  private final Problems problems;
  private final ServiceHeaders headers;
  private final AnswerHeaders passing;
  private final Cors cors;
  private final int minBodyRate;

  /**
   * @param minBodyRate see {@link Pace}
   */
  ProxyHandler(
      InvokeProxy proxy, Problems problems, ServiceHeaders headers, Cors cors, int minBodyRate) {
    this.proxy = proxy;
    this.problems = problems;
    this.headers = headers;
    this.passing = new AnswerHeaders(headers);
    this.cors = cors;
    this.minBodyRate = minBodyRate;
  }

  /** Whether the request is one of the proxy's, by its path as it came. */
  static boolean takes(Request request) {
    String path = request.getHttpURI().getPath();
    return path != null && (path.equals(PATH) || path.startsWith(PATH + "/"));
  }

  /** Answers the request, and completes the callback when that is done. */
  void handle(Request request, Response response, Callback callback) {
    WatchedCaller caller = WatchedCaller.of(request);
    ProxyAnswer answer;
    try {
      answer = invoke(request, caller);
    } catch (Throwable failure) {
      caller.end();
      AnswerWriter.write(
          response, problems.proxyAnswer(failure, TraceId.of(request, headers)), callback);
      return;
    }
    pass(answer, caller, request, response, callback);
  }

  private ProxyAnswer invoke(Request request, WatchedCaller caller) {
    if (!isForwarded(request.getMethod())) {
      throw Refusals.wrongMethod(FORWARDED);
    }
    if (isMangled(request.getHttpURI())) {
      throw Refusals.malformedTarget();
    }
    return proxy.invoke(call(request, caller));
  }

  /** Methods have a case; one that looks like a known one in another is not let through. */
  private static boolean isForwarded(String method) {
    return method.equals(method.toUpperCase(Locale.ROOT)) && !NEVER_FORWARDED.contains(method);
  }

  /** Whether something of the URL would be lost: a fragment, or bytes that are not UTF-8. */
  private static boolean isMangled(HttpURI uri) {
    return uri.getFragment() != null || uri.getPathQuery().indexOf(NOT_UTF_8) >= 0;
  }

  private ProxyCall call(Request request, WatchedCaller caller) {
    long length = request.getLength();
    return new ProxyCall(
        request.getMethod(),
        request.getHttpURI().getPath().substring(PATH.length()),
        Optional.ofNullable(request.getHttpURI().getQuery()),
        request.getHeaders().stream().map(ProxyHandler::field).toList(),
        caller.body(request, new Pace(minBodyRate)),
        length < 0 ? OptionalLong.empty() : OptionalLong.of(length),
        caller);
  }

  private static HeaderField field(HttpField field) {
    return new HeaderField(field.getName(), Optional.ofNullable(field.getValue()).orElse(""));
  }

  /** Fails the callback if either side breaks off, which breaks off the caller's answer too. */
  private void pass(
      ProxyAnswer answer,
      WatchedCaller caller,
      Request request,
      Response response,
      Callback callback) {
    try {
      pass(answer, caller, request, response);
    } catch (IOException | RuntimeException brokenOff) {
      BrokenOff.showByReset(request);
      callback.failed(brokenOff);
      return;
    }
    response.write(true, BufferUtil.EMPTY_BUFFER, callback);
  }

  private void pass(ProxyAnswer answer, WatchedCaller caller, Request request, Response response)
      throws IOException {
    // Also if the destination did not wait for the whole request.
    caller.begin();
    try (answer) {
      watched(answer, caller, request, response);
    }
  }

  /** Ends the watch before the answer: who leaves after its last byte ends nothing any more. */
  private void watched(ProxyAnswer answer, WatchedCaller caller, Request request, Response response)
      throws IOException {
    try {
      send(answer, request, response);
    } finally {
      caller.end();
    }
  }

  private void send(ProxyAnswer answer, Request request, Response response) throws IOException {
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
      if (passing.pass(field.name()) && !cors.decides(request, field.name())) {
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
    return !request.getMethod().equals("HEAD") && status != NO_CONTENT && status != NOT_MODIFIED;
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
    Pace pace = new Pace(minBodyRate);
    byte[] buffer = new byte[BUFFER_SIZE];
    int count;
    while ((count = body.read(buffer)) >= 0) {
      long start = System.nanoTime();
      Content.Sink.write(response, false, ByteBuffer.wrap(buffer, 0, count));
      pace.note(System.nanoTime() - start, count);
    }
  }
}
