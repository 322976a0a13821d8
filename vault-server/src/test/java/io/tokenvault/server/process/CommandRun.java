package io.tokenvault.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.cli.RootCommand;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Map;

/**
 * A command that ran in this JVM, which spares the start of another; what it logged is not here.
 * That a process of its own ends the same way is shown with {@link VaultProcess#run}.
 */
record CommandRun(String name, int exitCode, String out, String err) {

  /** Runs a command to its end; of the environment it sees these settings and no other. */
  static CommandRun run(Map<String, String> settings, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exitCode = RootCommand.run(settings, new SecureRandom(), out, err, arguments);
    return new CommandRun(
        String.join(" ", arguments),
        exitCode,
        out.toString(StandardCharsets.UTF_8),
        err.toString(StandardCharsets.UTF_8));
  }

  /** It has to have ended like this. */
  CommandRun expectExit(int code) {
    assertThat(exitCode).as("exit code of %s", this).isEqualTo(code);
    return this;
  }

  @Override
  public String toString() {
    return name + "\nstdout: " + out + "\nstderr: " + err;
  }
}
