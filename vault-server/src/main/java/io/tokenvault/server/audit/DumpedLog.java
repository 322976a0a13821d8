package io.tokenvault.server.audit;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.spi.LogItem;
import io.tokenvault.ports.spi.SealedLog;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.time.DateTimeException;
import java.util.Optional;
import java.util.function.Consumer;

/** A dump, to be read once. */
public final class DumpedLog implements SealedLog {

  private final Reader reader;
  private final Consumer<String> problems;

  /**
   * @param reader the caller's to close
   * @param problems told of each line that is not one of a dump, with its number; the others count
   */
  public DumpedLog(Reader reader, Consumer<String> problems) {
    this.reader = reader;
    this.problems = problems;
  }

  /**
   * @throws UnreadableLogException if it cannot be read, or no line is one of a dump
   */
  @Override
  public void read(Optional<TenantId> tenant, Consumer<LogItem> consumer) {
    BufferedReader lines = new BufferedReader(reader);
    long number = 0;
    long good = 0;
    try {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        Optional<LogItem> item = item(line, number);
        good += item.isPresent() ? 1 : 0;
        item.filter(each -> tenant.map(wanted -> isOf(wanted, each)).orElse(true))
            .ifPresent(consumer);
      }
    } catch (IOException failed) {
      throw new UnreadableLogException("The dump cannot be read after line " + number + ".");
    }
    if (number > 0 && good == 0) {
      throw new UnreadableLogException("No line of the dump is one of a dump.");
    }
  }

  private Optional<LogItem> item(String line, long number) {
    try {
      return Optional.of(LogItemLine.read(line));
    } catch (IllegalArgumentException | DateTimeException malformed) {
      problems.accept("line " + number + ": not one of a dump");
      return Optional.empty();
    }
  }

  private static boolean isOf(TenantId tenant, LogItem item) {
    if (item instanceof LogItem.Link link) {
      return link.seal().tenantId().equals(tenant);
    }
    if (item instanceof LogItem.Loose loose) {
      return loose.entry().tenantId().equals(tenant);
    }
    return !(item instanceof LogItem.Copy copy) || copy.tenantId().equals(tenant);
  }
}
