package io.tokenvault.server.e2e.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.e2e.fixture.Eventually;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.guarantee.AuditFault;
import io.tokenvault.server.e2e.guarantee.Endpoint;
import io.tokenvault.server.e2e.guarantee.EndpointFixture;
import io.tokenvault.server.e2e.guarantee.FaultyVault;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** No endpoint returns data or changes state without an audit entry, whatever fails. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class AuditGuaranteeTest {

  /** Endpoints of each kind: unrecorded, list, read, search, change, creation and invocation. */
  private static final Set<String> REPRESENTATIVES =
      Set.of(
          "GET /permissions",
          "GET /logs",
          "PUT /proxies/ID",
          "POST /applications/ID/regenerate",
          "GET /tokens/ID",
          "DELETE /tokens/ID",
          "POST /tokens/search",
          "POST /tokenize",
          "POST /detokenize",
          "POST /proxy/any/path");

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** Longer than the time after its last use for which the pool does not check a connection. */
  private static final Duration UNCHECKED_CONNECTION_TIME = Duration.ofMillis(600);

  @AutoClose("shutdown")
  private final ExecutorService threads = Executors.newFixedThreadPool(2 * Endpoint.ALL.size());

  private final FaultyVault faulty = FaultyVault.shared();
  @AutoClose private final HttpsDestination destination = HttpsDestination.start();

  private final List<EndpointFixture> endpoints =
      inParallel(Endpoint.ALL, each -> new EndpointFixture(faulty, each, destination));

  /** The state of an endpoint before two calls, and their responses. */
  private record Attempt(
      EndpointFixture endpoint,
      List<String> before,
      int entriesBefore,
      Future<Response> allowed,
      Future<Response> denied) {}

  @Test
  void noEndpointActsUnrecordedWhenInsertFails() throws Exception {
    assertNothingUnrecorded(AuditFault.INSERT_FAILS, endpoints);
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.EXCLUDE,
      names = {"INSERT_FAILS", "CONNECTION_SILENT"})
  void representativeEndpointsNeverActUnrecorded(AuditFault fault) throws Exception {
    assertNothingUnrecorded(fault, representatives());
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource
  void noEndpointActsUnrecordedUnderAnyFault(AuditFault fault) throws Exception {
    assertNothingUnrecorded(fault, endpoints);
  }

  private List<EndpointFixture> representatives() {
    return endpoints.stream().filter(each -> REPRESENTATIVES.contains(each.toString())).toList();
  }

  @Test
  void requestsWithoutADatabaseAreUnavailable() throws Exception {
    List<EndpointFixture> recorded =
        representatives().stream().filter(EndpointFixture::isRecorded).toList();
    inParallel(recorded, EndpointFixture::prepare);
    int received = destination.count();
    AutoCloseable activeFault = faulty.disconnectDatabase();
    try {
      Eventually.holds("not ready", TIMEOUT, () -> faulty.vault().get("/readyz").status() == 503);
      faulty.vault().get("/healthz").expect(200);
      SoftAssertions softly = new SoftAssertions();
      for (Response response : inParallel(recorded, EndpointFixture::call)) {
        checkResponse(response, 503, softly);
        softly.assertThat(response.text()).doesNotContain("jdbc", "SQL", "Exception");
      }
      softly.assertAll();
      Thread.sleep(UNCHECKED_CONNECTION_TIME.toMillis());
    } finally {
      activeFault.close();
    }
    assertThat(destination.count()).as("requests at the destination").isEqualTo(received);
    assertRecovered(recorded);
  }

  private void assertNothingUnrecorded(AuditFault fault, List<EndpointFixture> endpoints)
      throws Exception {
    inParallel(endpoints, EndpointFixture::prepare);
    int received = destination.count();
    List<Attempt> attempts;
    AutoCloseable activeFault = fault.start(faulty);
    try {
      attempts = endpoints.stream().map(this::callEndpoint).toList();
      for (Attempt each : attempts) {
        each.allowed().get();
        each.denied().get();
      }
    } finally {
      activeFault.close();
    }
    assertThat(destination.count()).as("requests at the destination").isEqualTo(received);
    SoftAssertions softly = new SoftAssertions();
    for (Attempt each : attempts) {
      check(fault, each, softly);
    }
    softly.assertAll();
    assertRecovered(endpoints);
  }

  private Attempt callEndpoint(EndpointFixture endpoint) {
    return new Attempt(
        endpoint,
        endpoint.state(),
        endpoint.entryCount(),
        threads.submit(endpoint::call),
        threads.submit(endpoint::callDenied));
  }

  private static void check(AuditFault fault, Attempt attempt, SoftAssertions softly)
      throws Exception {
    EndpointFixture endpoint = attempt.endpoint();
    Response allowed = attempt.allowed().get();
    Response denied = attempt.denied().get();
    checkResponse(allowed, endpoint.isRecorded() ? 503 : 200, softly);
    // An endpoint that requires no permission allows the second call, too.
    boolean bothRecorded = endpoint.canBeDenied() || endpoint.isRecorded();
    checkResponse(denied, bothRecorded ? 503 : 200, softly);
    int written = endpoint.entryCount() - attempt.entriesBefore();
    boolean changed = !endpoint.state().equals(attempt.before());
    if (fault.commits()) {
      int recorded = (endpoint.isRecorded() ? 1 : 0) + (bothRecorded ? 1 : 0);
      softly.assertThat(written).as("entries of %s", endpoint).isGreaterThanOrEqualTo(recorded);
      softly.assertThat(changed).as("%s changed", endpoint).isEqualTo(endpoint.changesState());
    } else {
      softly.assertThat(written).as("entries of %s", endpoint).isZero();
      softly.assertThat(changed).as("%s changed", endpoint).isFalse();
    }
  }

  private static void checkResponse(Response response, int status, SoftAssertions softly) {
    softly.assertThat(response.status()).as("%s", response).isEqualTo(status);
    softly.assertThat(response.text()).as("%s", response).doesNotContain(EndpointFixture.PLAINTEXT);
    if (status == 503) {
      softly.assertThat(response.header("Retry-After")).as("%s", response).isPresent();
      softly.assertThat(response.text()).contains("urn:tokenvault:problem:unavailable");
    }
  }

  /** Asserts that the vault recovers without a restart once the fault has ended. */
  private void assertRecovered(List<EndpointFixture> endpoints) {
    Eventually.holds("ready again", TIMEOUT, () -> faulty.vault().get("/readyz").status() == 200);
    List<Response> responses = inParallel(endpoints, endpoint -> endpoint.prepare().call());
    assertThat(responses).allSatisfy(response -> assertThat(response.status()).isBetween(200, 204));
    assertThat(responses).anyMatch(response -> response.text().contains(EndpointFixture.PLAINTEXT));
    assertThat(inParallel(endpoints, EndpointFixture::callDenied))
        .allSatisfy(response -> assertThat(response.status()).isIn(200, 403));
  }

  private <T, R> List<R> inParallel(List<T> items, Function<T, R> action) {
    List<CompletableFuture<R>> results =
        items.stream()
            .map(each -> CompletableFuture.supplyAsync(() -> action.apply(each), threads))
            .toList();
    return results.stream().map(CompletableFuture::join).toList();
  }
}
