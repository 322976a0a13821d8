package io.tokenvault.server.audit;

import io.tokenvault.domain.audit.integrity.ChainEnd;
import io.tokenvault.domain.audit.integrity.Checkpoint;
import io.tokenvault.domain.json.JsonValue;
import java.util.List;
import java.util.Optional;

/**
 * Formats a checkpoint as a line of JSON, and reads it.
 *
 * <p>The field {@code log} is {@code "audit-checkpoint"}, which distinguishes the line from other
 * output.
 */
public final class CheckpointLine {

  private static final String LOG = "audit-checkpoint";

  private CheckpointLine() {}

  /** Returns the line of a checkpoint, without a line feed. */
  public static String of(Checkpoint checkpoint) {
    return new JsonMembers()
        .with("log", LOG)
        .with("time", checkpoint.time().toString())
        .with("writer", checkpoint.writer().toString())
        .with("number", checkpoint.number())
        .with("previous", checkpoint.previous().toString())
        .with("tenants", checkpoint.tenants())
        .with("heads", checkpoint.ends().stream().map(CheckpointLine::head).toList())
        .with("signature", checkpoint.signature())
        .line();
  }

  /** Returns the end of a tenant's hash chain as JSON. */
  private static JsonValue head(ChainEnd end) {
    return new JsonMembers()
        .with("tenant_id", end.tenantId().toString())
        .with("number", end.number())
        .with("head", end.head().toString())
        .json();
  }

  /**
   * Reads a line; empty if it is not a checkpoint, since standard output has other lines as well.
   */
  static Optional<Checkpoint> read(String line) {
    try {
      JsonMembers members = JsonMembers.ofLine(line);
      return members.has("log") && members.text("log").equals(LOG)
          ? Optional.of(checkpoint(members))
          : Optional.empty();
    } catch (IllegalArgumentException malformed) {
      return Optional.empty();
    }
  }

  /** Reads the fields of a checkpoint. Its signature is not verified here. */
  private static Checkpoint checkpoint(JsonMembers members) {
    List<ChainEnd> ends =
        members.items("heads").stream()
            .map(JsonMembers::of)
            .map(head -> new ChainEnd(head.tenant(), head.number("number"), head.hash("head")))
            .toList();
    return new Checkpoint(
        members.uuid("writer"),
        members.number("number"),
        members.time("time"),
        members.hash("previous"),
        Math.toIntExact(members.number("tenants")),
        ends,
        members.tag("signature"));
  }
}
