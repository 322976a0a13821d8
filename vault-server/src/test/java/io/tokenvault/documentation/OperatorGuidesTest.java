package io.tokenvault.documentation;

import io.tokenvault.server.environment.Ports;
import io.tokenvault.server.process.fixture.LocalPostgres;
import io.tokenvault.server.process.fixture.PostgresPrograms;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the guides that start servers, on free ports and with a separate PostgreSQL. */
@Tag("long")
@Timeout(600)
final class OperatorGuidesTest {

  private static final String ADMINISTRATOR = "administrator";
  private static final String PASSWORD = "administrator-secret";

  @Test
  void migrationGuideRuns(@TempDir Path directory) throws Exception {
    String port = ports(1).get(0);
    GuideRun.of("migrate-from-a-hosted-vault.md", directory)
        .needs("curl", "jq", "shred")
        .replace("127.0.0.1:8080", "127.0.0.1:" + port)
        .set("VAULT_PORT", port)
        .set("VAULT_ADMIN_PORT", "off")
        .run();
  }

  @Test
  void guideToThreeNodesRuns(@TempDir Path directory) throws Exception {
    List<String> samples = List.of("8081", "8082", "8083", "8091", "8092", "8093", "8443");
    List<String> ports = ports(samples.size());
    GuideRun guide =
        GuideRun.of("run-three-nodes.md", directory).needs("curl", "jq", "psql", "haproxy");
    for (int i = 0; i < samples.size(); i++) {
      guide.replace(samples.get(i), ports.get(i));
    }
    runWithPostgres(guide);
  }

  @Test
  void guideToKeyRotationRuns(@TempDir Path directory) throws Exception {
    GuideRun guide =
        GuideRun.of("rotate-every-key.md", directory)
            .needs("curl", "jq", "psql", "openssl")
            .replace("8443", ports(1).get(0));
    runWithPostgres(guide);
  }

  private static List<String> ports(int count) {
    return Ports.free(count).stream().map(String::valueOf).toList();
  }

  /** Runs a guide that creates its roles and its database as administrator of a cluster. */
  private static void runWithPostgres(GuideRun guide) throws Exception {
    PostgresPrograms programs = PostgresPrograms.require();
    try (LocalPostgres postgres = LocalPostgres.start(programs)) {
      postgres.sql(
          "postgres",
          "DROP DATABASE vault",
          "DROP ROLE vault_runtime",
          "CREATE ROLE %s SUPERUSER LOGIN PASSWORD '%s'".formatted(ADMINISTRATOR, PASSWORD));
      String login =
          "host=127.0.0.1 port=%d user=%s password=%s dbname=postgres"
              .formatted(postgres.port(), ADMINISTRATOR, PASSWORD);
      programs.run("psql", "-d", login, "-c", "ALTER ROLE vault_owner RENAME TO bootstrap");
      guide
          .set("PGHOST", "127.0.0.1")
          .set("PGPORT", String.valueOf(postgres.port()))
          .set("PGUSER", ADMINISTRATOR)
          .set("PGPASSWORD", PASSWORD)
          .run();
    }
  }
}
