package io.tokenvault.adapters.http.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.adapters.http.RawConnection;
import io.tokenvault.adapters.http.RawResponse;
import io.tokenvault.adapters.http.RecordingProxy;
import io.tokenvault.adapters.http.TestServer;
import io.tokenvault.adapters.http.UncheckedWait;
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
  private static final int APPLICATION_SLOTS = 2;
  private static final String HOST = "Host: vault";
  private static final int MAX_ATTEMPTS = 1_500;

  private final RecordingProxy proxy = new RecordingProxy();
  private final CountDownLatch release = new CountDownLatch(1);
  private final Semaphore authenticated = new Semaphore(0);
  private final List<RawConnection> connections = new ArrayList<>();
  private final TestServer server = TestServer.start(proxy, TestServer.maxRequests(SLOTS));
  private final String managementKey = server.managementKey();
  private final String otherKey = server.privateKey(Permission.TOKEN_CREATE);
  private final String thirdKey = server.privateKey(Permission.TOKEN_CREATE);
  private final String otherTenantKey = server.managementKeyOfAnotherTenant();

  @AfterEach
  void stop() {
    release.countDown();
    connections.forEach(RawConnection::close);
    server.close();
  }

  private RawResponse listPermissions(String key) {
    return server.send("GET /permissions HTTP/1.1", HOST, "SVC-API-KEY: " + key);
  }

  /** Sends a request without its body; status 100 shows that the server waits for the body. */
  private RawResponse sendHead(String path, String key) {
    return post(path, key, "Content-Length: 99", "Expect: 100-continue").readResponse();
  }

  private RawConnection post(String path, String key, String... headers) {
    List<String> lines = new ArrayList<>(List.of("POST " + path + " HTTP/1.1", HOST));
    lines.add("SVC-API-KEY: " + key);
    lines.addAll(List.of(headers));
    RawConnection connection = server.connect().send(lines.toArray(String[]::new));
    connections.add(connection);
    return connection;
  }

  /** Sends a request until it has a slot, which earlier ones release only after their response. */
  private static RawResponse sendWhenFree(Supplier<RawResponse> request) {
    RawResponse response = request.get();
    for (int attempts = 0; response.status() == 429 && attempts < MAX_ATTEMPTS; attempts++) {
      response = request.get();
    }
    return response;
  }

  private RawResponse invokeWhenFree() {
    return sendWhenFree(() -> server.send("GET /proxy HTTP/1.1", HOST));
  }

  private void awaitFreeSlot(String key) {
    assertThat(sendWhenFree(() -> listPermissions(key)).status()).isEqualTo(200);
  }

  private void occupyShare(String path, String key) {
    for (int i = 0; i < APPLICATION_SLOTS; i++) {
      assertThat(sendHead(path, key).status()).isEqualTo(100);
    }
  }

  @Test
  void slowBodiesOfOneApplicationDoNotBlockOthers() {
    occupyShare("/applications", managementKey);

    RawResponse rejected = listPermissions(managementKey).isProblem(429, "too-many-in-progress");
    assertThat(rejected.header("Retry-After")).isEqualTo("1");
    assertThat(rejected.body()).contains("The application has 2 requests in progress");
    assertThat(listPermissions(otherKey).status()).isEqualTo(200);
    assertThat(server.send("GET /healthz HTTP/1.1", HOST).status()).isEqualTo(200);
  }

  @Test
  void slowBodiesOfOneTenantDoNotBlockOthers() {
    occupyShare("/applications", managementKey);
    occupyShare("/tokens", otherKey);

    assertThat(listPermissions(thirdKey).isProblem(429, "too-many-in-progress").body())
        .contains("The tenant has 4 requests in progress");
    assertThat(listPermissions(otherTenantKey).status()).isEqualTo(200);
    assertThat(server.send("GET /readyz HTTP/1.1", HOST).status()).isEqualTo(200);
  }

  @Test
  void slotIsFreedWhenItsRequestEnds() {
    occupyShare("/applications", managementKey);
    connections.get(0).write("x".repeat(99)).readResponse().isProblem(400, "validation-failed");
    assertThat(sendWhenFree(() -> sendHead("/applications", managementKey)).status())
        .isEqualTo(100);

    listPermissions(managementKey).isProblem(429, "too-many-in-progress");
    connections.remove(1).close();
    awaitFreeSlot(managementKey);
  }

  @Test
  void rejectedRequestsOccupyNoSlots() {
    occupyShare("/applications", managementKey);
    for (int i = 0; i < 3 * SLOTS; i++) {
      listPermissions(managementKey).isProblem(429, "too-many-in-progress");
      listPermissions("none").isProblem(401, "unauthenticated");
      assertThat(listPermissions(otherKey).status()).isEqualTo(200);
    }
  }

  @Test
  void unauthenticatedRequestBodyOccupiesNoSlot() {
    for (int i = 0; i < 3 * SLOTS; i++) {
      post("/tokens", "none", "Content-Length: 99")
          .readResponse()
          .isProblem(401, "unauthenticated");
    }

    assertThat(listPermissions(managementKey).status()).isEqualTo(200);
  }

  @Test
  void anonymousInvocationsShareSlotsOfTheirProxy() {
    TenantId tenant = server.caller(managementKey).tenantId();
    Subject anonymous = Subject.of(tenant, new ProxyId(UUID.randomUUID()));
    proxy.respondWith(call -> respondLate(call, anonymous));
    for (int i = 0; i < APPLICATION_SLOTS; i++) {
      connections.add(server.connect().send("GET /proxy HTTP/1.1", HOST));
      proxy.takeCall();
      authenticated.acquireUninterruptibly();
    }

    RawResponse rejected = server.send("GET /proxy HTTP/1.1", HOST);
    assertThat(rejected.isProxyError(429, "too-many-in-progress").header("Retry-After"))
        .isEqualTo("1");
    assertThat(rejected.body()).contains("The proxy without an API key has 2 requests in progress");
    assertThat(listPermissions(managementKey).status()).isEqualTo(200);

    release.countDown();
    connections.forEach(each -> assertThat(each.readResponse().body()).isEqualTo("late"));
    proxy.takeCall();
    for (int i = 0; i < 3 * SLOTS; i++) {
      assertThat(invokeWhenFree().body()).isEqualTo("late");
    }
  }

  /** Reports the subject twice, as if the call had been authorized again, and responds late. */
  private ProxyResponse respondLate(ProxyCall call, Subject subject) {
    call.authenticated().accept(subject);
    call.authenticated().accept(subject);
    authenticated.release();
    UncheckedWait.await(release);
    return RecordingProxy.response(200, "late");
  }

  @Test
  void failedInvocationsFreeTheirSlots() {
    Subject subject = server.caller(managementKey).subject();
    proxy.respondWith(
        call -> {
          call.authenticated().accept(subject);
          throw new IllegalStateException("a fault");
        });
    for (int i = 0; i < 3 * SLOTS; i++) {
      invokeWhenFree().isProxyError(500, "internal");
    }
    awaitFreeSlot(managementKey);
  }
}
