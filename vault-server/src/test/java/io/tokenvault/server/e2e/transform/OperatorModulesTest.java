package io.tokenvault.server.e2e.transform;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Eventually;
import io.tokenvault.server.e2e.fixture.RunningVault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Modules of the operator on a server. */
final class OperatorModulesTest {

  @TempDir private Path folder;

  private static JsonNode readiness(RunningVault.Node node) {
    return node.call("GET", "/readyz").send().expect(200).json();
  }

  @Test
  void readinessShowsCompiledModules() throws IOException {
    Files.writeString(folder.resolve("double.js"), "module.exports = n => 2 * n;");
    Files.writeString(folder.resolve("broken.js"), "module.exports = {");
    Map<String, String> settings = Map.of("VAULT_TRANSFORM_MODULES_DIR", folder.toString());
    try (RunningVault.Node node = RunningVault.shared().node(settings)) {
      Eventually.holds(
          "modules are compiled",
          Duration.ofMinutes(2),
          () -> readiness(node).path("modules").path("complete").asBoolean());

      assertThat(readiness(node).toString())
          .isEqualTo(
              "{\"status\":\"ready\",\"modules\":{\"complete\":true,\"compiled\":1,\"failed\":1}}");
    }
  }
}
