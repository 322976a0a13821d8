package io.tokenvault.server.cli;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.spi.SealedLog;
import io.tokenvault.ports.usecase.CheckpointedEnds;
import io.tokenvault.ports.usecase.LogFinding;
import io.tokenvault.ports.usecase.VerifyLog;
import io.tokenvault.ports.usecase.VerifyLog.Report;
import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.assembly.KeysetFile;
import io.tokenvault.server.audit.CheckpointFile;
import io.tokenvault.server.audit.DumpedLog;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.crypto.CurrentKeys;
import io.tokenvault.server.json.JacksonJson;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Looks for what was changed in the log. */
@Command(
    name = "verify",
    description = {
      "Finds entries of the log that were changed, removed, inserted or moved, and with checkpoints",
      "a log that was cut off or replaced. Prints a line of JSON for each finding, and a last one",
      "that counts what was read. Exit code 0: nothing was found."
    },
    mixinStandardHelpOptions = true)
final class AuditVerify implements Callable<Integer> {

  private final Surroundings surroundings;

  @Option(
      names = "--checkpoints",
      paramLabel = "FILE",
      description = "What VAULT_AUDIT_CHECKPOINTS has written, of any number of nodes.")
  private Path checkpoints;

  @Option(
      names = "--dump",
      paramLabel = "FILE|-",
      description = "What 'audit dump' has written, or - for standard input; no database is used.")
  private String dump;

  @Option(names = "--tenant", paramLabel = "ID", description = "Only this tenant's log.")
  private UUID tenant;

  @Option(
      names = "--as-of",
      paramLabel = "DATE",
      converter = Since.Moment.class,
      description = "When the dump or backup was made; checkpoints from after that do not count.")
  private Instant asOf;

  @Option(
      names = "--without-mac-until",
      paramLabel = "DATE",
      converter = Since.Moment.class,
      description = {
        "When the last node of a version that wrote no MACs was stopped. What such a node wrote",
        "after the first one of this version was started is a finding without this."
      })
  private Instant withoutMacUntil;

  @Spec private CommandSpec spec;

  private long checkpointProblems;

  AuditVerify(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException {
    Configuration configuration = surroundings.configuration();
    if (dump == null) {
      try (Backend backend = Backend.forCommand(configuration, surroundings.randomness())) {
        return verify(backend.keys(), backend.stores().sealedLog());
      }
    }
    try (Reader reader = dump.equals("-") ? standardInput() : open(Path.of(dump))) {
      return verify(KeysetFile.keys(configuration), new DumpedLog(reader));
    }
  }

  private static Reader standardInput() {
    return new InputStreamReader(System.in, StandardCharsets.UTF_8);
  }

  private static Reader open(Path file) {
    try {
      return Files.newBufferedReader(file, StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new CannotWriteException("The file " + file + " cannot be read.");
    }
  }

  private int verify(CurrentKeys keys, SealedLog log) throws IOException {
    CheckpointedEnds ends = checkpoints == null ? new CheckpointedEnds() : read(keys);
    VerifyLog verify = new VerifyLog(keys, ends, Optional.ofNullable(withoutMacUntil), this::tell);
    Report report = verify.run(log, Optional.ofNullable(tenant).map(TenantId::new));
    boolean intact = report.isIntact() && checkpointProblems == 0;
    print(
        Map.of("intact", JsonValue.of(intact)),
        Map.of("entries", JsonValue.of(report.entries())),
        Map.of("seals", JsonValue.of(report.seals())),
        Map.of("tenants", JsonValue.of(report.tenants())),
        Map.of("not_sealed_yet", JsonValue.of(report.loose())),
        Map.of("without_mac", JsonValue.of(report.withoutMac())),
        Map.of("findings", JsonValue.of(report.findings() + checkpointProblems)));
    return intact ? 0 : Failures.FAILED;
  }

  private CheckpointedEnds read(CurrentKeys keys) throws IOException {
    try (Reader reader = open(checkpoints)) {
      return new CheckpointFile(keys, Optional.ofNullable(asOf), this::tell).read(reader);
    }
  }

  private void tell(String checkpointProblem) {
    checkpointProblems++;
    print(
        Map.of("finding", JsonValue.of("checkpoint_forged")),
        Map.of("text", JsonValue.of(checkpointProblem)));
  }

  private void tell(LogFinding finding) {
    Map<String, JsonValue> members = new LinkedHashMap<>();
    members.put("finding", JsonValue.of(finding.kind().name().toLowerCase(Locale.ROOT)));
    members.put("text", JsonValue.of(finding.kind().text()));
    members.put("tenant_id", JsonValue.of(finding.tenantId().toString()));
    finding.seal().ifPresent(seal -> members.put("seal", JsonValue.of(seal)));
    finding
        .place()
        .ifPresent(
            place -> {
              members.put("created_at", JsonValue.of(place.createdAt().toString()));
              members.put("sequence", JsonValue.of(place.sequence()));
            });
    finding
        .checkpoint()
        .ifPresent(time -> members.put("checkpoint", JsonValue.of(time.toString())));
    print(members);
  }

  @SafeVarargs
  private void print(Map<String, JsonValue>... members) {
    Map<String, JsonValue> all = new LinkedHashMap<>();
    for (Map<String, JsonValue> each : members) {
      all.putAll(each);
    }
    String line = new String(new JacksonJson().write(new JsonObject(all)), StandardCharsets.UTF_8);
    spec.commandLine().getOut().println(line);
  }
}
