package io.tokenvault.server.cli;

import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.config.OperatorException;
import io.tokenvault.server.imports.RejectedLines;
import io.tokenvault.server.imports.TokenFileImport;
import io.tokenvault.server.imports.TokenFileImport.Count;
import io.tokenvault.server.json.JsonLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Imports the tokens of another vault from a file. The progress is stored in a file beside it, from
 * which an identical command continues after an interruption.
 */
@Command(
    name = "import",
    description = {
      "Import tokens. Creates a token from each line of a file: JSON as accepted by POST",
      "/tokens or returned by GET /tokens; read-only fields such as created_at are ignored.",
      "Each token is recorded in the audit log. After an interruption, the same command",
      "continues and imports nothing twice. Without --rejects, the import stops at the first",
      "invalid line. The file contains secrets and is not deleted. Prints one JSON line:",
      "skipped, imported, duplicates, rejected, seconds, tokens_per_second."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every line was imported, or is valid (--dry-run)",
      "1:failure; see standard error",
      "2:invalid command line",
      "3:invalid configuration; standard error lists every problem",
      "4:lines were rejected; see --rejects or standard error"
    })
final class TokensImport extends VaultCommand implements Callable<Integer> {

  private static final long NANOS = 1_000_000_000L;

  @Parameters(paramLabel = "FILE", description = "File with one JSON object per line, in UTF-8.")
  private Path file;

  @Option(
      names = "--tenant",
      required = true,
      paramLabel = "ID",
      description = "Tenant that receives the tokens.")
  private UUID tenant;

  @Option(names = "--dry-run", description = "Check every line without storing anything.")
  private boolean dryRun;

  @Option(
      names = "--rejects",
      paramLabel = "FILE",
      description =
          "Continue after an invalid line, and append its number and the problem to this file.")
  private Path rejects;

  @Option(
      names = "--state",
      paramLabel = "FILE",
      description = "File that stores the progress (default: FILE.import).")
  private Path state;

  private long begun;
  private long reported;

  @Override
  public Integer call() throws IOException {
    requireFilesOfTheirOwn();
    Configuration configuration = context().configuration();
    TenantId id = new TenantId(tenant);
    try (Backend backend = Backend.forCommand(configuration, context().randomness());
        RejectedLines rejected = new RejectedLines(Optional.ofNullable(rejects), err())) {
      Instant now = now(backend.database(), id);
      TokenFileImport tokens =
          new TokenFileImport(
              backend.importTokens(configuration.cvcLifetime()), rejected, this::reportProgress);
      begun = System.nanoTime();
      reported = begun;
      Count count = dryRun ? tokens.check(file, id, now) : tokens.run(file, id, state(), now);
      out().println(line(count));
      return count.rejected() == 0 ? 0 : CommandFailures.REJECTED_LINES;
    } catch (IOException failed) {
      String written = rejects == null ? state().toString() : state() + " or " + rejects;
      throw new OperatorException(
          "The file " + file + " cannot be read, or " + written + " cannot be written.");
    }
  }

  /**
   * Requires different files for errors, input and progress, so that errors are not appended to the
   * input.
   */
  private void requireFilesOfTheirOwn() throws IOException {
    if (rejects != null && (isSame(rejects, file) || isSame(rejects, state()))) {
      throw new OperatorException(
          "--rejects must not be the imported file or the progress file. Nothing was imported.");
    }
  }

  /** Returns whether two paths name one file, also through links if both exist. */
  private static boolean isSame(Path one, Path other) throws IOException {
    return (Files.exists(one) && Files.exists(other))
        ? Files.isSameFile(one, other)
        : one.toAbsolutePath().normalize().equals(other.toAbsolutePath().normalize());
  }

  /** Returns the file of the progress: as chosen, or the input with the suffix {@code .import}. */
  private Path state() {
    return state == null ? file.resolveSibling(file.getFileName() + ".import") : state;
  }

  /**
   * Returns the time of the database's clock.
   *
   * @throws OperatorException if there is no such tenant
   */
  private static Instant now(JdbiStores stores, TenantId id) {
    if (stores.tenants().list().stream().noneMatch(known -> known.id().equals(id))) {
      throw new OperatorException("No tenant has this id.");
    }
    return stores.hashChains().ends().time();
  }

  /** Prints the progress to standard error, at most once per second. */
  private void reportProgress(Count count) {
    long time = System.nanoTime();
    if (time - reported > NANOS) {
      reported = time;
      err()
          .printf(
              "%s lines before, %s now: %s tokens, %s rejected, %s tokens per second%n",
              count.skipped(), count.done(), count.imported(), count.rejected(), rate(count));
    }
  }

  /** Returns the number of tokens per second in this run. */
  private long rate(Count count) {
    return Math.round(count.imported() * (double) NANOS / Math.max(1, System.nanoTime() - begun));
  }

  /** Returns the summary of the run as a line of JSON. */
  private JsonLine line(Count count) {
    return new JsonLine()
        .with("dry_run", dryRun)
        .with("finished", count.finished())
        .with("skipped", count.skipped())
        .with(dryRun ? "valid" : "imported", count.imported())
        .with("duplicates", count.duplicates())
        .with("rejected", count.rejected())
        .with("seconds", (System.nanoTime() - begun) / NANOS)
        .with("tokens_per_second", rate(count));
  }

  /** The group of this command. */
  @Command(name = "tokens", description = "Import tokens.")
  static final class Tokens extends VaultCommand {}
}
