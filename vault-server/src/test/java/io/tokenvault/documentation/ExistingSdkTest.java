package io.tokenvault.documentation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import io.tokenvault.server.environment.Ports;
import io.tokenvault.server.environment.ProgramRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import mockwebserver3.MockResponse;
import mockwebserver3.RecordedRequest;
import okio.ByteString;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that each call of the unchanged SDK from npm has the outcome in the table of its guide. */
@Tag("long")
final class ExistingSdkTest {

  private static final String PAGE = "use-an-existing-sdk.md";
  private static final List<String> VERSIONS = List.of("1.79.3", "4.30.2");
  private static final Path CALLS =
      Path.of("src", "test", "resources", "sdk", "calls.cjs").toAbsolutePath();
  private static final Pattern ROW = Pattern.compile("(?m)^\\| (`.+?`) \\| ([a-z0-9]+) \\| .*\\|$");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  @TempDir private static Path packages;

  @BeforeAll
  static void install() throws Exception {
    for (String version : VERSIONS) {
      Path folder = Files.createDirectories(packages.resolve(version));
      String sdk = "@basis-theory/basis-theory-js@" + version;
      String install = "npm install --prefix . --ignore-scripts --no-audit --no-fund " + sdk;
      assumeTrue(
          ProgramRun.in(folder, Map.of(), install.split(" ")).isSuccess(),
          "the SDK is missing: Node.js 18 or later, npm, and access to a registry are needed");
    }
  }

  @Test
  void everyCallOfEachVersionHasDocumentedOutcome() throws Exception {
    Map<String, String> outcomes = new TreeMap<>();
    try (HttpsDestination destination = HttpsDestination.start().respond(ExistingSdkTest::echo);
        RunningVault vault = RunningVault.start(Map.of("VAULT_HEADER_PREFIX", "BT-"))) {
      for (String version : VERSIONS) {
        assertThat(Files.readString(GuideRun.GUIDES.resolve(PAGE))).contains(version);
        calls(version, vault, destination)
            .forEach(
                (call, outcome) ->
                    assertThat(outcomes.merge(call, outcome, (first, second) -> second))
                        .as("%s of %s", call, version)
                        .isEqualTo(outcome));
      }
    }
    assertThat(outcomes).isEqualTo(table());
  }

  /** Returns the outcome of each call. */
  private static Map<String, String> calls(
      String version, RunningVault vault, HttpsDestination destination) throws Exception {
    TenantFixture tenant = vault.newTenant();
    Map<String, String> environment =
        Map.of(
            "NODE_PATH",
            packages.resolve(version).resolve("node_modules").toString(),
            "VAULT",
            "http://localhost:" + vault.port(),
            "MANAGEMENT_KEY",
            tenant.management().key(),
            "DESTINATION",
            destination.url() + "/echo");
    String output =
        ProgramRun.in(packages.resolve(version), environment, "node", CALLS.toString())
            .expectSuccess();
    Map<String, String> outcomes = new TreeMap<>();
    output
        .lines()
        .map(Json::parse)
        .forEach(call -> outcomes.put(call.get("call").asText(), call.get("outcome").asText()));
    return outcomes;
  }

  /** Returns the documented outcome of each call. */
  private static Map<String, String> table() throws IOException {
    Map<String, String> outcomes = new TreeMap<>();
    Matcher row = ROW.matcher(Files.readString(GuideRun.GUIDES.resolve(PAGE)));
    while (row.find()) {
      Matcher call = CODE.matcher(row.group(1));
      while (call.find()) {
        assertThat(outcomes.put(call.group(1), row.group(2))).as(call.group(1)).isNull();
      }
    }
    return outcomes;
  }

  @Test
  void guideRunsAsWritten(@TempDir Path directory) throws Exception {
    String port = String.valueOf(Ports.free(1).get(0));
    GuideRun.of(PAGE, directory)
        .needs("bash", "curl", "jq", "shred")
        .replace("localhost:8080", "localhost:" + port)
        .set("VAULT_PORT", port)
        .set("VAULT_ADMIN_PORT", "off")
        .run();
  }

  private static MockResponse echo(RecordedRequest request) {
    ObjectNode headers = Json.object();
    request
        .getHeaders()
        .forEach(each -> headers.put(each.getFirst().toLowerCase(Locale.ROOT), each.getSecond()));
    String body = Optional.ofNullable(request.getBody()).map(ByteString::utf8).orElse("");
    return new MockResponse.Builder()
        .addHeader("Content-Type", "application/json")
        .body(
            Json.object("method", request.getMethod(), "path", request.getTarget(), "body", body)
                .set("headers", headers)
                .toString())
        .build();
  }
}
