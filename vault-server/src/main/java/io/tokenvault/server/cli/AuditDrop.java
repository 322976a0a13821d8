package io.tokenvault.server.cli;

import io.tokenvault.ports.audit.LogMonths.RefusedDropException;
import io.tokenvault.ports.audit.LogMonths.State;
import io.tokenvault.ports.usecase.audit.DropLogPartitions;
import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.json.JsonLine;
import java.time.DateTimeException;
import java.time.YearMonth;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Drops old partitions of the audit log, one for each month. */
@Command(
    name = "drop",
    description = {
      "Delete old months of the audit log permanently, for all tenants, oldest first. Each",
      "deletion is recorded in the log of every affected tenant, so that 'audit verify'",
      "accepts it. A month with entries outside the hash chain is kept, and so are later",
      "months. Prints one JSON line per month: month, entries, sealed, streamed, dropped."
    })
final class AuditDrop extends VaultCommand implements Callable<Integer> {

  @Option(
      names = "--before",
      required = true,
      paramLabel = "YYYY-MM",
      converter = Month.class,
      description = "First month to keep (UTC); at most the current month.")
  private YearMonth before;

  @Option(names = "--dry-run", description = "Show what would be deleted, without deleting.")
  private boolean dryRun;

  @Option(
      names = "--unstreamed",
      description =
          "Also delete entries that an audit stream (VAULT_AUDIT_STREAM) has not delivered.")
  private boolean unstreamed;

  /** Extends the hash chains first, so that recent entries do not keep an old month. */
  @Override
  public Integer call() {
    try (Backend backend = openBackend()) {
      backend.extendHashChains().run();
      DropLogPartitions months =
          new DropLogPartitions(backend.database().logMonths(), backend.keys());
      months.before(before).forEach(month -> drop(months, month));
      return 0;
    }
  }

  /** Drops a month unless this is a dry run, and prints its state. */
  private void drop(DropLogPartitions months, State state) {
    if (!dryRun) {
      requireStreamed(state);
      months.drop(state.month());
    }
    out().println(line(state));
  }

  /** Requires that a stream of the log has received all entries of the month. */
  private void requireStreamed(State state) {
    if (!state.streamed() && !unstreamed) {
      throw new RefusedDropException(
          state.month(),
          "has entries that the audit stream has not delivered, and is kept; --unstreamed deletes"
              + " it anyway.");
    }
  }

  private JsonLine line(State state) {
    return new JsonLine()
        .with("month", state.month().toString())
        .with("entries", state.entries())
        .with("sealed", state.sealed())
        .with("streamed", state.streamed())
        .with("dropped", !dryRun);
  }

  /** Parses a month in the form {@code YYYY-MM}. */
  static final class Month implements ITypeConverter<YearMonth> {
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
