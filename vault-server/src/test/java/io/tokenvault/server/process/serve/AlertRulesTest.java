package io.tokenvault.server.process.serve;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tokenvault.server.environment.ProgramRun;
import org.junit.jupiter.api.Test;

/** Tests the alerting rules of the documentation with Prometheus. */
final class AlertRulesTest {

  private static final String CASES = "src/test/resources/monitoring/alerts-test.yaml";

  @Test
  void prometheusAcceptsRulesAndTheyFireAsExpected() {
    assumeTrue(
        ProgramRun.find("promtool").isPresent(),
        "promtool is missing: install Prometheus (apt-get install prometheus)");

    ProgramRun.of("promtool", "check", "rules", "../docs/examples/alerts.yaml").expectSuccess();
    ProgramRun.of("promtool", "test", "rules", CASES).expectSuccess();
  }
}
