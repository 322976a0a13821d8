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

/** Copies the log, sealed up to now, to a new file or to standard output. */
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
   * @param done what was not done to the log's end if this fails, such as {@code "exported"}
   */
  LogCopy(CommandContext surroundings, String done) {
    this.surroundings = surroundings;
    this.done = done;
  }

  /** Gives what says how it went, with the exit code, once all that was written is durable. */
  abstract IntSupplier copy(Backend backend, Optional<TenantId> only, OutputStream out)
      throws IOException;

  CommandSpec spec() {
    return spec;
  }

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
