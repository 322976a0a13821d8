package io.tokenvault.adapters.http.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.adapters.http.RawConnection;
import io.tokenvault.adapters.http.RawReply;
import io.tokenvault.adapters.http.RecordingProxy;
import io.tokenvault.adapters.http.TestServer;
import io.tokenvault.adapters.http.Waiting;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.api.ProxyCall;
import io.tokenvault.ports.api.ProxyResponse;
import io.tokenvault.ports.runtime.RateLimits.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the shares of eight slots: four for a tenant, two for an application or proxy. */
final class RequestSharesTest {

  private static final int SLOTS = 8;
  private static final int OF_APPLICATION = 2;
  private static final String HOST = "Host: vault";
  private static final int TRIES = 1_500;

  private final RecordingProxy proxy = new RecordingProxy();
  private final CountDownLatch release = new CountDownLatch(1);
  private final Semaphore counted = new Semaphore(0);
  private final List<RawConnection> holding = new ArrayList<>();
  private final TestServer server = TestServer.start(proxy, TestServer.maxRequests(SLOTS));
  private final String other = server.privateKey(Permission.TOKEN_CREATE);
  private final String third = server.privateKey(Permission.TOKEN_CREATE);
  private final String strangers = server.managementKeyOfAnotherTenant();

  @AfterEach
  void stop() {
    release.countDown();
    holding.forEach(RawConnection::close);
    server.close();
  }

  private RawReply ask(String key) {
    return server.send("GET /permissions HTTP/1.1", HOST, "SVC-API-KEY: " + key);
  }

  /** Sends a request without its body and waits until the server reads the body. */
  private void hold(String path, String key) {
    RawConnection connection = post(path, key, "Content-Length: 99", "Expect: 100-continue");
    assertThat(connection.reply().status()).isEqualTo(100);
  }

  private RawConnection post(String path, String key, String... headers) {
    List<String> lines = new ArrayList<>(List.of("POST " + path + " HTTP/1.1", HOST));
    lines.add("SVC-API-KEY: " + key);
    lines.addAll(List.of(headers));
    RawConnection connection = server.connect().send(lines.toArray(String[]::new));
    holding.add(connection);
    return connection;
  }

  /** Sends a request until it has a slot, which earlier ones release only after their response. */
  private static RawReply sendWhenFree(Supplier<RawReply> request) {
    RawReply reply = request.get();
    for (int tries = 0; reply.status() == 429 && tries < TRIES; tries++) {
      reply = request.get();
    }
    return reply;
  }

  private RawReply invokeWhenFree() {
    return sendWhenFree(() -> server.send("GET /proxy HTTP/1.1", HOST));
  }

  private void awaitRoom(String key) {
    assertThat(sendWhenFree(() -> ask(key)).status()).isEqualTo(200);
  }

  private void holdWhenFree(String path, String key) {
    assertThat(
            sendWhenFree(
                    () -> post(path, key, "Content-Length: 99", "Expect: 100-continue").reply())
                .status())
        .isEqualTo(100);
  }

  private void takeShare(String path, String key) {
    for (int i = 0; i < OF_APPLICATION; i++) {
      hold(path, key);
    }
  }

  @Test
  void slowBodiesOfOneApplicationLeaveRoomForTheOthers() {
    takeShare("/applications", server.key());

    RawReply refused = ask(server.key()).isProblem(429, "too-many-in-progress");
    assertThat(refused.header("Retry-After")).isEqualTo("1");
    assertThat(refused.body()).contains("The application has 2 requests in progress");
    assertThat(ask(other).status()).isEqualTo(200);
    assertThat(server.send("GET /healthz HTTP/1.1", HOST).status()).isEqualTo(200);
  }

  @Test
  void slowBodiesOfOneTenantLeaveRoomForTheOthers() {
    takeShare("/applications", server.key());
    takeShare("/tokens", other);

    assertThat(ask(third).isProblem(429, "too-many-in-progress").body())
        .contains("The tenant has 4 requests in progress");
    assertThat(ask(strangers).status()).isEqualTo(200);
    assertThat(server.send("GET /readyz HTTP/1.1", HOST).status()).isEqualTo(200);
  }

  @Test
  void slotIsFreedWhenItsRequestEnds() {
    takeShare("/applications", server.key());
    holding.get(0).write("x".repeat(99)).reply("POST").isProblem(400, "validation-failed");
    holdWhenFree("/applications", server.key());

    ask(server.key()).isProblem(429, "too-many-in-progress");
    holding.remove(1).close();
    awaitRoom(server.key());
  }

  @Test
  void rejectedRequestsOccupyNoSlots() {
    takeShare("/applications", server.key());
    for (int i = 0; i < 3 * SLOTS; i++) {
      ask(server.key()).isProblem(429, "too-many-in-progress");
      ask("none").isProblem(401, "unauthenticated");
      assertThat(ask(other).status()).isEqualTo(200);
    }
  }

  @Test
  void unauthenticatedRequestBodyOccupiesNoSlot() {
    for (int i = 0; i < 3 * SLOTS; i++) {
      post("/tokens", "none", "Content-Length: 99").reply("POST").isProblem(401, "unauthenticated");
    }

    assertThat(ask(server.key()).status()).isEqualTo(200);
  }

  @Test
  void invocationsWithoutAKeyHaveAShareOfTheirProxy() {
    TenantId tenant = server.caller(server.key()).tenantId();
    Subject anonymous = Subject.of(tenant, new ProxyId(UUID.randomUUID()));
    proxy.answers(call -> answerLate(call, anonymous));
    for (int i = 0; i < OF_APPLICATION; i++) {
      holding.add(server.connect().send("GET /proxy HTTP/1.1", HOST));
      proxy.take();
      counted.acquireUninterruptibly();
    }

    RawReply refused = server.send("GET /proxy HTTP/1.1", HOST);
    assertThat(refused.isProxyError(429, "too-many-in-progress").header("Retry-After"))
        .isEqualTo("1");
    assertThat(refused.body()).contains("The proxy without an API key has 2 requests in progress");
    assertThat(ask(server.key()).status()).isEqualTo(200);

    release.countDown();
    holding.forEach(each -> assertThat(each.reply().body()).isEqualTo("late"));
    proxy.take();
    for (int i = 0; i < 3 * SLOTS; i++) {
      assertThat(invokeWhenFree().body()).isEqualTo("late");
    }
  }

  /** Reports the subject twice, as if the call had been authorized again, and responds late. */
  private ProxyResponse answerLate(ProxyCall call, Subject subject) {
    call.authenticated().accept(subject);
    call.authenticated().accept(subject);
    counted.release();
    Waiting.await(release);
    return RecordingProxy.text(200, "late");
  }

  @Test
  void failedInvocationsFreeTheirSlots() {
    Subject subject = server.caller(server.key()).subject();
    proxy.answers(
        call -> {
          call.authenticated().accept(subject);
          throw new IllegalStateException("a fault");
        });
    for (int i = 0; i < 3 * SLOTS; i++) {
      invokeWhenFree().isProxyError(500, "internal");
    }
    awaitRoom(server.key());
  }
}
