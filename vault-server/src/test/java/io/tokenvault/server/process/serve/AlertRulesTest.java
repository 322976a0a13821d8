package io.tokenvault.server.process.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The alerting rules of the docs, as Prometheus itself reads them. */
final class AlertRulesTest {

  private static final String CASES = "src/test/resources/monitoring/alerts-test.yaml";

  @Test
  void prometheusAcceptsRulesAndTheyFireAsExpected() {
    assumeTrue(
        promtool("--version").isPresent(),
        "promtool is missing: install Prometheus (apt-get install prometheus)");
    assertThat(promtool("check", "rules", "../docs/examples/alerts.yaml")).hasValue("");
    assertThat(promtool("test", "rules", CASES)).hasValue("");
  }

  /** What it has to object; empty where it is not installed. */
  private static Optional<String> promtool(String... arguments) {
    List<String> command = new ArrayList<>(List.of("promtool"));
    command.addAll(List.of(arguments));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return Optional.of(process.waitFor() == 0 ? "" : said);
    } catch (IOException notInstalled) {
      return Optional.empty();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }
}
