package io.tokenvault.adapters.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.ports.api.InvokeProxy;
import io.tokenvault.ports.api.ProxyCall;
import io.tokenvault.ports.api.ProxyResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What Javalin and Jetty would do of their own accord, and must not. */
final class EdgeTrapsTest {

  private static final int TIMEOUT_MILLIS = 20_000;

  private final ScriptedProxy proxy = new ScriptedProxy();
  private final TestServer server = TestServer.start(proxy);

  @AfterEach
  void stop() {
    proxy.mayAnswer.countDown();
    server.close();
  }

  @Test
  void aHeaderDoesNotChangeTheMethod() throws IOException {
    assertThat(send("GET /healthz", "X-HTTP-Method-Override: DELETE")).startsWith("HTTP/1.1 200 ");
    assertThat(send("POST /healthz", "x-http-method-override: GET")).startsWith("HTTP/1.1 405 ");
  }

  @Test
  void allowNamesTheMethodsForBrowsersToo() throws IOException {
    assertThat(send("POST /permissions", "Accept: text/html")).contains("\r\nAllow: GET, HEAD\r\n");
    assertThat(send("POST /permissions", "Accept: */*")).contains("\r\nAllow: GET, HEAD\r\n");
  }

  @Test
  void anAnswerWithoutABodyGetsNoLengthThatTheDestinationDidNotGive() throws IOException {
    proxy.mayAnswer.countDown();

    assertThat(send("GET /proxy", "If-None-Match: \"a\""))
        .startsWith("HTTP/1.1 304 ")
        .contains("\r\nETag: \"a\"\r\n")
        .doesNotContain("Content-Length");
  }

  @Test
  void aStoppingServerSaysWhenToComeAgainAndFinishesWhatItBegan() throws Exception {
    try (Socket known = connect();
        Socket invoking = connect()) {
      request(known, "HEAD /healthz");
      assertThat(head(known)).startsWith("HTTP/1.1 200 ");
      request(invoking, "GET /proxy", "Connection: close");
      proxy.called.await();
      int port = server.port();
      CompletableFuture<Void> stopped = CompletableFuture.runAsync(server::close);
      awaitRefusalOfConnections(port);

      request(known, "HEAD /healthz");

      // Or its connection, on which nothing went on, was closed before the request came.
      assertThat(head(known))
          .satisfiesAnyOf(
              told ->
                  assertThat(told).startsWith("HTTP/1.1 503 ").contains("\r\nRetry-After: 1\r\n"),
              nothing -> assertThat(nothing).isEmpty());
      assertThat(stopped).isNotDone();
      proxy.mayAnswer.countDown();
      assertThat(head(invoking)).startsWith("HTTP/1.1 304 ");
      stopped.join();
    }
  }

  private String send(String request, String header) throws IOException {
    try (Socket socket = connect()) {
      request(socket, request, header, "Connection: close");
      return head(socket);
    }
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket("127.0.0.1", server.port());
    socket.setSoTimeout(TIMEOUT_MILLIS);
    return socket;
  }

  private static void request(Socket socket, String request, String... headers) throws IOException {
    String lines =
        request + " HTTP/1.1\r\nHost: vault\r\n" + String.join("\r\n", headers) + "\r\n\r\n";
    String text = headers.length == 0 ? lines.replace("\r\n\r\n\r\n", "\r\n\r\n") : lines;
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** What comes up to the end of the next answer's headers. */
  private static String head(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    StringBuilder head = new StringBuilder();
    int next;
    try {
      while (head.indexOf("\r\n\r\n") < 0 && (next = in.read()) >= 0) {
        head.append((char) next);
      }
    } catch (SocketException closedWithARequestUnread) {
      return head.toString();
    }
    return head.toString();
  }

  /** A server stops to listen before it refuses. */
  private static void awaitRefusalOfConnections(int port) throws InterruptedException {
    long deadline = System.nanoTime() + TIMEOUT_MILLIS * 1_000_000L;
    while (canConnect(port)) {
      assertThat(System.nanoTime()).as("time of the stop").isLessThan(deadline);
      Thread.sleep(5);
    }
  }

  private static boolean canConnect(int port) {
    try {
      new Socket("127.0.0.1", port).close();
      return true;
    } catch (IOException refused) {
      return false;
    }
  }

  /** Answers 304 once it may. */
  private static final class ScriptedProxy implements InvokeProxy {

    final CountDownLatch called = new CountDownLatch(1);
    final CountDownLatch mayAnswer = new CountDownLatch(1);

    @Override
    public ProxyResponse invoke(ProxyCall call) {
      called.countDown();
      try {
        mayAnswer.await();
      } catch (InterruptedException stopped) {
        throw new IllegalStateException(stopped);
      }
      return new ProxyResponse(
          304,
          List.of(new HeaderField("ETag", "\"a\"")),
          InputStream.nullInputStream(),
          OptionalLong.empty());
    }
  }
}
