package io.tokenvault.server.e2e.operations;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.tokenvault.server.e2e.fixture.Call;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Eventually;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** The page about monitoring and its alerts, against a real answer of {@code /metrics}. */
@TestInstance(Lifecycle.PER_CLASS)
class MonitoringPageTest {

  private static final Path DOCS = Path.of("..", "docs");
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Pattern SERIES =
      Pattern.compile("(?m)^([a-z_:][a-z0-9_:]*)(?:\\{(.*)})? \\S+$");
  private static final Pattern LABEL = Pattern.compile("([a-z_]+)(?:=~|!=|=)\"");
  private static final Pattern USED =
      Pattern.compile("\\b((?:vault|logback|process|jvm|system)_[a-z_]+)(?:\\{([^}]*)})?");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `((?:vault|logback)_[a-z_]+)`");

  /** Of a histogram, what is under its name. */
  private static final String PARTS = "_(?:count|sum|bucket)$";

  /** What is counted in the background, or when an answer is on its way already. */
  private static final List<String> SEEN_LATE =
      List.of("\nvault_tokens{", "\nvault_proxy_invocations_total{", "\nvault_transform_runs_");

  private String page;
  private List<JsonNode> alerts;
  private String scrape;

  /** Of a vault of its own: tokens are counted every ten minutes, and others may ask before. */
  @BeforeAll
  void scrape() throws IOException {
    page = Files.readString(DOCS.resolve("monitoring.md"));
    alerts = alerts();
    try (RunningVault vault = RunningVault.start(Map.of())) {
      runTransform(vault);
      Eventually.holds(
          "all is counted", PATIENCE, () -> SEEN_LATE.stream().allMatch(now(vault)::contains));
      scrape = now(vault);
    }
  }

  private static String now(RunningVault vault) {
    return vault.adminCall("GET", "/metrics").send().expect(200).text();
  }

  /** Transforms have figures once one has run, and tokens once there are any. */
  private static void runTransform(RunningVault vault) {
    TenantFixture tenant = vault.newTenant();
    Client owner = tenant.owner();
    owner.token("data");
    try (HttpsDestination destination = HttpsDestination.start()) {
      JsonNode code = Json.object("code", "module.exports = async (req) => ({ body: {} });");
      JsonNode proxy =
          tenant.proxy(
              Json.object(
                  "name",
                  "transformed",
                  "destination_url",
                  destination.url(),
                  "request_transform",
                  code));
      Call call = owner.call("POST", "/proxy").json("{}");
      call.header("SVC-PROXY-KEY", proxy.path("key").asText()).send().expect(200);
    }
  }

  private static List<JsonNode> alerts() throws IOException {
    YAMLMapper yaml =
        YAMLMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
    JsonNode file = yaml.readTree(DOCS.resolve("examples/alerts.yaml").toFile());
    assertThat(Json.names(file)).containsExactly("groups");
    List<JsonNode> alerts = new ArrayList<>();
    for (JsonNode group : file.get("groups")) {
      assertThat(Json.names(group)).containsExactly("name", "rules");
      group.get("rules").forEach(alerts::add);
    }
    return alerts;
  }

  private Set<String> names() {
    return SERIES.matcher(scrape).results().map(each -> each.group(1)).collect(inOrder());
  }

  private static Collector<String, ?, TreeSet<String>> inOrder() {
    return Collectors.toCollection(TreeSet::new);
  }

  private Set<String> labels(String metric) {
    return SERIES
        .matcher(scrape)
        .results()
        .filter(series -> series.group(1).equals(metric) && series.group(2) != null)
        .flatMap(series -> LABEL.matcher(series.group(2)).results())
        .map(label -> label.group(1))
        .collect(inOrder());
  }

  @Test
  void everyMetricIsOnThePageAndNoOther() {
    Set<String> measured =
        names().stream()
            .filter(name -> name.matches("(vault|logback)_.*"))
            .map(name -> name.replaceFirst(PARTS, ""))
            .collect(inOrder());
    assertThat(ROW.matcher(page).results().map(row -> row.group(1)))
        .doesNotHaveDuplicates()
        .containsExactlyInAnyOrderElementsOf(measured);
  }

  @Test
  void everyNameOnThePageIsMeasured() {
    Set<String> known = names();
    List<String> named = USED.matcher(page).results().map(each -> each.group(1)).toList();
    assertThat(named).hasSizeGreaterThan(25);
    assertThat(named).allMatch(name -> known.contains(name) || known.contains(name + "_count"));
  }

  @Test
  void everyAlertIsARuleOfPrometheus() {
    assertThat(alerts).hasSizeGreaterThan(10);
    for (JsonNode alert : alerts) {
      assertThat(alert.path("alert").asText()).matches("Vault[A-Za-z]+");
      assertThat(Json.names(alert)).isSubsetOf("alert", "expr", "for", "labels", "annotations");
      assertThat(alert.path("for").asText("1m")).matches("[0-9]+m");
      assertThat(alert.at("/labels/severity").asText()).isIn("page", "ticket");
      assertThat(alert.at("/annotations/summary").asText()).isNotBlank();
      assertThat(Json.names(alert.path("annotations"))).isSubsetOf("summary", "description");
      String expression = alert.path("expr").asText();
      assertThat(count(expression, '(')).as(expression).isEqualTo(count(expression, ')'));
    }
  }

  private static long count(String text, char character) {
    return text.chars().filter(each -> each == character).count();
  }

  @Test
  void everyMetricAndLabelOfAnAlertIsMeasured() {
    for (JsonNode alert : alerts) {
      String expression = alert.path("expr").asText();
      List<MatchResult> used = USED.matcher(expression).results().toList();
      assertThat(used).as(expression).isNotEmpty();
      for (MatchResult metric : used) {
        assertThat(names()).as(expression).contains(metric.group(1));
        if (metric.group(2) != null) {
          assertThat(LABEL.matcher(metric.group(2)).results().map(label -> label.group(1)))
              .as(expression)
              .isSubsetOf(labels(metric.group(1)));
        }
      }
    }
  }

  @Test
  void everyAlertIsOnThePage() {
    assertThat(alerts.stream().map(alert -> "`" + alert.path("alert").asText() + "`"))
        .allMatch(page::contains)
        .doesNotHaveDuplicates();
  }

  @Test
  void everyMetricSaysWhatItIs() {
    assertThat(names().stream().map(name -> name.replaceFirst(PARTS, "")))
        .filteredOn(name -> name.startsWith("vault_"))
        .allMatch(name -> scrape.contains("# HELP " + name + " "));
  }
}
