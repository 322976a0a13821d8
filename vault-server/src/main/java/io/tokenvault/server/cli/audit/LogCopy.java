package io.tokenvault.server.cli.audit;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.cli.context.CannotWriteException;
import io.tokenvault.server.cli.context.CommandContext;
import io.tokenvault.server.config.Configuration;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.IntSupplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The common part of commands that copy the audit log to a new file or to standard output.
 *
 * <p>It extends the hash chains first, so that the copy includes all entries written before it.
 */
abstract class LogCopy implements Callable<Integer> {

  private final CommandContext surroundings;
  private final String done;

  @Option(names = "--tenant", paramLabel = "ID", description = "Only this tenant's.")
  private UUID tenant;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "A new file to write to, readable by its owner only; else standard output.")
  private Path output;

  @Spec private CommandSpec spec;

  /**
   * Creates the command.
   *
   * @param done the verb of the message if this fails, such as {@code "exported"}
   */
  LogCopy(CommandContext surroundings, String done) {
    this.surroundings = surroundings;
    this.done = done;
  }

  /**
   * Writes the copy.
   *
   * @param only the tenant whose entries are copied; empty: all tenants
   * @param out the target, which the caller makes durable and closes
   * @return prints the result and returns the exit code; it is called after the copy is durable
   */
  abstract IntSupplier copy(Backend backend, Optional<TenantId> only, OutputStream out)
      throws IOException;

  CommandSpec spec() {
    return spec;
  }

  /**
   * Copies the log, makes the copy durable, then reports the result.
   *
   * @throws CannotWriteException if the target fails before the end of the copy
   */
  @Override
  public Integer call() throws IOException {
    Configuration configuration = surroundings.configuration();
    if (output != null && output.toString().isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "--output needs the name of a file; without it, standard output.");
    }
    try (Backend backend = Backend.forCommand(configuration, surroundings.randomness());
        CopyTarget target = CopyTarget.of(Optional.ofNullable(output), surroundings.out(), done)) {
      backend.sealLog().run();
      IntSupplier outcome =
          copy(backend, Optional.ofNullable(tenant).map(TenantId::new), target.stream());
      target.finish();
      return outcome.getAsInt();
    } catch (UncheckedIOException refused) {
      throw new CannotWriteException(
          "The log was not " + done + " to its end: what it is written to takes no more.");
    }
  }
}
