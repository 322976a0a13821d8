package io.tokenvault.server.e2e.operations;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import io.tokenvault.server.e2e.guarantee.FaultyVault;
import io.tokenvault.server.faults.PostgresRelay.Execution;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The database statements of requests whose caller, proxy and token are cached. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class WarmRequestsTest {

  private static final int REQUESTS = 20;
  private static final int CONCURRENT = 240;

  /** Repeats the requests if background work interfered. */
  private static final int ATTEMPTS = 20;

  /** The minimum time for which the end of a request waits for the next request. */
  private static final long END_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /**
   * @param late the number of requests so slow that the previous end may have been written alone
   */
  private record Attempt(List<Execution> executed, int late) {

    boolean isAsExpected(int maximum) {
      return executed.size() <= maximum + late
          && executed.stream().allMatch(WarmRequestsTest::insertsEntries);
    }
  }

  private final FaultyVault vault = FaultyVault.shared();
  @AutoClose private final HttpsDestination destination = HttpsDestination.start();
  private final TenantFixture tenant = vault.vault().newTenant();
  private final Client caller = tenant.owner();
  private final String token = caller.token("a secret");
  private final JsonNode proxy = tenant.proxy(destination.url());

  @Test
  void tokenReadIsOneAutocommitStatement() {
    Runnable request = () -> caller.get("/tokens/" + token).expect(200);
    request.run();
    Attempt attempt =
        attempt(
            () -> {
              sendSequentially(request);
              return 0;
            },
            REQUESTS);
    assertThat(attempt.executed()).hasSize(REQUESTS).allMatch(WarmRequestsTest::insertsEntries);
  }

  @Test
  void proxiedTokenUseSharesStatementWithPreviousEnd() {
    Runnable request =
        () ->
            caller
                .call("POST", "/proxy/charge")
                .through(proxy)
                .json(Json.object("secret", "{{" + token + "}}"))
                .send()
                .expect(200);
    request.run();
    // The last end is written alone, and so is one for which the next request comes too late.
    int maximum = REQUESTS + 3;
    Attempt attempt = attempt(() -> sendSequentially(request), maximum);
    assertThat(attempt.executed())
        .hasSizeBetween(REQUESTS, maximum + attempt.late())
        .allMatch(WarmRequestsTest::insertsEntries);
  }

  @Test
  void concurrentReadsShareStatements() {
    Attempt attempt =
        attempt(
            () -> {
              IntStream.range(0, CONCURRENT)
                  .parallel()
                  .forEach(i -> caller.get("/tokens/" + token).expect(200));
              return 0;
            },
            CONCURRENT - 1);
    assertThat(attempt.executed())
        .hasSizeLessThan(CONCURRENT)
        .allMatch(WarmRequestsTest::insertsEntries);
  }

  /** Returns the number of requests that came too late to be written with the previous end. */
  private static int sendSequentially(Runnable request) {
    int late = 0;
    long before = System.nanoTime();
    for (int i = 0; i < REQUESTS; i++) {
      long sent = System.nanoTime();
      request.run();
      late += System.nanoTime() - before > END_DELAY_NANOS ? 1 : 0;
      before = sent;
    }
    return late;
  }

  /** Sends the requests until they execute only the expected statements, or attempts run out. */
  private Attempt attempt(IntSupplier requests, int maximum) {
    Attempt attempt = execute(requests);
    for (int i = 1; i < ATTEMPTS && !attempt.isAsExpected(maximum); i++) {
      attempt = execute(requests);
    }
    return attempt;
  }

  private Attempt execute(IntSupplier requests) {
    AtomicInteger late = new AtomicInteger();
    List<Execution> executed = vault.relay().executedDuring(() -> late.set(requests.getAsInt()));
    return new Attempt(requestStatements(executed), late.get());
  }

  private static boolean insertsEntries(Execution execution) {
    return execution.sql().toLowerCase(Locale.ROOT).contains("insert into audit_entry");
  }

  /**
   * Returns the statements of requests: without those of the hash chain and its leader election,
   * which use separate connections (the election also checks that its connection is alive), and
   * without those of the pool: empty ones that check idle connections, and two that prepare a new
   * one.
   */
  private static List<Execution> requestStatements(List<Execution> executed) {
    Set<Object> separateConnections =
        executed.stream()
            .filter(each -> each.sql().matches("(?is).*(audit_seal|advisory|<> '').*"))
            .map(Execution::connection)
            .collect(Collectors.toSet());
    return executed.stream()
        .filter(each -> !each.sql().isBlank() && !separateConnections.contains(each.connection()))
        .filter(
            each ->
                !each.sql()
                    .matches(
                        "(?is)(SET application_name =|SELECT set_config.'statement_timeout').*"))
        .toList();
  }
}
