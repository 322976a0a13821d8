package io.tokenvault.adapters.http.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.adapters.http.RawConnection;
import io.tokenvault.adapters.http.RawResponse;
import io.tokenvault.adapters.http.RecordingProxy;
import io.tokenvault.adapters.http.TestServer;
import io.tokenvault.adapters.http.UncheckedWait;
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

  private static final int SLOTS = 3;
  private static final String HOST = "Host: vault";
  private static final int LARGE = 8 << 20;

  private final CountDownLatch release = new CountDownLatch(1);
  private final RecordingProxy proxy = new RecordingProxy();
  private final List<RawConnection> connections = new ArrayList<>();
  private TestServer server;

  private volatile boolean databaseReady = true;
  private final Semaphore checks = new Semaphore(0);

  @BeforeEach
  void start() {
    server = TestServer.start(proxy, TestServer.maxRequests(SLOTS), this::isReady);
  }

  private boolean isReady() {
    if (databaseReady) {
      return true;
    }
    checks.release();
    try {
      return release.await(60, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @AfterEach
  void stop() {
    release.countDown();
    connections.forEach(RawConnection::close);
    server.close();
  }

  /** Sends requests whose bodies never arrive. */
  private void occupyAllSlots() {
    proxy.respondWith(
        call -> {
          RecordingProxy.readBody(call);
          UncheckedWait.await(release);
          return RecordingProxy.response(200, "");
        });
    for (int i = 0; i < SLOTS; i++) {
      connections.add(
          server
              .connect()
              .send("POST /proxy/slow HTTP/1.1", HOST, "Content-Length: 1000")
              .write("x"));
      proxy.takeCall();
    }
  }

  @Test
  void excessRequestsAreRejectedImmediately() {
    occupyAllSlots();

    RawResponse apiResponse =
        server.send("GET /permissions HTTP/1.1", HOST, "SVC-API-KEY: " + server.managementKey());
    RawResponse proxyResponse = server.send("GET /proxy/x HTTP/1.1", HOST, "SVC-TRACE-ID: abc");

    for (RawResponse each : List.of(apiResponse, proxyResponse)) {
      assertThat(each.status()).isEqualTo(503);
      assertThat(each.header("Retry-After")).matches("[0-9]+");
      assertThat(each.body()).contains("urn:tokenvault:problem:overloaded");
    }
    assertThat(apiResponse.header("Content-Type")).contains("application/problem+json");
    assertThat(proxyResponse.body()).startsWith("{\"proxy_error\":");
    assertThat(proxyResponse.header("SVC-TRACE-ID")).contains("abc");
  }

  @Test
  void healthChecksAreServedAtTheLimit() {
    occupyAllSlots();

    for (String path : List.of("/healthz", "/readyz", "/readyz/")) {
      assertThat(server.send("GET " + path + " HTTP/1.1", HOST).status()).as(path).isEqualTo(200);
    }
  }

  @Test
  void livenessIsReportedWhileReadinessChecksOccupyAllSlots() throws Exception {
    databaseReady = false;
    for (int i = 0; i < RequestLimit.HEALTH_CHECKS; i++) {
      connections.add(server.connect().send("GET /readyz HTTP/1.1", HOST));
    }
    assertThat(checks.tryAcquire(RequestLimit.HEALTH_CHECKS, 30, TimeUnit.SECONDS)).isTrue();

    assertThat(server.send("GET /readyz HTTP/1.1", HOST).status()).isEqualTo(503);
    assertThat(server.send("GET /healthz HTTP/1.1", HOST).status()).isEqualTo(200);
  }

  @Test
  void slotIsFreedWhenItsCallerDisconnects() {
    occupyAllSlots();
    connections.remove(0).close();

    int status = 503;
    for (int attempts = 0; status == 503 && attempts < 1_500; attempts++) {
      status = server.send("GET /permissions HTTP/1.1", HOST).status();
      UncheckedWait.sleep(Duration.ofMillis(20));
    }
    assertThat(status).isEqualTo(401);
  }

  /** The connection must not break while the caller still sends. */
  @Test
  void callerSendingLargeBodyReceivesRejection() {
    occupyAllSlots();
    byte[] body = "x".repeat(LARGE).getBytes(StandardCharsets.US_ASCII);

    for (String path : List.of("/tokens", "/proxy")) {
      try (RawConnection connection = server.connect()) {
        connection.send("POST " + path + " HTTP/1.1", HOST, "Content-Length: " + LARGE).write(body);
        RawResponse response = connection.readResponse();
        assertThat(response.status()).isEqualTo(503);
        assertThat(response.header("Connection")).contains("close");
      }
    }
  }
}
