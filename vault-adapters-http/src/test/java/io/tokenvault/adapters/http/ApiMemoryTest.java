package io.tokenvault.adapters.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.Permission;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that requests reserve memory from the shared budget and release it. */
final class ApiMemoryTest {

  @AutoClose private static final TestServer SERVER = TestServer.start(new RecordingProxy());
  private static final String KEY = SERVER.privateKey(Permission.TOKEN_CREATE);
  private static final int LARGE = 900_000;
  private static final int UNFINISHED_REQUESTS = 12;
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private static RawResponse post(String path, String body) {
    return post(KEY, path, body);
  }

  private static RawResponse post(String key, String path, String body) {
    return SERVER.sendJson(key, "POST " + path, "application/json", body).isFromVault();
  }

  private static RawResponse postLarge() {
    return post("/tokens", "{\"type\":\"token\",\"data\":\"" + "x".repeat(LARGE) + "\"}");
  }

  @Test
  void bodyOfManySmallValuesIsRejectedAtSmallerSize() {
    assertThat(post("/tokenize", "[\"" + "x".repeat(LARGE) + "\"]").status()).isEqualTo(200);

    RawResponse response = post("/tokenize", "[" + "[],".repeat(LARGE / 3) + "1]");

    assertThat(response.status()).isEqualTo(413);
    assertThat(response.body()).contains("body-too-large", "more memory than the server has");
  }

  @Tag("long")
  @Test
  void pageThatExceedsMemoryIsRejectedAndSmallerPageIsReturned() {
    String transform = "{\"code\":\"" + "x".repeat(50_000) + "\"}";
    String proxy =
        "{\"name\":\"long\",\"destination_url\":\"https://api.example.com\",\"request_transform\":"
            + transform
            + ",\"response_transform\":"
            + transform
            + "}";
    for (int i = 0; i < 30; i++) {
      assertThat(post(SERVER.managementKey(), "/proxies", proxy).status()).isEqualTo(201);
    }

    RawResponse page = get("/proxies?size=100");

    assertThat(page.status()).isEqualTo(413);
    assertThat(page.body()).contains("body-too-large", "more memory than the server has");
    assertThat(get("/proxies?size=10").status()).isEqualTo(200);
  }

  private static RawResponse get(String path) {
    try (RawConnection connection = SERVER.connect()) {
      return connection
          .send(
              "GET " + path + " HTTP/1.1",
              "Host: vault.example",
              "SVC-API-KEY: " + SERVER.managementKey())
          .readResponse();
    }
  }

  @Test
  void unfinishedBodiesCauseOverloadUntilTheirConnectionsClose() {
    List<RawConnection> unfinished = new ArrayList<>();
    for (int i = 0; i < UNFINISHED_REQUESTS; i++) {
      unfinished.add(sendUnfinishedBody());
    }

    // A complete request may have taken the memory of an unfinished one.
    RawResponse rejected = postUntil(503, () -> unfinished.add(sendUnfinishedBody()));

    assertThat(rejected.header("Retry-After")).isEqualTo("1");
    assertThat(rejected.body()).contains("overloaded");
    unfinished.forEach(RawConnection::close);
    postUntil(201, () -> {});
  }

  private static RawConnection sendUnfinishedBody() {
    return SERVER
        .connect()
        .send(
            "POST /tokens HTTP/1.1",
            "Host: vault.example",
            "SVC-API-KEY: " + KEY,
            "Content-Type: application/json",
            "Content-Length: " + (LARGE + 1000))
        .write(new byte[LARGE]);
  }

  private static RawResponse postUntil(int status, Runnable betweenAttempts) {
    Instant deadline = Instant.now().plus(TIMEOUT);
    RawResponse response = postLarge();
    while (response.status() != status) {
      assertThat(Instant.now()).as("%s", response).isBefore(deadline);
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
      betweenAttempts.run();
      response = postLarge();
    }
    return response;
  }
}
