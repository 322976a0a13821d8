package io.tokenvault.adapters.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests API request bodies that exceed their time limit. */
@Execution(ExecutionMode.CONCURRENT)
final class SlowBodyTest {

  private static final Duration GRACE = Duration.ofMillis(300);
  private static final String HOST = "Host: vault";

  @AutoClose
  private final TestServer server =
      TestServer.start(new RecordingProxy(), TestServer.bodyGrace(GRACE));

  private RawConnection post(String framing) {
    return server
        .connect()
        .send(
            "POST /applications HTTP/1.1", HOST, "SVC-API-KEY: " + server.managementKey(), framing);
  }

  @Test
  void missingBodyTimesOut() {
    for (String framing : new String[] {"Content-Length: 2", "Transfer-Encoding: chunked"}) {
      try (RawConnection connection = post(framing)) {
        connection.readResponse().isProblem(408, "request-timeout");
      }
    }
  }

  @Test
  void trickledBodyTimesOut() {
    try (RawConnection connection = post("Transfer-Encoding: chunked")) {
      connection.writeRepeatedly("1\r\n \r\n", Duration.ofMillis(10));
      connection.readResponse().isProblem(408, "request-timeout");
    }
  }

  @Test
  void largeBodyHasMoreTime() {
    String body = "{\"name\":\"" + "x".repeat(900_000) + "\"}";
    try (RawConnection connection = post("Content-Length: " + body.length())) {
      connection.write(body.substring(0, 1_000));
      UncheckedWait.sleep(GRACE.multipliedBy(2));
      connection.write(body.substring(1_000)).readResponse().isProblem(400, "validation-failed");
    }
  }

  /** The minimum data rate applies to the proxy only. */
  @Tag("long")
  @Test
  void slowBodyWithinTheDeadlineIsRead() {
    try (TestServer usual = TestServer.start(new RecordingProxy());
        RawConnection connection =
            usual
                .connect()
                .send(
                    "POST /applications HTTP/1.1",
                    HOST,
                    "SVC-API-KEY: " + usual.managementKey(),
                    "Content-Length: 2")) {
      UncheckedWait.sleep(Duration.ofSeconds(11));
      connection.write("{");
      UncheckedWait.sleep(Duration.ofSeconds(1));
      connection.write("}").readResponse().isProblem(400, "validation-failed");
    }
  }

  @Test
  void bodyDeadlineDoesNotShortenLaterIdleTime() {
    try (RawConnection connection = post("Content-Length: 2")) {
      UncheckedWait.sleep(GRACE.dividedBy(10));
      connection.write("{}").readResponse().isProblem(400, "validation-failed");
      UncheckedWait.sleep(GRACE.multipliedBy(2));
      assertThat(connection.send("GET /healthz HTTP/1.1", HOST).readResponse().status())
          .isEqualTo(200);
    }
  }
}
