package io.tokenvault.adapters.http;

import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.ports.api.InvokeProxy;
import io.tokenvault.ports.api.ProxyCall;
import io.tokenvault.ports.api.ProxyResponse;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A stub of the proxy engine that records calls and returns configured responses. */
public final class RecordingProxy implements InvokeProxy {

  private static final int TIMEOUT_SECONDS = 20;

  private final BlockingQueue<ProxyCall> calls = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> closings = new LinkedBlockingQueue<>();
  private volatile InvokeProxy behavior = call -> response(200, "ok");

  @Override
  public ProxyResponse invoke(ProxyCall call) {
    calls.add(call);
    ProxyResponse response = behavior.invoke(call);
    return new ProxyResponse(
        response.status(), response.headers(), tracked(response.body()), response.bodyLength());
  }

  private InputStream tracked(InputStream body) {
    return new FilterInputStream(body) {
      @Override
      public void close() throws IOException {
        super.close();
        closings.add("closed");
      }
    };
  }

  /** Sets the behavior of subsequent calls. */
  public void respondWith(InvokeProxy newBehavior) {
    this.behavior = newBehavior;
  }

  void respondWith(ProxyResponse response) {
    respondWith(call -> response);
  }

  void failWith(RuntimeException failure) {
    respondWith(
        call -> {
          throw failure;
        });
  }

  /** Waits for the next call. */
  public ProxyCall takeCall() {
    return next(calls, "the proxy was not called");
  }

  public boolean wasCalled() {
    return !calls.isEmpty();
  }

  /** Waits until the body of a response is closed. */
  void awaitResponseClosed() {
    next(closings, "no response was closed");
  }

  private static <T> T next(BlockingQueue<T> queue, String failure) {
    try {
      T next = queue.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      if (next == null) {
        throw new AssertionError(failure);
      }
      return next;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new AssertionError(failure, interrupted);
    }
  }

  public static ProxyResponse response(int status, String body, HeaderField... headers) {
    byte[] bytes = body.getBytes(StandardCharsets.ISO_8859_1);
    return response(
        status, new ByteArrayInputStream(bytes), OptionalLong.of(bytes.length), headers);
  }

  static ProxyResponse response(
      int status, InputStream body, OptionalLong length, HeaderField... headers) {
    return new ProxyResponse(status, new ArrayList<>(Arrays.asList(headers)), body, length);
  }

  /** Returns a body that fails when it is read, as if the destination had disconnected. */
  static InputStream brokenStream() throws IOException {
    InputStream closed = InputStream.nullInputStream();
    closed.close();
    return closed;
  }

  public static HeaderField header(String name, String value) {
    return new HeaderField(name, value);
  }

  /** Reads the whole body of a call, one character for each byte. */
  public static String readBody(ProxyCall call) {
    try {
      return new String(call.body().readAllBytes(), StandardCharsets.ISO_8859_1);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /** Returns the values of a header of a call, in order. */
  static List<String> headerValues(ProxyCall call, String name) {
    return call.headers().stream().filter(field -> field.is(name)).map(HeaderField::value).toList();
  }
}
