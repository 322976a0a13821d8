package io.tokenvault.server.process.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.process.fixture.Directories;
import io.tokenvault.server.process.fixture.Http;
import io.tokenvault.server.process.fixture.VaultProcess;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code VAULT_LOG_FORMAT=json}, as a collector of logs sees it. */
@Timeout(600)
final class JsonLogTest {

  @Test
  void everyLineOfARunningServerIsAnObject() {
    Map<String, String> settings = new HashMap<>(Directories.settings(Directories.used()));
    settings.put("VAULT_LOG_FORMAT", "json");
    settings.put("VAULT_PORT", "0");
    List<String> lines;
    try (VaultProcess server = VaultProcess.start(settings, "serve")) {
      server.await("a server that listens", () -> server.err().contains("listens on"));
      lines = server.err().lines().filter(line -> !line.isBlank()).toList();
    }
    assertThat(lines).isNotEmpty();
    for (String line : lines) {
      JsonNode event = Http.json(line);
      assertThat(event.path("level").asText()).as(line).isIn("INFO", "WARN");
      assertThat(event.path("formattedMessage").asText()).as(line).isNotEmpty();
    }
    assertThat(String.join("\n", lines)).contains("listens on");
  }
}
