package io.tokenvault.server.cli;

import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.FeedPosition;
import io.tokenvault.ports.audit.LogFeed.Selection;
import io.tokenvault.ports.usecase.audit.DumpLog;
import io.tokenvault.ports.usecase.audit.ExportLog;
import io.tokenvault.ports.usecase.audit.ExportLog.Exported;
import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.audit.LineSink;
import io.tokenvault.server.audit.LogItemLine;
import io.tokenvault.server.config.OperatorException;
import io.tokenvault.server.files.OwnerOnlyFile;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/**
 * The common part of commands that copy the audit log to a new file or to standard output.
 *
 * <p>It extends the hash chains first, so that the copy includes all entries written before it.
 */
abstract class LogCopyCommand extends VaultCommand implements Callable<Integer> {

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
  LogCopyCommand(String done) {
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
    if (output != null && output.toString().isEmpty()) {
      throw wrongCommandLine("--output requires a file name. Omit it to write to standard output.");
    }
    try (Backend backend = openBackend();
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

  /**
   * Copies the audit log with its hash chains, each line in the format of {@link LogItemLine}. The
   * last one has the number of all others, which shows whether the dump is complete.
   */
  @Command(
      name = "dump",
      description = {
        "Print the whole audit log with its hash chain, for 'audit verify --dump'. One JSON line",
        "per chain link with its entries. The dump is recorded in the log of each tenant."
      })
  static final class AuditDump extends LogCopyCommand {

    AuditDump() {
      super("dumped");
    }

    /**
     * {@inheritDoc}
     *
     * <p>The exit code is always 0.
     */
    @Override
    IntSupplier copy(Backend backend, Optional<TenantId> only, OutputStream out)
        throws IOException {
      Writer writer = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
      AtomicLong count = new AtomicLong();
      JdbiStores database = backend.database();
      new DumpLog(database.chainedLog(), database.hashChains(), database.recorder())
          .run(
              only,
              item -> {
                write(writer, LogItemLine.of(item));
                count.incrementAndGet();
              });
      write(writer, LogItemLine.end(count.get()));
      writer.flush();
      return () -> 0;
    }

    private static void write(Writer out, String line) {
      try {
        out.write(line);
        out.write('\n');
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
    }
  }

  /** Exports audit entries that the hash chains cover, in the order of the chains. */
  @Command(
      name = "export",
      description = {
        "Export audit entries in chain order, one JSON line each. Pass the position of the last",
        "line to --since to continue without a gap; entries written meanwhile are part of the",
        "next export. The export is recorded in the log of each exported tenant. Standard error",
        "reports the number of entries and, without --until, the position to continue from."
      })
  static final class AuditExport extends LogCopyCommand {

    @Option(
        names = "--since",
        paramLabel = "DATE|POSITION",
        converter = Start.Reader.class,
        description = "Start time (a date is its start in UTC), or position after which to start.")
    private Start since = Start.START;

    @Option(
        names = "--until",
        paramLabel = "DATE",
        converter = MomentConverter.class,
        description = "End time, exclusive.")
    private Instant until;

    AuditExport() {
      super("exported");
    }

    /**
     * {@inheritDoc}
     *
     * <p>The exit code is 1 if entries are missing that the hash chains cover.
     */
    @Override
    IntSupplier copy(Backend backend, Optional<TenantId> only, OutputStream out) {
      Exported exported =
          export(
              new ExportLog(backend.database().logFeed(), backend.database().recorder()),
              only,
              out);
      return () -> {
        report(exported);
        return exported.missing() == 0 ? 0 : CommandFailures.FAILED;
      };
    }

    /** Exports from a position if there is one, otherwise from a time or the start. */
    private Exported export(ExportLog log, Optional<TenantId> only, OutputStream out) {
      LineSink sink =
          new LineSink(
              lines -> {
                out.write(lines);
                out.flush();
              });
      Selection selection = new Selection(only, since.time(), Optional.ofNullable(until));
      return since.position().isPresent()
          ? log.run(selection, since.position().get(), sink)
          : log.run(selection, sink);
    }

    /** Prints the number of entries and, without an end, the position to continue from. */
    private void report(Exported exported) {
      PrintWriter err = err();
      // With an end, entries before the reached position may have been skipped, so it is not
      // printed.
      String next = until == null ? " Continue with --since " + exported.reached() : "";
      err.println("Exported " + exported.entries() + " entries." + next);
      if (exported.missing() > 0) {
        err.println(
            exported.missing() + " entries of the chain are missing: 'audit verify' lists them.");
      }
    }

    /**
     * The start of an export: the start of the log, a time, or a position.
     *
     * @param time only entries that were written at this time or later
     * @param position only entries after this position; a time and a position exclude each other
     */
    private record Start(Optional<Instant> time, Optional<FeedPosition> position) {

      static final Start START = new Start(Optional.empty(), Optional.empty());

      /** Parses a position or, if it is not one, a time. */
      static final class Reader implements ITypeConverter<Start> {
        @Override
        public Start convert(String text) {
          Optional<FeedPosition> position = FeedPosition.read(text);
          return position.isPresent()
              ? new Start(Optional.empty(), position)
              : new Start(Optional.of(new MomentConverter().convert(text)), Optional.empty());
        }
      }
    }
  }
}
