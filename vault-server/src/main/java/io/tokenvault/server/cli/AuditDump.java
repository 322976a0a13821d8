package io.tokenvault.server.cli;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.audit.LogItemLine;
import io.tokenvault.server.config.Configuration;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Copies the log with all that is needed to verify it elsewhere. */
@Command(
    name = "dump",
    description = {
      "Prints the whole log with its seals, one line of JSON for each seal with its entries, for",
      "'audit verify --dump'. It is recorded in the log of each tenant."
    },
    mixinStandardHelpOptions = true)
final class AuditDump implements Callable<Integer> {

  private final Surroundings surroundings;

  @Option(names = "--tenant", paramLabel = "ID", description = "Only this tenant's.")
  private UUID tenant;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "A new file to write to, readable by its owner only; else standard output.")
  private Path output;

  @Mixin private ShardOption shard;

  @Spec private CommandSpec spec;

  AuditDump(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException {
    Configuration configuration = surroundings.configuration();
    int database = shard.number(spec.commandLine(), configuration);
    try (Backend backend = Backend.forCommand(configuration, surroundings.randomness());
        ExportTarget target = ExportTarget.of(Optional.ofNullable(output))) {
      backend.sealLog(database).run();
      Writer out =
          new BufferedWriter(new OutputStreamWriter(target.stream(), StandardCharsets.UTF_8));
      backend
          .dumpLog(database)
          .run(
              Optional.ofNullable(tenant).map(TenantId::new),
              item -> write(out, LogItemLine.of(item)));
      out.flush();
      target.finish();
      return 0;
    } catch (UncheckedIOException refused) {
      throw new CannotWriteException(
          "The log was not dumped to its end: what it is written to takes no more.");
    }
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
