package io.tokenvault.server.audit;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.spi.LogItem;
import io.tokenvault.ports.spi.SealedLog;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.time.DateTimeException;
import java.util.Optional;
import java.util.OptionalLong;
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
   * @throws UnreadableLogException if it cannot be read, something else is in it, or it was cut off
   */
  @Override
  public void read(Optional<TenantId> tenant, Consumer<LogItem> consumer) {
    BufferedReader lines = new BufferedReader(reader);
    long number = 0;
    try {
      OptionalLong end = OptionalLong.empty();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        requireNothingAfter(end);
        end = LogItemLine.readEnd(line);
        if (end.isEmpty()) {
          give(LogItemLine.read(line), tenant, consumer);
        }
      }
      requireWhole(end, number - 1);
    } catch (IOException failed) {
      throw new UnreadableLogException("The dump cannot be read after line " + number + ".");
    } catch (IllegalArgumentException | DateTimeException malformed) {
      throw new UnreadableLogException("Line " + number + " of the dump is not one of a dump.");
    }
  }

  private static void give(LogItem item, Optional<TenantId> tenant, Consumer<LogItem> consumer) {
    if (tenant.map(wanted -> isOf(wanted, item)).orElse(true)) {
      consumer.accept(item);
    }
  }

  private static void requireNothingAfter(OptionalLong end) {
    if (end.isPresent()) {
      throw new UnreadableLogException("There are lines after the end of the dump.");
    }
  }

  private static void requireWhole(OptionalLong end, long number) {
    if (end.isEmpty() || end.getAsLong() != number) {
      throw new UnreadableLogException(
          "The dump is not whole: it has no end, or lines are missing before it.");
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
