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

  /**
   * @param reader the caller's to close
   */
  public DumpedLog(Reader reader) {
    this.reader = reader;
  }

  /**
   * @throws UnreadableLogException if it cannot be read, or something else is in it
   */
  @Override
  public void read(Optional<TenantId> tenant, Consumer<LogItem> consumer) {
    BufferedReader lines = new BufferedReader(reader);
    long number = 0;
    try {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        LogItem item = LogItemLine.read(line);
        if (tenant.map(wanted -> isOf(wanted, item)).orElse(true)) {
          consumer.accept(item);
        }
      }
    } catch (IOException failed) {
      throw new UnreadableLogException("The dump cannot be read after line " + number + ".");
    } catch (IllegalArgumentException | DateTimeException malformed) {
      throw new UnreadableLogException("Line " + number + " of the dump is not one of a dump.");
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
