package io.tokenvault.server.audit;

import io.tokenvault.domain.audit.integrity.StoredEntry;
import io.tokenvault.ports.audit.FeedEntry;
import io.tokenvault.ports.audit.FeedSink;
import io.tokenvault.server.files.StandardOutput.LineOutput;
import io.tokenvault.server.json.JsonLine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;

/**
 * Writes audit entries as lines of JSON.
 *
 * <p>The field {@code log} of a line is {@code "audit"}; {@code position} is where an export or
 * stream continues after this entry. Times have microseconds and are in UTC.
 */
public final class LineSink implements FeedSink {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private final LineOutput output;

  public LineSink(LineOutput output) {
    this.output = output;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Writes all entries at once, so that lines of other writers do not separate them.
   *
   * @throws UncheckedIOException if the output fails
   */
  @Override
  public void accept(List<FeedEntry> entries) {
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    for (FeedEntry entry : entries) {
      lines.writeBytes(line(entry).bytes());
    }
    try {
      output.write(lines.toByteArray());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static JsonLine line(FeedEntry fed) {
    StoredEntry entry = fed.entry();
    JsonLine line =
        new JsonLine()
            .with("log", "audit")
            .with("position", fed.position().toString())
            .with("seal", fed.chainLink())
            .with("tenant_id", entry.tenantId().toString())
            .with("created_at", TIME.format(entry.place().createdAt()))
            .with("sequence", entry.place().sequence());
    LogItemLine.writeContent(entry, line);
    return line;
  }
}
