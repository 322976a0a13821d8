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

/** What requests cost the database once caller, proxy and token are cached. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class WarmRequestsTest {

  private static final int REQUESTS = 20;
  private static final int MANY = 240;

  /** Work in the background may come between. */
  private static final int ATTEMPTS = 20;

  /** How long the end of a request waits for the next one at least. */
  private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /**
   * @param late how many requests took so long that the end of the one before may have gone alone
   */
  private record Attempt(List<Execution> executed, int late) {

    boolean isAsExpected(int most) {
      return executed.size() <= most + late
          && executed.stream().allMatch(WarmRequestsTest::isOfEntries);
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
              oneByOne(request);
              return 0;
            },
            REQUESTS);
    assertThat(attempt.executed()).hasSize(REQUESTS).allMatch(WarmRequestsTest::isOfEntries);
  }

  @Test
  void proxiedTokenUseSharesOneStatementWithPreviousEnd() {
    Runnable request =
        () ->
            caller
                .call("POST", "/proxy/charge")
                .through(proxy)
                .json(Json.object("secret", "{{" + token + "}}"))
                .send()
                .expect(200);
    request.run();
    // The last end goes alone, and so does one that the next request comes too late for.
    int most = REQUESTS + 3;
    Attempt attempt = attempt(() -> oneByOne(request), most);
    assertThat(attempt.executed())
        .hasSizeBetween(REQUESTS, most + attempt.late())
        .allMatch(WarmRequestsTest::isOfEntries);
  }

  @Test
  void manyReadsAtOnceShareStatements() {
    Attempt attempt =
        attempt(
            () -> {
              IntStream.range(0, MANY)
                  .parallel()
                  .forEach(i -> caller.get("/tokens/" + token).expect(200));
              return 0;
            },
            MANY - 1);
    assertThat(attempt.executed()).hasSizeLessThan(MANY).allMatch(WarmRequestsTest::isOfEntries);
  }

  /** Returns how many were answered too late after the one before was sent. */
  private static int oneByOne(Runnable request) {
    int late = 0;
    long before = System.nanoTime();
    for (int i = 0; i < REQUESTS; i++) {
      long sent = System.nanoTime();
      request.run();
      late += System.nanoTime() - before > PATIENCE_NANOS ? 1 : 0;
      before = sent;
    }
    return late;
  }

  /** What was executed for the requests, tried again if it is too much or something else. */
  private Attempt attempt(IntSupplier requests, int most) {
    Attempt attempt = once(requests);
    for (int i = 1; i < ATTEMPTS && !attempt.isAsExpected(most); i++) {
      attempt = once(requests);
    }
    return attempt;
  }

  private Attempt once(IntSupplier requests) {
    AtomicInteger late = new AtomicInteger();
    List<Execution> executed = vault.relay().executedDuring(() -> late.set(requests.getAsInt()));
    return new Attempt(ofRequests(executed), late.get());
  }

  private static boolean isOfEntries(Execution execution) {
    return execution.sql().toLowerCase(Locale.ROOT).contains("insert into audit_entry");
  }

  /**
   * Returns the statements of requests. The hash chains and the leader election, which checks
   * whether its connection is alive, have connections of their own. The pool validates an idle
   * connection with an empty statement, and prepares a new one with two.
   */
  private static List<Execution> ofRequests(List<Execution> executed) {
    Set<Object> others =
        executed.stream()
            .filter(each -> each.sql().matches("(?is).*(audit_seal|advisory|<> '').*"))
            .map(Execution::connection)
            .collect(Collectors.toSet());
    return executed.stream()
        .filter(each -> !each.sql().isBlank() && !others.contains(each.connection()))
        .filter(each -> !each.sql().matches("(?is)(SET application_name|SELECT set_config).*"))
        .toList();
  }
}
