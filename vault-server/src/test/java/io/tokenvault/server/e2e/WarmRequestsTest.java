package io.tokenvault.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.faults.PostgresRelay.Execution;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What requests cost the database once caller, proxy and token are remembered. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class WarmRequestsTest {

  private static final int REQUESTS = 60;

  /** Work in the background may come between. */
  private static final int ATTEMPTS = 8;

  private FaultyVault vault;
  private HttpsDestination destination;
  private Client caller;
  private String token;
  private String proxyKey;

  @BeforeAll
  void start() {
    vault = FaultyVault.start(Map.of());
    destination = HttpsDestination.start();
    TenantFixture tenant = vault.vault().newTenant();
    caller = tenant.owner();
    token = caller.token("a secret");
    JsonNode proxy = tenant.proxy(destination.url());
    proxyKey = proxy.path("key").asText();
  }

  @AfterAll
  void stop() throws Exception {
    destination.close();
    vault.close();
  }

  @Test
  void theReadOfATokenIsOneStatementThatCommitsByItself() {
    assertOneStatementEach(() -> caller.get("/tokens/" + token).expect(200), 0);
  }

  @Test
  void aProxiedRequestWithATokenIsOneStatementWhichTheEndOfTheOneBeforeRidesAlong() {
    assertOneStatementEach(
        () ->
            caller
                .call("POST", "/proxy/charge")
                .header("SVC-PROXY-KEY", proxyKey)
                .json(Json.object("secret", "{{" + token + "}}"))
                .send()
                .expect(200),
        // The last end goes alone, and so does one that the next request comes too late for.
        3);
  }

  @Test
  void manyReadsAtOnceShareStatements() {
    List<Execution> executed =
        attempt(
            () ->
                IntStream.range(0, 4 * REQUESTS)
                    .parallel()
                    .forEach(i -> caller.get("/tokens/" + token).expect(200)),
            4 * REQUESTS - 1);

    assertThat(executed).hasSizeLessThan(4 * REQUESTS).allMatch(WarmRequestsTest::isOfEntries);
  }

  private void assertOneStatementEach(Runnable request, int more) {
    request.run();
    List<Execution> executed =
        attempt(() -> IntStream.range(0, REQUESTS).forEach(i -> request.run()), REQUESTS + more);

    assertThat(executed)
        .hasSizeBetween(REQUESTS, REQUESTS + more)
        .allMatch(WarmRequestsTest::isOfEntries);
  }

  /** What was executed for the requests, tried again if it is too much or something else. */
  private List<Execution> attempt(Runnable requests, int most) {
    List<Execution> executed = ofRequests(vault.relay().executedDuring(requests));
    for (int i = 1; i < ATTEMPTS && !isAsExpected(executed, most); i++) {
      executed = ofRequests(vault.relay().executedDuring(requests));
    }
    return executed;
  }

  private static boolean isAsExpected(List<Execution> executed, int most) {
    return executed.size() <= most && executed.stream().allMatch(WarmRequestsTest::isOfEntries);
  }

  private static boolean isOfEntries(Execution execution) {
    return execution.sql().toLowerCase(Locale.ROOT).contains("insert into audit_entry");
  }

  /**
   * Sealing, and the election of who does it (which asks whether its connection is alive), have
   * connections of their own. An empty statement is the pool's, which looks after one that rested.
   */
  private static List<Execution> ofRequests(List<Execution> executed) {
    Set<Object> others =
        executed.stream()
            .filter(each -> each.sql().matches("(?is).*(audit_seal|advisory|<> '').*"))
            .map(Execution::connection)
            .collect(Collectors.toSet());
    return executed.stream()
        .filter(each -> !each.sql().isBlank() && !others.contains(each.connection()))
        .toList();
  }
}
