package io.tokenvault.server.cli;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.audit.LogItemLine;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import picocli.CommandLine.Command;

/**
 * Copies the audit log with its hash chains, so that it can be verified without the database.
 *
 * <p>Each line is in the format of {@link LogItemLine}. The last one has the number of all others,
 * which shows whether the dump is complete.
 *
 * <pre>{@code
 * vault-server audit dump --output log.jsonl
 * vault-server audit verify --dump log.jsonl
 * }</pre>
 */
@Command(
    name = "dump",
    description = {
      "Print the whole audit log with its hash chain, for 'audit verify --dump'. One JSON line",
      "per chain link with its entries. The dump is recorded in the log of each tenant."
    },
    mixinStandardHelpOptions = true)
final class AuditDump extends LogCopy {

  AuditDump() {
    super("dumped");
  }

  /**
   * {@inheritDoc}
   *
   * <p>The exit code is always 0.
   */
  @Override
  IntSupplier copy(Backend backend, Optional<TenantId> only, OutputStream out) throws IOException {
    Writer writer = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
    AtomicLong count = new AtomicLong();
    backend
        .dumpLog()
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
