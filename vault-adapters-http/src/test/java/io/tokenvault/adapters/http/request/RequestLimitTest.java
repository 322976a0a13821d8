package io.tokenvault.adapters.http.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.adapters.http.RawConnection;
import io.tokenvault.adapters.http.RawReply;
import io.tokenvault.adapters.http.RecordingProxy;
import io.tokenvault.adapters.http.TestServer;
import io.tokenvault.adapters.http.Waiting;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests requests beyond the limit of concurrent requests. */
final class RequestLimitTest {

  private static final int PLACES = 3;
  private static final String HOST = "Host: vault";
  private static final int LARGE = 8 << 20;

  private final CountDownLatch release = new CountDownLatch(1);
  private final RecordingProxy proxy = new RecordingProxy();
  private final List<RawConnection> holding = new ArrayList<>();
  private TestServer server;

  private volatile boolean databaseAnswers = true;
  private final Semaphore waiting = new Semaphore(0);

  @BeforeEach
  void start() {
    server = TestServer.start(proxy, TestServer.maxRequests(PLACES), this::isReady);
  }

  private boolean isReady() {
    if (databaseAnswers) {
      return true;
    }
    waiting.release();
    try {
      return release.await(60, TimeUnit.SECONDS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @AfterEach
  void stop() {
    release.countDown();
    holding.forEach(RawConnection::close);
    server.close();
  }

  /** Sends requests whose bodies never arrive. */
  private void takeAllPlaces() {
    proxy.answers(
        call -> {
          RecordingProxy.read(call);
          Waiting.await(release);
          return RecordingProxy.text(200, "");
        });
    for (int i = 0; i < PLACES; i++) {
      holding.add(
          server
              .connect()
              .send("POST /proxy/slow HTTP/1.1", HOST, "Content-Length: 1000")
              .write("x"));
      proxy.take();
    }
  }

  @Test
  void excessRequestsAreRejectedImmediately() {
    takeAllPlaces();

    RawReply ofApi = server.send("GET /permissions HTTP/1.1", HOST, "SVC-API-KEY: " + server.key());
    RawReply ofProxy = server.send("GET /proxy/x HTTP/1.1", HOST, "SVC-TRACE-ID: abc");

    for (RawReply each : List.of(ofApi, ofProxy)) {
      assertThat(each.status()).isEqualTo(503);
      assertThat(each.header("Retry-After")).matches("[0-9]+");
      assertThat(each.body()).contains("urn:tokenvault:problem:overloaded");
    }
    assertThat(ofApi.header("Content-Type")).contains("application/problem+json");
    assertThat(ofProxy.body()).startsWith("{\"proxy_error\":");
    assertThat(ofProxy.header("SVC-TRACE-ID")).contains("abc");
  }

  @Test
  void healthChecksAreServedAtTheLimit() {
    takeAllPlaces();

    for (String path : List.of("/healthz", "/readyz", "/readyz/")) {
      assertThat(server.send("GET " + path + " HTTP/1.1", HOST).status()).as(path).isEqualTo(200);
    }
  }

  @Test
  void livenessIsReportedWhileReadinessChecksFillTheirSlots() throws Exception {
    databaseAnswers = false;
    for (int i = 0; i < RequestLimit.HEALTH_CHECKS; i++) {
      holding.add(server.connect().send("GET /readyz HTTP/1.1", HOST));
    }
    assertThat(waiting.tryAcquire(RequestLimit.HEALTH_CHECKS, 30, TimeUnit.SECONDS)).isTrue();

    assertThat(server.send("GET /readyz HTTP/1.1", HOST).status()).isEqualTo(503);
    assertThat(server.send("GET /healthz HTTP/1.1", HOST).status()).isEqualTo(200);
  }

  @Test
  void slotIsFreedWhenItsCallerDisconnects() {
    takeAllPlaces();
    holding.remove(0).close();

    int status = 503;
    for (int tries = 0; status == 503 && tries < 1_500; tries++) {
      status = server.send("GET /permissions HTTP/1.1", HOST).status();
      Waiting.pause(Duration.ofMillis(20));
    }
    assertThat(status).isEqualTo(401);
  }

  /** The connection must not break while the caller still sends. */
  @Test
  void largeBodySenderReceivesTheRejection() {
    takeAllPlaces();
    byte[] body = "x".repeat(LARGE).getBytes(StandardCharsets.US_ASCII);

    for (String path : List.of("/tokens", "/proxy")) {
      try (RawConnection connection = server.connect()) {
        connection.send("POST " + path + " HTTP/1.1", HOST, "Content-Length: " + LARGE).write(body);
        RawReply reply = connection.reply("POST");
        assertThat(reply.status()).isEqualTo(503);
        assertThat(reply.header("Connection")).contains("close");
      }
    }
  }
}
