package io.tokenvault.adapters.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.adapters.http.exchange.HttpLimits;
import io.tokenvault.adapters.http.server.CannotListenException;
import io.tokenvault.adapters.http.server.HttpSettings;
import io.tokenvault.ports.api.ProxyCall;
import io.tokenvault.ports.api.ProxyResponse;
import java.io.UncheckedIOException;
import java.net.BindException;
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
class ServerLifecycleTest {

  private static final String[] HEALTH = {"GET /healthz HTTP/1.1", "Host: x"};
  private static final String[] GET = {"GET /proxy HTTP/1.1", "Host: x"};

  private final RecordingProxy proxy = new RecordingProxy();
  private final CountDownLatch release = new CountDownLatch(1);

  private ProxyResponse respondAfterRelease() {
    UncheckedWait.await(release);
    return RecordingProxy.response(200, "finished");
  }

  @Test
  void portInUseIsReportedClearly() {
    try (TestServer server = TestServer.start(proxy)) {
      HttpSettings portInUse =
          new HttpSettings(
              TestServer.settings().headers(),
              "127.0.0.1",
              server.port(),
              Optional.empty(),
              Set.of(),
              HttpLimits.DEFAULT);
      assertThatThrownBy(() -> TestServer.start(proxy, portInUse))
          .isInstanceOf(CannotListenException.class)
          .hasMessage(
              "Cannot listen on 127.0.0.1:%s: it is in use, not an address of this machine, or a port"
                  + " that needs a privilege.",
              server.port())
          .hasRootCauseInstanceOf(BindException.class);
    }
  }

  @Test
  void drainingServerIsNotReadyButServesEachConnectionOnce() {
    proxy.respondWith(call -> respondAfterRelease());
    try (TestServer server = TestServer.start(proxy);
        RawConnection idle = server.connect();
        RawConnection inFlight = server.connect()) {
      assertThat(idle.send("GET /readyz HTTP/1.1", "Host: x").readResponse().status())
          .isEqualTo(200);
      inFlight.send(GET);
      proxy.takeCall();

      server.startDraining();
      release.countDown();

      assertLastResponse(idle.send(HEALTH).readResponse(), 200);
      assertThatThrownBy(() -> idle.send(HEALTH).readResponse())
          .isInstanceOf(UncheckedIOException.class);
      assertLastResponse(inFlight.readResponse(), 200);
      RawResponse readiness = server.send("GET /readyz HTTP/1.1", "Host: x");
      assertLastResponse(readiness, 503);
      readiness.isProblem(503, "stopping");
      assertLastResponse(server.send(GET), 200);
    }
  }

  private static void assertLastResponse(RawResponse response, int status) {
    assertThat(response.status()).isEqualTo(status);
    assertThat(response.header("Connection")).contains("close");
  }

  /** While Jetty stops, it closes connections that were idle for a second. */
  @Test
  void inFlightRequestFinishesWhileNewRequestsAreRefused() throws Exception {
    proxy.respondWith(call -> respondAfterRelease());
    TestServer server = TestServer.start(proxy);
    try (RawConnection inFlight = server.connect();
        RawConnection active = server.connect();
        RawConnection idle = server.connect()) {
      inFlight.send(GET);
      ProxyCall call = proxy.takeCall();
      AtomicBoolean disconnected = new AtomicBoolean();
      call.caller().whenGone(() -> disconnected.set(true));
      active.send(HEALTH).readResponse();
      idle.send(HEALTH).readResponse();
      CompletableFuture<Void> stop = CompletableFuture.runAsync(server::close);
      assertThat(isEventuallyRefused(active)).isTrue();
      assertThat(idle.readToEnd()).isEmpty();
      assertThat(stop).isNotDone();
      assertThat(disconnected).isFalse();
      release.countDown();
      assertThat(inFlight.readResponse().body()).isEqualTo("finished");
      stop.get(20, TimeUnit.SECONDS);
    }
  }

  /** Returns whether the server closes the connection or responds with 503 in time. */
  private static boolean isEventuallyRefused(RawConnection connection) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (System.nanoTime() < deadline) {
      try {
        RawResponse response = connection.send(HEALTH).readResponse();
        if (response.status() == 503) {
          assertThat(response.isProblem(503, "stopping").header("Retry-After")).isEqualTo("1");
          return true;
        }
      } catch (UncheckedIOException closed) {
        return true;
      }
    }
    return false;
  }

  @Test
  void shutdownEndsAfterStopTimeout() throws Exception {
    proxy.respondWith(call -> respondAfterRelease());
    TestServer server = TestServer.start(proxy, TestServer.stopTimeout(Duration.ofMillis(200)));
    try (RawConnection inFlight = server.connect()) {
      inFlight.send(GET);
      proxy.takeCall();
      CompletableFuture.runAsync(server::close).get(20, TimeUnit.SECONDS);
    } finally {
      release.countDown();
    }
  }

  @Test
  void serverCanBeClosedTwice() {
    TestServer server = TestServer.start(proxy);
    int port = server.port();
    server.close();
    server.close();
    assertThatThrownBy(() -> RawConnection.open(port)).isInstanceOf(UncheckedIOException.class);
  }
}
