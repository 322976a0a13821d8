package io.tokenvault.adapters.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.Permission;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tests that requests reserve memory from the shared budget and release it. */
final class ApiMemoryTest {

  @AutoClose private static final TestServer SERVER = TestServer.start(new RecordingProxy());
  private static final String KEY = SERVER.privateKey(Permission.TOKEN_CREATE);
  private static final int LARGE = 900_000;
  private static final int TOGETHER = 12;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static RawConnection begin(
      RawConnection connection, String key, String path, int length) {
    return connection.send(
        "POST " + path + " HTTP/1.1",
        "Host: vault.example",
        "SVC-API-KEY: " + key,
        "Content-Type: application/json",
        "Content-Length: " + length);
  }

  private static RawReply post(String path, String body) {
    return post(KEY, path, body);
  }

  private static RawReply post(String key, String path, String body) {
    return SERVER.sendJson(key, "POST " + path, "application/json", body).isOwn();
  }

  private static RawReply postLarge() {
    return post("/tokens", "{\"type\":\"token\",\"data\":\"" + "x".repeat(LARGE) + "\"}");
  }

  @Test
  void manySmallValuesAreRejectedAsTooLargeSooner() {
    assertThat(post("/tokenize", "[\"" + "x".repeat(LARGE) + "\"]").status()).isEqualTo(200);

    RawReply reply = post("/tokenize", "[" + "[],".repeat(LARGE / 3) + "1]");

    assertThat(reply.status()).isEqualTo(413);
    assertThat(reply.body()).contains("body-too-large", "more memory than the server has");
  }

  @Test
  void pageOfLongTransformsIsTooLargeAndSmallerPageIsNot() {
    String transform = "{\"code\":\"" + "x".repeat(50_000) + "\"}";
    String proxy =
        "{\"name\":\"long\",\"destination_url\":\"https://api.example.com\",\"request_transform\":"
            + transform
            + ",\"response_transform\":"
            + transform
            + "}";
    for (int i = 0; i < 30; i++) {
      assertThat(post(SERVER.key(), "/proxies", proxy).status()).isEqualTo(201);
    }

    RawReply page = get("/proxies?size=100");

    assertThat(page.status()).isEqualTo(413);
    assertThat(page.body()).contains("body-too-large", "more memory than the server has");
    assertThat(get("/proxies?size=10").status()).isEqualTo(200);
  }

  private static RawReply get(String path) {
    try (RawConnection connection = SERVER.connect()) {
      return connection
          .send("GET " + path + " HTTP/1.1", "Host: vault.example", "SVC-API-KEY: " + SERVER.key())
          .reply("GET");
    }
  }

  @Test
  void unfinishedBodiesCauseOverloadUntilTheirCallersClose() {
    List<RawConnection> slow = new ArrayList<>();
    for (int i = 0; i < TOGETHER; i++) {
      slow.add(begun());
    }

    // A complete request may have taken the memory of a slow one, so more slow ones are sent.
    RawReply refused = until(503, () -> slow.add(begun()));

    assertThat(refused.header("Retry-After")).isEqualTo("1");
    assertThat(refused.body()).contains("overloaded");
    slow.forEach(RawConnection::close);
    until(201, () -> {});
  }

  private static RawConnection begun() {
    return begin(SERVER.connect(), KEY, "/tokens", LARGE + 1000).write(new byte[LARGE]);
  }

  private static RawReply until(int status, Runnable meanwhile) {
    Instant limit = Instant.now().plus(PATIENCE);
    RawReply reply = postLarge();
    while (reply.status() != status) {
      assertThat(Instant.now()).as("%s", reply).isBefore(limit);
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
      meanwhile.run();
      reply = postLarge();
    }
    return reply;
  }
}
