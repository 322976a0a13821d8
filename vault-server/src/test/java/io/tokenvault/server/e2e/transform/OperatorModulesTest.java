package io.tokenvault.server.e2e.transform;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.engine.worker.compile.TransformCompiler;
import io.tokenvault.server.e2e.fixture.DatabaseTables;
import io.tokenvault.server.e2e.fixture.Eventually;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Operator modules on a server. */
final class OperatorModulesTest {

  @TempDir private Path folder;

  private static JsonNode readiness(RunningVault.Node node) {
    return node.call("GET", "/readyz").send().expect(200).json();
  }

  private static void awaitModules(RunningVault.Node node) {
    Eventually.holds(
        "modules are compiled",
        Duration.ofMinutes(2),
        () -> readiness(node).path("modules").path("complete").asBoolean());
  }

  /** The key of a compiled module in the database. */
  private static String contentHash(String source) throws NoSuchAlgorithmException {
    byte[] content = (TransformCompiler.VERSION + "\n" + source).getBytes(StandardCharsets.UTF_8);
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
  }

  @Test
  void readinessShowsCompiledModules() throws IOException {
    Files.writeString(folder.resolve("double.js"), "module.exports = n => 2 * n;");
    Files.writeString(folder.resolve("broken.js"), "module.exports = {");
    Map<String, String> settings = Map.of("VAULT_TRANSFORM_MODULES_DIR", folder.toString());
    try (RunningVault.Node node = RunningVault.shared().node(settings)) {
      awaitModules(node);

      assertThat(readiness(node).toString())
          .isEqualTo(
              "{\"status\":\"ready\",\"modules\":{\"complete\":true,\"compiled\":1,\"failed\":1}}");
    }
  }

  @Tag("long")
  @Test
  void swappedProgramsInDatabaseAreNotExecuted() throws Exception {
    String right = "module.exports = () => 'right';";
    String other = "module.exports = () => 'other';";
    Files.writeString(folder.resolve("right.js"), right);
    Files.writeString(folder.resolve("other.js"), other);
    Map<String, String> settings = Map.of("VAULT_TRANSFORM_MODULES_DIR", folder.toString());
    try (RunningVault.Node first = RunningVault.shared().node(settings)) {
      awaitModules(first);
    }
    TenantFixture tenant = RunningVault.shared().newTenant();
    try (DatabaseTables tables = DatabaseTables.of(RunningVault.shared())) {
      tables.update(
          """
          UPDATE compiled_module r SET wrapped_key = o.wrapped_key, program = o.program
          FROM compiled_module o WHERE r.content_hash = ? AND o.content_hash = '%s'\
          """
              .formatted(contentHash(other)),
          contentHash(right));
      String code =
          """
          if (require('right')() !== 'right') throw new Error('wrong code');
          module.exports = () => ({});
          """;
      try (RunningVault.Node next = RunningVault.shared().node(settings)) {
        awaitModules(next);
        next.call("POST", "/proxies")
            .key(tenant.management().key())
            .json(TenantFixture.transformingDraft("https://example.com", code))
            .send()
            .expect(201);
      }
      tables.update(
          """
          UPDATE compiled_module r SET used_at = r.used_at
          FROM compiled_module o WHERE r.content_hash = ? AND o.content_hash = '%s'
          AND r.program <> o.program\
          """
              .formatted(contentHash(other)),
          contentHash(right));
    }
  }
}
