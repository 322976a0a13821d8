package io.tokenvault.server.e2e.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.e2e.fixture.Eventually;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.guarantee.AuditFault;
import io.tokenvault.server.e2e.guarantee.Endpoint;
import io.tokenvault.server.e2e.guarantee.FaultyVault;
import io.tokenvault.server.e2e.guarantee.GuardedEndpoint;
import java.time.Duration;
import java.util.List;
import java.util.Set;
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

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @AutoClose("shutdown")
  private final ExecutorService threads = Executors.newFixedThreadPool(2 * Endpoint.ALL.size());

  private final FaultyVault faulty = FaultyVault.shared();
  @AutoClose private final HttpsDestination destination = HttpsDestination.start();

  private final List<GuardedEndpoint> endpoints =
      all(Endpoint.ALL, each -> new GuardedEndpoint(faulty, each, destination));

  /** The state of an endpoint before two calls, and their responses. */
  private record Attempt(
      GuardedEndpoint endpoint,
      List<String> before,
      int entriesBefore,
      Future<Response> allowed,
      Future<Response> denied) {}

  @Test
  void noEndpointActsUnrecordedWhenInsertFails() throws Exception {
    assertThatNothingLeavesUnrecorded(AuditFault.THE_INSERT_FAILS, endpoints);
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.EXCLUDE,
      names = {"THE_INSERT_FAILS", "THE_CONNECTION_SAYS_NOTHING_ANY_MORE"})
  void representativeEndpointsNeverActUnrecorded(AuditFault fault) throws Exception {
    assertThatNothingLeavesUnrecorded(fault, representatives());
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource
  void noEndpointActsUnrecordedUnderAnyFault(AuditFault fault) throws Exception {
    assertThatNothingLeavesUnrecorded(fault, endpoints);
  }

  private List<GuardedEndpoint> representatives() {
    return endpoints.stream().filter(each -> REPRESENTATIVES.contains(each.toString())).toList();
  }

  @Test
  void requestsWithoutADatabaseAreUnavailable() throws Exception {
    List<GuardedEndpoint> recorded =
        representatives().stream().filter(GuardedEndpoint::isRecorded).toList();
    all(recorded, GuardedEndpoint::prepare);
    int received = destination.count();
    AutoCloseable cause = faulty.withoutDatabase();
    try {
      Eventually.holds("not ready", PATIENCE, () -> faulty.vault().get("/readyz").status() == 503);
      faulty.vault().get("/healthz").expect(200);
      SoftAssertions soft = new SoftAssertions();
      for (Response response : all(recorded, GuardedEndpoint::call)) {
        checkAnswer(response, 503, soft);
        soft.assertThat(response.text()).doesNotContain("jdbc", "SQL", "Exception");
      }
      soft.assertAll();
    } finally {
      cause.close();
    }
    assertThat(destination.count()).as("requests at the destination").isEqualTo(received);
    itAnswersAgain(recorded);
  }

  private void assertThatNothingLeavesUnrecorded(AuditFault fault, List<GuardedEndpoint> endpoints)
      throws Exception {
    all(endpoints, GuardedEndpoint::prepare);
    int received = destination.count();
    List<Attempt> attempts;
    AutoCloseable cause = fault.begin(faulty);
    try {
      attempts = endpoints.stream().map(this::attempt).toList();
      for (Attempt each : attempts) {
        each.allowed().get();
        each.denied().get();
      }
    } finally {
      cause.close();
    }
    assertThat(destination.count()).as("requests at the destination").isEqualTo(received);
    SoftAssertions all = new SoftAssertions();
    for (Attempt each : attempts) {
      check(fault, each, all);
    }
    all.assertAll();
    itAnswersAgain(endpoints);
  }

  private Attempt attempt(GuardedEndpoint endpoint) {
    return new Attempt(
        endpoint,
        endpoint.state(),
        endpoint.entries(),
        threads.submit(endpoint::call),
        threads.submit(endpoint::denied));
  }

  private static void check(AuditFault fault, Attempt attempt, SoftAssertions all)
      throws Exception {
    GuardedEndpoint endpoint = attempt.endpoint();
    Response allowed = attempt.allowed().get();
    Response denied = attempt.denied().get();
    checkAnswer(allowed, endpoint.isRecorded() ? 503 : 200, all);
    // An endpoint that requires no permission allows the second call, too.
    boolean bothRecorded = endpoint.canBeDenied() || endpoint.isRecorded();
    checkAnswer(denied, bothRecorded ? 503 : 200, all);
    int written = endpoint.entries() - attempt.entriesBefore();
    boolean changed = !endpoint.state().equals(attempt.before());
    if (fault.commits()) {
      int recorded = (endpoint.isRecorded() ? 1 : 0) + (bothRecorded ? 1 : 0);
      all.assertThat(written).as("entries of %s", endpoint).isGreaterThanOrEqualTo(recorded);
      all.assertThat(changed).as("%s changed", endpoint).isEqualTo(endpoint.changesSomething());
    } else {
      all.assertThat(written).as("entries of %s", endpoint).isZero();
      all.assertThat(changed).as("%s changed", endpoint).isFalse();
    }
  }

  private static void checkAnswer(Response response, int status, SoftAssertions all) {
    all.assertThat(response.status()).as("%s", response).isEqualTo(status);
    all.assertThat(response.text()).as("%s", response).doesNotContain(GuardedEndpoint.PLAINTEXT);
    if (status == 503) {
      all.assertThat(response.header("Retry-After")).as("%s", response).isPresent();
      all.assertThat(response.text()).contains("urn:tokenvault:problem:unavailable");
    }
  }

  /** Asserts that the vault recovers without a restart once the fault has ended. */
  private void itAnswersAgain(List<GuardedEndpoint> endpoints) {
    Eventually.holds("ready again", PATIENCE, () -> faulty.vault().get("/readyz").status() == 200);
    List<Response> responses = all(endpoints, endpoint -> endpoint.prepare().call());
    assertThat(responses).allSatisfy(response -> assertThat(response.status()).isBetween(200, 204));
    assertThat(responses).anyMatch(response -> response.text().contains(GuardedEndpoint.PLAINTEXT));
    assertThat(all(endpoints, GuardedEndpoint::denied))
        .allSatisfy(response -> assertThat(response.status()).isIn(200, 403));
  }

  private <T, R> List<R> all(List<T> those, Function<T, R> work) {
    List<Future<R>> results =
        those.stream().map(each -> threads.submit(() -> work.apply(each))).toList();
    return results.stream().map(AuditGuaranteeTest::result).toList();
  }

  private static <R> R result(Future<R> future) {
    try {
      return future.get();
    } catch (Exception failed) {
      throw new IllegalStateException(failed);
    }
  }
}
