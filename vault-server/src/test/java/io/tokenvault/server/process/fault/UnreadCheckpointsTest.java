package io.tokenvault.server.process.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tokenvault.server.environment.ProgramRun;
import io.tokenvault.server.process.fixture.DataDirectories;
import io.tokenvault.server.process.fixture.VaultProcess;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests checkpoints that are written to a pipe without a reader. */
@Tag("long")
@Timeout(600)
final class UnreadCheckpointsTest {

  private static final String MISSING_MKFIFO = "mkfifo is missing: apt-get install coreutils";

  private static final int EXIT_SIGTERM = 143;

  private final Path data = DataDirectories.withTenant();
  private final Path pipe = data.resolve("checkpoints");

  @Test
  void serverStillExitsOnTermination() {
    assumeTrue(ProgramRun.of("mkfifo", pipe.toString()).isSuccess(), MISSING_MKFIFO);
    Map<String, String> settings = DataDirectories.settings(data);
    settings.put("VAULT_AUDIT_CHECKPOINTS", "file:" + pipe);

    try (VaultProcess server = VaultProcess.serve(settings)) {
      server.terminate();

      server.expectExit(EXIT_SIGTERM);
      assertThat(server.err()).contains("The last checkpoint was not written in time");
    }
  }
}
