package io.tokenvault.server.cli;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.config.OperatorException;
import io.tokenvault.server.files.OwnerOnlyFile;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.UUID;
import java.util.function.IntSupplier;
import picocli.CommandLine.Option;

/**
 * The common part of commands that copy the audit log to a new file or to standard output.
 *
 * <p>It extends the hash chains first, so that the copy includes all entries written before it.
 */
abstract class LogCopy extends VaultCommand {

  private final String done;

  @Option(
      names = "--tenant",
      paramLabel = "ID",
      description = "Only this tenant (default: all tenants).")
  private UUID tenant;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "File to create, readable by its owner only (default: standard output).")
  private Path output;

  /**
   * Creates the command.
   *
   * @param done the verb of the message if this fails, such as {@code "exported"}
   */
  LogCopy(String done) {
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

  /**
   * Copies the log, makes the copy durable, then reports the result.
   *
   * @throws OperatorException if the target fails before the end of the copy
   */
  @Override
  public Integer call() throws IOException {
    Configuration configuration = context().configuration();
    if (output != null && output.toString().isEmpty()) {
      throw wrongCommandLine("--output requires a file name. Omit it to write to standard output.");
    }
    try (Backend backend = Backend.forCommand(configuration, context().randomness());
        FileChannel file = output == null ? null : create(output)) {
      backend.extendHashChains().run();
      OutputStream target = file == null ? context().out() : Channels.newOutputStream(file);
      IntSupplier outcome = copy(backend, Optional.ofNullable(tenant).map(TenantId::new), target);
      if (file != null) {
        file.force(true);
      }
      return outcome.getAsInt();
    } catch (UncheckedIOException refused) {
      throw new OperatorException(
          "The log was not " + done + " completely: the output is closed or full.");
    }
  }

  /**
   * Creates the file with permissions for its owner only; an existing file is never overwritten.
   */
  private FileChannel create(Path file) {
    try {
      return OwnerOnlyFile.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
    } catch (FileAlreadyExistsException exists) {
      throw new OperatorException(
          "There is a file " + file + " already; nothing was " + done + ".");
    } catch (IOException failed) {
      throw new OperatorException(
          "The file " + file + " cannot be made; nothing was " + done + ".");
    }
  }
}
