package io.tokenvault.adapters.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests callers that keep sending but do not complete the head of a request. */
@Execution(ExecutionMode.CONCURRENT)
final class SlowHeadTest {

  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final String[] REQUEST = {"GET /healthz HTTP/1.1", "Host: x"};

  private static TestServer within(Duration limit) {
    return TestServer.start(new RecordingProxy(), TestServer.idleTimeout(limit));
  }

  @Test
  void headThatDoesNotEndIsATimeout() {
    try (TestServer server = within(Duration.ofSeconds(1));
        RawConnection line = server.connect();
        RawConnection header = server.connect();
        RawConnection proxied = server.connect();
        RawConnection empty = server.connect()) {
      line.write("GET /").drip("a", PAUSE);
      header.write("GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ").drip("a", PAUSE);
      proxied.write("GET /proxy/a HTTP/1.1\r\nX-Slow: ").drip("a", PAUSE);
      empty.drip("\r\n", PAUSE);
      line.reply().isProblem(408, "request-timeout");
      header.reply().isProblem(408, "request-timeout");
      proxied.reply().isProxyError(408, "request-timeout");
      assertThat(empty.reply().status()).isIn(400, 408);
    }
  }

  @Test
  void eachRequestOnConnectionHasItsOwnDeadline() {
    Duration limit = Duration.ofSeconds(2);
    try (TestServer patient = within(limit);
        RawConnection connection = patient.connect()) {
      long end = System.nanoTime() + limit.toNanos();
      while (System.nanoTime() < end) {
        assertThat(connection.send(REQUEST).reply().status()).isEqualTo(200);
        Waiting.pause(PAUSE);
      }
      assertThat(connection.send(REQUEST).reply().status()).isEqualTo(200);
    }
  }

  @Test
  void headInPiecesThatArriveInTimeIsRead() {
    try (TestServer patient = within(Duration.ofSeconds(20));
        RawConnection connection = patient.connect()) {
      for (String piece : new String[] {"GET /hea", "lthz HTTP/1.1\r\nHo", "st: x\r\n", "\r\n"}) {
        connection.write(piece);
        Waiting.pause(PAUSE);
      }
      assertThat(connection.reply().status()).isEqualTo(200);
    }
  }
}
