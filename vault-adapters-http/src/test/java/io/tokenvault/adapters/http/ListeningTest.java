package io.tokenvault.adapters.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.adapters.http.exchange.HttpLimits;
import io.tokenvault.adapters.http.server.CannotListenException;
import io.tokenvault.adapters.http.server.HttpSettings;
import io.tokenvault.ports.api.ProxyCall;
import io.tokenvault.ports.api.ProxyResponse;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class ListeningTest {

  private static final String[] GET = {"GET /proxy HTTP/1.1", "Host: x"};

  private final RecordingProxy proxy = new RecordingProxy();
  private final CountDownLatch release = new CountDownLatch(1);

  private ProxyResponse slow() {
    Waiting.await(release);
    return RecordingProxy.text(200, "finished");
  }

  @Test
  void portInUseIsReportedClearly() {
    try (TestServer server = TestServer.start(proxy)) {
      HttpSettings taken =
          new HttpSettings(
              TestServer.settings().headers(),
              "127.0.0.1",
              server.port(),
              Optional.empty(),
              Set.of(),
              HttpLimits.DEFAULT);
      assertThatThrownBy(() -> TestServer.start(proxy, taken))
          .isInstanceOf(CannotListenException.class)
          .hasMessage(
              "Cannot listen on 127.0.0.1:%s: it is in use, or not an address of this machine.",
              server.port());
    }
  }

  @Test
  void drainingServerIsNotReadyButServesEachConnectionOnce() {
    proxy.answers(call -> slow());
    try (TestServer server = TestServer.start(proxy);
        RawConnection before = server.connect();
        RawConnection inFlight = server.connect()) {
      assertThat(before.send("GET /readyz HTTP/1.1", "Host: x").reply().status()).isEqualTo(200);
      inFlight.send(GET);
      proxy.take();

      server.leave();
      release.countDown();

      assertLastAnswer(before.send("GET /healthz HTTP/1.1", "Host: x").reply(), 200);
      assertThatThrownBy(() -> before.send("GET /healthz HTTP/1.1", "Host: x").reply())
          .isInstanceOf(UncheckedIOException.class);
      assertLastAnswer(inFlight.reply(), 200);
      RawReply ready = server.send("GET /readyz HTTP/1.1", "Host: x");
      assertLastAnswer(ready, 503);
      ready.isProblem(503, "stopping");
      assertLastAnswer(server.send(GET), 200);
    }
  }

  private static void assertLastAnswer(RawReply reply, int status) {
    assertThat(reply.status()).isEqualTo(status);
    assertThat(reply.header("Connection")).contains("close");
  }

  /** While Jetty stops, it closes connections that were idle for a second. */
  @Test
  void silentRequestInFlightFinishesWhileNewOnesAreRefused() throws Exception {
    proxy.answers(call -> slow());
    TestServer server = TestServer.start(proxy);
    try (RawConnection inFlight = server.connect();
        RawConnection asking = server.connect();
        RawConnection idle = server.connect()) {
      inFlight.send(GET);
      ProxyCall call = proxy.take();
      AtomicBoolean gone = new AtomicBoolean();
      call.caller().whenGone(() -> gone.set(true));
      asking.send("GET /healthz HTTP/1.1", "Host: x").reply();
      idle.send("GET /healthz HTTP/1.1", "Host: x").reply();
      CompletableFuture<Void> stop = CompletableFuture.runAsync(server::close);
      assertThat(isRefused(asking)).isTrue();
      assertThat(idle.rest()).isEmpty();
      assertThat(stop).isNotDone();
      assertThat(gone).isFalse();
      release.countDown();
      assertThat(inFlight.reply().body()).isEqualTo("finished");
      stop.get(20, TimeUnit.SECONDS);
    }
  }

  /** Returns whether the server closes the connection or responds with 503 in time. */
  private static boolean isRefused(RawConnection connection) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (System.nanoTime() < deadline) {
      try {
        RawReply reply = connection.send("GET /healthz HTTP/1.1", "Host: x").reply();
        if (reply.status() == 503) {
          assertThat(reply.isProblem(503, "stopping").header("Retry-After")).isEqualTo("1");
          return true;
        }
      } catch (UncheckedIOException closed) {
        return true;
      }
    }
    return false;
  }

  @Test
  void shutdownDoesNotWaitForever() throws Exception {
    proxy.answers(call -> slow());
    TestServer server = TestServer.start(proxy, TestServer.stopTimeout(Duration.ofMillis(200)));
    try (RawConnection inFlight = server.connect()) {
      inFlight.send(GET);
      proxy.take();
      CompletableFuture.runAsync(server::close).get(20, TimeUnit.SECONDS);
    } finally {
      release.countDown();
    }
  }

  @Test
  void stoppingTwiceIsStopping() {
    TestServer server = TestServer.start(proxy);
    int port = server.port();
    server.close();
    server.close();
    assertThatThrownBy(() -> RawConnection.to(port)).isInstanceOf(UncheckedIOException.class);
  }
}
