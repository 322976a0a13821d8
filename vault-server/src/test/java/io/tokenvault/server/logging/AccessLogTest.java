package io.tokenvault.server.logging;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.adapters.http.exchange.RequestObserver.FinishedRequest;
import io.tokenvault.adapters.http.exchange.RequestObserver.WatchedRequest;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.runtime.RateLimits.Subject;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.environment.Unchecked;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class AccessLogTest {

  private static final InstantSource TIME =
      InstantSource.fixed(Instant.parse("2026-01-31T09:15:02.117Z"));

  private final TenantId tenant = new TenantId(UUID.randomUUID());
  private final UUID id = UUID.randomUUID();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private static FinishedRequest request(Optional<String> id, Optional<Subject> caller) {
    return new FinishedRequest(
        new WatchedRequest(false, "GET", "/tokens/{id}"), 404, 1_234_567, 8, 16, id, caller);
  }

  private List<JsonNode> lines() {
    return out.toString(StandardCharsets.UTF_8).lines().map(Json::parse).toList();
  }

  @Test
  void requestIsOneLineWithItsTemplateAndIds() {
    try (AccessLog log = AccessLog.to(TIME, out::write)) {
      log.finished(
          request(Optional.of("an id"), Optional.of(Subject.of(tenant, new ApplicationId(id)))));
    }

    JsonNode line = lines().get(0);
    assertThat(line)
        .isEqualTo(
            Json.parse(
                """
                {"log": "access", "time": "2026-01-31T09:15:02.117Z", "listener": "main",
                 "method": "GET", "route": "/tokens/{id}", "status": 404, "duration_ms": 1.235,
                 "request_bytes": 8, "response_bytes": 16, "request_id": "an id",
                 "tenant_id": "%s", "application_id": "%s"}\
                """
                    .formatted(tenant, id)));
  }

  @Test
  void anonymousCallerIsNamedByProxyAndUnknownCallerIsOmitted() {
    try (AccessLog log = AccessLog.to(TIME, out::write)) {
      log.finished(request(Optional.empty(), Optional.of(Subject.of(tenant, new ProxyId(id)))));
      log.finished(request(Optional.empty(), Optional.empty()));
    }

    assertThat(lines().get(0).path("proxy_id").asText()).isEqualTo(id.toString());
    assertThat(lines().get(0).has("application_id")).isFalse();
    assertThat(lines().get(1).has("tenant_id")).isFalse();
    assertThat(lines().get(1).has("request_id")).isFalse();
  }

  @Test
  void requestsDoNotWaitForSlowOutputAndDroppedLinesAreCounted() throws Exception {
    CountDownLatch writing = new CountDownLatch(1);
    CountDownLatch slow = new CountDownLatch(1);
    try (AccessLog log =
        AccessLog.to(
            TIME,
            lines -> {
              writing.countDown();
              Unchecked.run(slow::await);
              out.write(lines);
            })) {
      log.finished(request(Optional.of("first"), Optional.empty()));
      writing.await();
      for (int i = 0; i < AccessLog.MAX_WAITING + 7; i++) {
        log.finished(request(Optional.empty(), Optional.empty()));
      }
      slow.countDown();
    }

    assertThat(lines()).hasSize(1 + AccessLog.MAX_WAITING + 1);
    assertThat(lines())
        .filteredOn(line -> line.has("dropped"))
        .singleElement()
        .matches(line -> line.path("dropped").asInt() == 7);
  }

  @Test
  void lineIsLostAndNextOneWrittenAfterFailure() throws Exception {
    int[] calls = {0};
    CountDownLatch failed = new CountDownLatch(1);
    try (AccessLog log =
        AccessLog.to(
            TIME,
            lines -> {
              if (calls[0]++ == 0) {
                failed.countDown();
                throw new IOException("full");
              }
              out.write(lines);
            })) {
      log.finished(request(Optional.of("lost"), Optional.empty()));
      failed.await();
      log.finished(request(Optional.of("written"), Optional.empty()));
    }

    assertThat(lines())
        .singleElement()
        .matches(l -> l.path("request_id").asText().equals("written"));
  }
}
