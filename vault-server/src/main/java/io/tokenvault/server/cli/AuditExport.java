package io.tokenvault.server.cli;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.spi.FeedPosition;
import io.tokenvault.ports.spi.LogFeed.Selection;
import io.tokenvault.ports.usecase.ExportLog;
import io.tokenvault.ports.usecase.ExportLog.Exported;
import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.feed.LineSink;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Copies the log out of the vault. */
@Command(
    name = "export",
    description = {
      "Prints the sealed entries of the log, one line of JSON each, in the order in which they were",
      "sealed. Each has a position: --since with that of the last line goes on right after it, and",
      "misses nothing. What is written meanwhile comes with the next export.",
      "The export is recorded in the log of each tenant whose entries it prints.",
      "Standard error tells how many there were and where to go on."
    },
    mixinStandardHelpOptions = true)
final class AuditExport implements Callable<Integer> {

  private final Surroundings surroundings;

  @Option(
      names = "--since",
      paramLabel = "DATE|POSITION",
      converter = Since.Reader.class,
      description = "From this moment on (a date is its start in UTC), or after this position.")
  private Since since = Since.START;

  @Option(
      names = "--until",
      paramLabel = "DATE",
      converter = Since.Moment.class,
      description = "Only entries that were written before this moment.")
  private Instant until;

  @Option(names = "--tenant", paramLabel = "ID", description = "Only this tenant's.")
  private UUID tenant;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "A new file to write to, readable by its owner only; else standard output.")
  private Path output;

  @Spec private CommandSpec spec;

  AuditExport(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException {
    try (Backend backend =
            Backend.forCommand(surroundings.configuration(), surroundings.randomness());
        ExportTarget target = ExportTarget.of(Optional.ofNullable(output))) {
      backend.sealLog().run();
      Exported exported = export(backend.exportLog(), target);
      target.finish();
      tell(exported);
      return exported.missing() == 0 ? 0 : Failures.FAILED;
    } catch (UncheckedIOException refused) {
      throw new CannotWriteException(
          "The log was not exported to its end: what it is written to takes no more.");
    }
  }

  private Exported export(ExportLog log, ExportTarget target) {
    LineSink sink = LineSink.to(target.stream());
    Selection selection =
        new Selection(
            Optional.ofNullable(tenant).map(TenantId::new),
            since.time(),
            Optional.ofNullable(until));
    return since.position().isPresent()
        ? log.run(selection, since.position().get(), sink)
        : log.run(selection, sink);
  }

  private void tell(Exported exported) {
    PrintWriter err = spec.commandLine().getErr();
    FeedPosition reached = exported.reached();
    err.println("Exported " + exported.entries() + " entries. Go on with --since " + reached);
    if (exported.missing() > 0) {
      err.println(exported.missing() + " entries are sealed and gone: 'audit verify' tells which.");
    }
  }
}
