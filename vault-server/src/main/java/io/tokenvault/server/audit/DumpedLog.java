package io.tokenvault.server.audit;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.ChainedLog;
import io.tokenvault.ports.audit.LogItem;
import io.tokenvault.server.config.OperatorException;
import io.tokenvault.server.json.JsonLine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.time.DateTimeException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** The audit log in a dump, which can be read once. */
public final class DumpedLog implements ChainedLog {

  private final Reader reader;
  private final Consumer<String> problems;
  private long number;
  private long validLines;

  /**
   * Creates a log on the lines of a dump.
   *
   * @param reader stays the caller's to close
   * @param problems receives the number of each malformed line; all other lines still count
   */
  public DumpedLog(Reader reader, Consumer<String> problems) {
    this.reader = reader;
    this.problems = problems;
  }

  /**
   * {@inheritDoc}
   *
   * @throws OperatorException if it cannot be read, no line belongs to a dump, or the dump was cut
   *     off; the consumer has received the items until then
   */
  @Override
  public void read(Optional<TenantId> tenant, Consumer<LogItem> consumer) {
    BufferedReader lines = new BufferedReader(reader);
    try {
      OptionalLong end = OptionalLong.empty();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (end.isPresent()) {
          throw new OperatorException("Unexpected lines after the end of the dump.");
        }
        end = take(line, tenant, consumer);
      }
      if (number > 0 && validLines == 0 && end.isEmpty()) {
        throw new OperatorException("The file is not a dump.");
      }
      if (end.isEmpty() || end.getAsLong() != number - 1) {
        throw new OperatorException(
            "The dump is incomplete: its end or lines before it are missing.");
      }
    } catch (IOException failed) {
      throw new OperatorException("Cannot read the dump after line " + number + ".");
    }
  }

  /**
   * Passes the item of a line to the consumer.
   *
   * @return the number of lines that the end line states; empty if this is not the end line
   */
  private OptionalLong take(String line, Optional<TenantId> tenant, Consumer<LogItem> consumer) {
    LogItem item;
    number++;
    try {
      JsonLine properties = JsonLine.ofLine(line);
      OptionalLong end = LogItemLine.readEnd(properties);
      if (end.isPresent()) {
        return end;
      }
      item = LogItemLine.read(properties);
    } catch (IllegalArgumentException | DateTimeException malformed) {
      problems.accept("line " + number + " is not a line of a dump");
      return OptionalLong.empty();
    }
    validLines++;
    if (tenant.map(wanted -> isOf(wanted, item)).orElse(true)) {
      consumer.accept(item);
    }
    return OptionalLong.empty();
  }

  /** Returns whether an item belongs to a tenant. A dropped partition belongs to all tenants. */
  private static boolean isOf(TenantId tenant, LogItem item) {
    if (item instanceof LogItem.Link link) {
      return link.chainLink().tenantId().equals(tenant);
    }
    if (item instanceof LogItem.Unchained unchained) {
      return unchained.entry().tenantId().equals(tenant);
    }
    return !(item instanceof LogItem.Copy copy) || copy.tenantId().equals(tenant);
  }
}
