package io.tokenvault.server.cli.audit;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.LogFeed.Selection;
import io.tokenvault.ports.usecase.audit.ExportLog;
import io.tokenvault.ports.usecase.audit.ExportLog.Exported;
import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.cli.context.CommandContext;
import io.tokenvault.server.cli.context.CommandFailures;
import io.tokenvault.server.feed.LineSink;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Optional;
import java.util.function.IntSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Exports audit entries that the hash chains cover, in the order of the chains.
 *
 * <p>Each line has a position. An export with {@code --since} and the last position continues
 * exactly after it, without gaps or repetitions.
 *
 * <pre>{@code
 * vault-server audit export --since 2025-01-01 --output january.jsonl
 * }</pre>
 */
@Command(
    name = "export",
    description = {
      "Prints the sealed entries of the log, one line of JSON each, in the order in which they were",
      "sealed. Each has a position: --since with that of the last line goes on right after it, and",
      "misses nothing. What is written meanwhile comes with the next export.",
      "The export is recorded in the log of each tenant whose entries it prints.",
      "Standard error tells how many there were and, without --until, where to go on."
    },
    mixinStandardHelpOptions = true)
public final class AuditExport extends LogCopy {

  @Option(
      names = "--since",
      paramLabel = "DATE|POSITION",
      converter = ExportStart.Reader.class,
      description = "From this moment on (a date is its start in UTC), or after this position.")
  private ExportStart since = ExportStart.START;

  @Option(
      names = "--until",
      paramLabel = "DATE",
      converter = ExportStart.Moment.class,
      description = "Only entries that were written before this moment.")
  private Instant until;

  public AuditExport(CommandContext surroundings) {
    super(surroundings, "exported");
  }

  /**
   * {@inheritDoc}
   *
   * <p>The exit code is 1 if entries are missing that the hash chains cover.
   */
  @Override
  IntSupplier copy(Backend backend, Optional<TenantId> only, OutputStream out) {
    Exported exported = export(backend.exportLog(), only, out);
    return () -> {
      tell(exported);
      return exported.missing() == 0 ? 0 : CommandFailures.FAILED;
    };
  }

  /** Exports from a position if there is one, otherwise from a time or the start. */
  private Exported export(ExportLog log, Optional<TenantId> only, OutputStream out) {
    LineSink sink = LineSink.to(out);
    Selection selection = new Selection(only, since.time(), Optional.ofNullable(until));
    return since.position().isPresent()
        ? log.run(selection, since.position().get(), sink)
        : log.run(selection, sink);
  }

  /** Prints the number of entries and, without an end, the position to continue from. */
  private void tell(Exported exported) {
    PrintWriter err = spec().commandLine().getErr();
    // With an end, entries before the reached position may have been skipped, so it is not printed.
    String next = until == null ? " Go on with --since " + exported.reached() : "";
    err.println("Exported " + exported.entries() + " entries." + next);
    if (exported.missing() > 0) {
      err.println(exported.missing() + " entries are sealed and gone: 'audit verify' tells which.");
    }
  }
}
