package io.tokenvault.adapters.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.adapters.http.exchange.HttpLimits;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers that never fall silent, and never come to the end of a request's head. */
final class SlowHeadTest {

  private static final Duration LIMIT = Duration.ofSeconds(3);
  private static final String[] REQUEST = {"GET /healthz HTTP/1.1", "Host: x"};

  private final TestServer server = within(LIMIT);

  private static TestServer within(Duration limit) {
    return TestServer.start(
        new RecordingProxy(),
        TestServer.limited(
            limits ->
                new HttpLimits(
                    limits.maxBody(),
                    limits.maxRequestHead(),
                    limit,
                    limits.stopTimeout(),
                    limits.maxRequests(),
                    limits.minBodyRate(),
                    limits.bodyGrace())));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** Sends a character now and then until the connection is closed. */
  private static Thread drip(RawConnection connection, String character) {
    Thread dripping =
        new Thread(
            () -> {
              try {
                while (true) {
                  connection.write(character);
                  pause();
                }
              } catch (UncheckedIOException closed) {
                return;
              }
            },
            "dripping");
    dripping.setDaemon(true);
    dripping.start();
    return dripping;
  }

  private static void pause() {
    try {
      Thread.sleep(LIMIT.toMillis() / 10);
    } catch (InterruptedException over) {
      throw new IllegalStateException(over);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /",
        "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ",
      })
  void theyAreToldThatTheTimeIsOver(String beginning) {
    try (RawConnection connection = server.connect()) {
      connection.write(beginning);
      drip(connection, "a");
      connection.reply().isProblem(408, "request-timeout");
    }
  }

  @Test
  void ofTheProxyInItsOwnWords() {
    try (RawConnection connection = server.connect()) {
      connection.write("GET /proxy/a HTTP/1.1\r\nX-Slow: ");
      drip(connection, "a");
      connection.reply().isProxyError(408, "request-timeout");
    }
  }

  @Test
  void linesBeforeARequestAreNoWayAround() {
    try (RawConnection connection = server.connect()) {
      drip(connection, "\r\n");
      assertThat(connection.reply().status()).isIn(400, 408);
    }
  }

  @Test
  void eachRequestOnAConnectionHasTimeOfItsOwn() {
    Duration limit = Duration.ofSeconds(4);
    try (TestServer patient = within(limit);
        RawConnection connection = patient.connect()) {
      long end = System.nanoTime() + limit.toNanos();
      while (System.nanoTime() < end) {
        assertThat(connection.send(REQUEST).reply().status()).isEqualTo(200);
        pause();
      }
      assertThat(connection.send(REQUEST).reply().status()).isEqualTo(200);
    }
  }

  @Test
  void aHeadInPiecesIsReadIfItComesInTime() {
    try (TestServer patient = within(Duration.ofSeconds(20));
        RawConnection connection = patient.connect()) {
      for (String piece : new String[] {"GET /hea", "lthz HTTP/1.1\r\nHo", "st: x\r\n", "\r\n"}) {
        connection.write(piece);
        pause();
      }
      assertThat(connection.reply().status()).isEqualTo(200);
    }
  }
}
