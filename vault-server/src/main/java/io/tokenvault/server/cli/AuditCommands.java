package io.tokenvault.server.cli;

import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.FeedPosition;
import io.tokenvault.ports.audit.LogFeed.Selection;
import io.tokenvault.ports.audit.LogMonths.RefusedDropException;
import io.tokenvault.ports.audit.LogMonths.State;
import io.tokenvault.ports.usecase.audit.DropLogPartitions;
import io.tokenvault.ports.usecase.audit.DumpLog;
import io.tokenvault.ports.usecase.audit.ExportLog;
import io.tokenvault.ports.usecase.audit.ExportLog.Exported;
import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.audit.LineSink;
import io.tokenvault.server.audit.LogItemLine;
import io.tokenvault.server.config.OperatorException;
import io.tokenvault.server.files.OwnerOnlyFile;
import io.tokenvault.server.files.OwnerOnlyFile.OpenToOthersException;
import io.tokenvault.server.json.JsonLine;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.YearMonth;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The commands that copy the audit log and drop old months of it. */
@Command(
    name = "audit",
    description = "Verify, export and prune the audit log.",
    addMethodSubcommands = false)
final class AuditCommands extends VaultCommand {

  /** The tenant whose log is copied, and the target of the copy. */
  static final class CopyOptions {

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
  }

  /** Writes a copy of the log. */
  private interface LogCopy {

    /**
     * Writes the copy.
     *
     * @param only the tenant whose entries are copied; empty: all tenants
     * @param out the target, which the caller makes durable and closes
     * @return prints the result and returns the exit code; it is called after the copy is durable
     */
    IntSupplier write(Backend backend, Optional<TenantId> only, OutputStream out)
        throws IOException;
  }

  /**
   * Copies the log, makes the copy durable, then reports the result. A file exists only if it is
   * complete.
   *
   * <p>It extends the hash chains first, so that the copy includes all entries written before it.
   *
   * @param done the verb of the message if this fails, such as {@code "exported"}
   * @throws OperatorException if the target fails before the end of the copy
   */
  private int copy(CopyOptions options, String done, LogCopy copy) {
    Path output = options.output;
    if (output != null && output.toString().isEmpty()) {
      throw wrongCommandLine("--output requires a file name. Omit it to write to standard output.");
    }
    try (Backend backend = openBackend()) {
      if (output != null && Files.exists(output)) {
        throw new FileAlreadyExistsException(output.toString());
      }
      backend.extendHashChains().run();
      Optional<TenantId> only = Optional.ofNullable(options.tenant).map(TenantId::new);
      if (output == null) {
        return copy.write(backend, only, context().out()).getAsInt();
      }
      AtomicReference<IntSupplier> outcome = new AtomicReference<>();
      new OwnerOnlyFile(output).create(out -> outcome.set(copy.write(backend, only, out)));
      return outcome.get().getAsInt();
    } catch (FileAlreadyExistsException exists) {
      throw new OperatorException(
          "The file " + output + " already exists; nothing was " + done + ".");
    } catch (OpenToOthersException open) {
      throw new OperatorException(open.getMessage() + " Nothing was " + done + ".");
    } catch (IOException | UncheckedIOException refused) {
      throw new OperatorException(
          output == null
              ? "The log was not " + done + " completely: standard output is closed or full."
              : "The file " + output + " cannot be written; nothing was " + done + ".");
    }
  }

  /**
   * Copies the audit log with its hash chains, each line in the format of {@link LogItemLine}. The
   * last one has the number of all others, which shows whether the dump is complete.
   */
  @Command(
      name = "dump",
      mixinStandardHelpOptions = true,
      description = {
        "Print the whole audit log with its hash chain, for 'audit verify --dump'. One JSON line",
        "per chain link with its entries. The dump is recorded in the log of each tenant."
      })
  int dump(@Mixin CopyOptions options) {
    return copy(
        options,
        "dumped",
        (backend, only, out) -> {
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
        });
  }

  private static void write(Writer out, String line) {
    try {
      out.write(line);
      out.write('\n');
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Exports audit entries. The exit code is 1 if entries are missing that the chains cover. */
  @Command(
      name = "export",
      mixinStandardHelpOptions = true,
      description = {
        "Export audit entries in chain order, one JSON line each. Pass the position of the last",
        "line to --since to continue without a gap; entries written later are part of the",
        "next export. The export is recorded in the log of each exported tenant. Standard error",
        "reports the number of entries and, without --until, the position to continue from."
      })
  int export(
      @Mixin CopyOptions options,
      @Option(
              names = "--since",
              paramLabel = "DATE|POSITION",
              converter = StartConverter.class,
              description =
                  "Start time (a date is its start in UTC), or position after which to start.")
          Start since,
      @Option(
              names = "--until",
              paramLabel = "DATE",
              converter = MomentConverter.class,
              description = "End time, exclusive.")
          Instant until) {
    Start start = since == null ? new Start(Optional.empty(), Optional.empty()) : since;
    return copy(
        options,
        "exported",
        (backend, only, out) -> {
          Selection selection = new Selection(only, start.time(), Optional.ofNullable(until));
          LineSink sink =
              new LineSink(
                  lines -> {
                    out.write(lines);
                    out.flush();
                  });
          ExportLog log =
              new ExportLog(backend.database().logFeed(), backend.database().recorder());
          Exported exported =
              start.position().isPresent()
                  ? log.run(selection, start.position().get(), sink)
                  : log.run(selection, sink);
          return () -> report(exported, until == null);
        });
  }

  /** Prints the number of entries and, without an end, the position to continue from. */
  private int report(Exported exported, boolean isOpen) {
    // With an end, entries before the reached position may have been skipped, so it is not printed.
    String next = isOpen ? " Continue with --since " + exported.reached() : "";
    err().println("Exported " + exported.entries() + " entries." + next);
    return exported.missing() == 0
        ? 0
        : fail(
            exported.missing() + " entries of the chain are missing: 'audit verify' lists them.");
  }

  /**
   * The start of an export: the start of the log, a time, or a position.
   *
   * @param time only entries that were written at this time or later
   * @param position only entries after this position; a time and a position exclude each other
   */
  record Start(Optional<Instant> time, Optional<FeedPosition> position) {}

  /** Parses a position or, if it is not one, a time. */
  static final class StartConverter implements ITypeConverter<Start> {
    @Override
    public Start convert(String text) {
      Optional<FeedPosition> position = FeedPosition.read(text);
      try {
        return position.isPresent()
            ? new Start(Optional.empty(), position)
            : new Start(Optional.of(new MomentConverter().convert(text)), Optional.empty());
      } catch (TypeConversionException malformed) {
        throw new TypeConversionException(
            malformed.getMessage() + ", or the position of an exported entry");
      }
    }
  }

  /** Extends the hash chains first, so that recent entries do not keep an old month. */
  @Command(
      name = "drop",
      mixinStandardHelpOptions = true,
      description = {
        "Delete old months of the audit log permanently, for all tenants, oldest first. Each",
        "deletion is recorded in the log of every affected tenant, so that 'audit verify'",
        "accepts it. A month with entries outside the hash chain is kept, and so are later",
        "months. Prints one JSON line per month: month, entries, sealed, streamed, dropped."
      })
  int drop(
      @Option(
              names = "--before",
              required = true,
              paramLabel = "YYYY-MM",
              converter = MonthConverter.class,
              description = "First month to keep (UTC); at most the current month.")
          YearMonth before,
      @Option(names = "--dry-run", description = "Show what would be deleted, without deleting.")
          boolean dryRun,
      @Option(
              names = "--unstreamed",
              description =
                  "Also delete entries that an audit stream (VAULT_AUDIT_STREAM) has not"
                      + " delivered.")
          boolean unstreamed) {
    try (Backend backend = openBackend()) {
      backend.extendHashChains().run();
      DropLogPartitions months =
          new DropLogPartitions(backend.database().logMonths(), backend.keys());
      for (State state : months.before(before)) {
        if (!dryRun) {
          requireStreamed(state, unstreamed);
          months.drop(state.month());
        }
        out()
            .println(
                new JsonLine()
                    .with("month", state.month().toString())
                    .with("entries", state.entries())
                    .with("sealed", state.chained())
                    .with("streamed", state.streamed())
                    .with("dropped", !dryRun));
      }
      return 0;
    }
  }

  /** Requires that a stream of the log has received all entries of the month. */
  private static void requireStreamed(State state, boolean unstreamed) {
    if (!state.streamed() && !unstreamed) {
      throw new RefusedDropException(
          state.month(),
          "has entries that the audit stream has not delivered, and is kept; --unstreamed deletes"
              + " it anyway.");
    }
  }

  /** Parses a month in the form {@code YYYY-MM}. */
  static final class MonthConverter implements ITypeConverter<YearMonth> {
    @Override
    public YearMonth convert(String text) {
      try {
        return YearMonth.parse(text);
      } catch (DateTimeException malformed) {
        throw new TypeConversionException("must be a month such as 2025-01");
      }
    }
  }
}
