package io.tokenvault.server.cli;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.ChainedLog;
import io.tokenvault.ports.usecase.audit.CheckpointedChains;
import io.tokenvault.ports.usecase.audit.LogFinding;
import io.tokenvault.ports.usecase.audit.VerifyLog;
import io.tokenvault.ports.usecase.audit.VerifyLog.Report;
import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.assembly.KeysetFile;
import io.tokenvault.server.audit.CheckpointFile;
import io.tokenvault.server.audit.DumpedLog;
import io.tokenvault.server.config.OperatorException;
import io.tokenvault.server.crypto.CurrentKeys;
import io.tokenvault.server.json.JsonLine;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Verifies the hash chains of the audit log, in the database or in a dump. */
@Command(
    name = "verify",
    description = {
      "Verify the audit log. Detects entries that were changed, removed, inserted or moved",
      "and, with checkpoints, a log that was truncated or replaced. Prints one JSON line per",
      "finding, and a summary."
    },
    exitCodeOnExecutionException = AuditVerify.NOT_VERIFIED,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:intact",
      "1:tampering detected; findings are on standard output",
      "2:invalid command line",
      "3:the log could not be verified; see standard error"
    })
final class AuditVerify extends VaultCommand implements Callable<Integer> {

  /** Exit code for a log that could not be verified. It differs from the one for findings. */
  static final int NOT_VERIFIED = 3;

  @Option(
      names = "--checkpoints",
      paramLabel = "FILE",
      description = "Checkpoints written by VAULT_AUDIT_CHECKPOINTS, of any number of nodes.")
  private Path checkpoints;

  @Option(
      names = "--dump",
      paramLabel = "FILE|-",
      description = "Output of 'audit dump', or - for standard input; no database is used.")
  private String dump;

  @Option(names = "--tenant", paramLabel = "ID", description = "Verify this tenant only.")
  private UUID tenant;

  @Option(
      names = "--as-of",
      paramLabel = "DATE",
      converter = MomentConverter.class,
      description = "Time of the dump or backup; later checkpoints are ignored.")
  private Instant asOf;

  @Option(
      names = "--without-mac-until",
      paramLabel = "DATE",
      converter = MomentConverter.class,
      description =
          "Time when the last node of a version without MACs was stopped. Without it, entries of "
              + "such a node after the first start of this version are findings.")
  private Instant withoutMacUntil;

  private long problems;

  @Override
  public Integer call() throws IOException {
    if (dump == null) {
      try (Backend backend = openBackend()) {
        return verify(backend.keys(), backend.database().chainedLog());
      }
    }
    try (Reader reader =
        dump.equals("-")
            ? new InputStreamReader(System.in, StandardCharsets.UTF_8)
            : open(Path.of(dump))) {
      return verify(
          KeysetFile.keysOfCopy(context().configuration()),
          new DumpedLog(reader, line -> report("dump_unreadable", line)));
    }
  }

  /** Opens a file; bytes that are not UTF-8 make only their own line invalid. */
  private static Reader open(Path file) {
    try {
      return new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new OperatorException("The file " + file + " cannot be read.");
    }
  }

  /**
   * Verifies a log and prints the summary.
   *
   * @return the exit code
   */
  private int verify(CurrentKeys keys, ChainedLog log) throws IOException {
    CheckpointedChains ends = checkpoints == null ? new CheckpointedChains() : read(keys);
    VerifyLog verify = new VerifyLog(keys, ends, Optional.ofNullable(withoutMacUntil), this::print);
    Report report = verify.run(log, Optional.ofNullable(tenant).map(TenantId::new));
    boolean intact = report.isIntact() && problems == 0;
    if (intact && tenant != null && report.tenants() == 0 && report.unchained() == 0) {
      throw new OperatorException("The log has no entries of this tenant; nothing was verified.");
    }
    out()
        .println(
            new JsonLine()
                .with("intact", intact)
                .with("entries", report.entries())
                .with("seals", report.chainLinks())
                .with("tenants", report.tenants())
                .with("not_sealed_yet", report.unchained())
                .with("without_mac", report.withoutMac())
                .with("findings", report.findings() + problems));
    return intact ? 0 : CommandFailures.FAILED;
  }

  /** Reads the checkpoints and prints a finding for each that is not valid. */
  private CheckpointedChains read(CurrentKeys keys) throws IOException {
    try (Reader reader = open(checkpoints)) {
      return new CheckpointFile(
              keys, Optional.ofNullable(asOf), problem -> report("checkpoint_forged", problem))
          .read(reader);
    }
  }

  /** Counts and prints a finding about a line of a file. */
  private void report(String kind, String problem) {
    problems++;
    out().println(new JsonLine().with("finding", kind).with("text", problem));
  }

  /** Prints a finding with the fields that are known of it. */
  private void print(LogFinding finding) {
    JsonLine line =
        new JsonLine()
            .with("finding", finding.kind().name().toLowerCase(Locale.ROOT))
            .with("text", finding.kind().text())
            .with("tenant_id", finding.tenantId().toString());
    finding.chainLink().ifPresent(chainLink -> line.with("seal", chainLink));
    finding
        .place()
        .ifPresent(
            place ->
                line.with("created_at", place.createdAt().toString())
                    .with("sequence", place.sequence()));
    finding.checkpoint().ifPresent(time -> line.with("checkpoint", time.toString()));
    out().println(line);
  }
}
