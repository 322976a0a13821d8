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

  private static TestServer startWithIdleTimeout(Duration idleTimeout) {
    return TestServer.start(new RecordingProxy(), TestServer.idleTimeout(idleTimeout));
  }

  @Test
  void incompleteHeadTimesOut() {
    try (TestServer server = startWithIdleTimeout(Duration.ofSeconds(1));
        RawConnection line = server.connect();
        RawConnection header = server.connect();
        RawConnection proxyHeader = server.connect();
        RawConnection empty = server.connect()) {
      line.write("GET /").writeRepeatedly("a", PAUSE);
      header.write("GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ").writeRepeatedly("a", PAUSE);
      proxyHeader.write("GET /proxy/a HTTP/1.1\r\nX-Slow: ").writeRepeatedly("a", PAUSE);
      empty.writeRepeatedly("\r\n", PAUSE);
      line.readResponse().isProblem(408, "request-timeout");
      header.readResponse().isProblem(408, "request-timeout");
      proxyHeader.readResponse().isProxyError(408, "request-timeout");
      assertThat(empty.readResponse().status()).isIn(400, 408);
    }
  }

  @Test
  void eachRequestOnConnectionHasItsOwnDeadline() {
    Duration idleTimeout = Duration.ofSeconds(2);
    try (TestServer server = startWithIdleTimeout(idleTimeout);
        RawConnection connection = server.connect()) {
      long end = System.nanoTime() + idleTimeout.toNanos();
      while (System.nanoTime() < end) {
        assertThat(connection.send(REQUEST).readResponse().status()).isEqualTo(200);
        UncheckedWait.sleep(PAUSE);
      }
      assertThat(connection.send(REQUEST).readResponse().status()).isEqualTo(200);
    }
  }

  @Test
  void headSentInPiecesIsRead() {
    try (TestServer server = startWithIdleTimeout(Duration.ofSeconds(20));
        RawConnection connection = server.connect()) {
      for (String piece : new String[] {"GET /hea", "lthz HTTP/1.1\r\nHo", "st: x\r\n", "\r\n"}) {
        connection.write(piece);
        UncheckedWait.sleep(PAUSE);
      }
      assertThat(connection.readResponse().status()).isEqualTo(200);
    }
  }
}
