package io.tokenvault.server.audit;

import io.tokenvault.domain.audit.EntryContent;
import io.tokenvault.ports.audit.FeedEntry;
import io.tokenvault.ports.audit.FeedSink;
import io.tokenvault.server.files.StandardOutput;
import io.tokenvault.server.json.JsonLine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.UUID;

/**
 * Writes audit entries as lines of JSON.
 *
 * <p>The field {@code log} of a line is {@code "audit"}; {@code position} is where an export or
 * stream continues after this entry. Times have microseconds and are in UTC.
 */
public final class LineSink implements FeedSink {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private final Output output;

  private LineSink(Output output) {
    this.output = output;
  }

  /**
   * Returns a sink that writes to a stream.
   *
   * @param out is flushed after each call; stays the caller's to close
   */
  public static LineSink to(OutputStream out) {
    return new LineSink(
        lines -> {
          out.write(lines);
          out.flush();
        });
  }

  /** Returns a sink that writes to the standard output of this process. */
  public static LineSink standardOutput() {
    return new LineSink(StandardOutput::write);
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
      lines.writeBytes(line(entry).getBytes(StandardCharsets.UTF_8));
      lines.write('\n');
    }
    try {
      output.write(lines.toByteArray());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static String line(FeedEntry fed) {
    EntryContent content = fed.entry().content();
    JsonLine line =
        new JsonLine()
            .with("log", "audit")
            .with("position", fed.position().toString())
            .with("seal", fed.chainLink())
            .with("tenant_id", content.tenantId().toString())
            .with("created_at", TIME.format(fed.entry().place().createdAt()))
            .with("sequence", fed.entry().place().sequence())
            .with("actor_id", content.actorId().map(UUID::toString))
            .with("actor_type", content.actorType())
            .with("entity_type", content.entityType())
            .with("entity_id", content.entityId())
            .with("operation", content.operation())
            .with("message", content.message());
    content.traceId().ifPresent(id -> line.with("trace_id", id));
    fed.entry()
        .mark()
        .ifPresent(
            mark -> line.with("entry_id", mark.entryId().toString()).with("mac", mark.mac()));
    return line.toString();
  }

  /** Writes whole lines. */
  private interface Output {
    void write(byte[] lines) throws IOException;
  }
}
