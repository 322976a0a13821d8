package io.tokenvault.domain.audit.integrity;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * Says how far all chains were at a time. Kept apart from the database, it shows when a chain is
 * shorter or another one later.
 *
 * @param writer of one process, whose checkpoints are a chain themselves
 * @param number from 1, without gaps
 * @param time by the database's clock
 * @param previous of the writer's checkpoint before; {@link LogHash#NONE} for its first
 * @param tenants how many chains there are
 * @param ends of all chains in the writer's first checkpoint, else of those that have grown
 * @param signature over {@link LogEncoding#checkpoint}
 */
public record Checkpoint(
    UUID writer,
    long number,
    Instant time,
    LogHash previous,
    int tenants,
    List<ChainEnd> ends,
    LogTag signature) {

  public Checkpoint {
    Objects.requireNonNull(writer, "writer");
    Objects.requireNonNull(time, "time");
    Objects.requireNonNull(previous, "previous");
    Objects.requireNonNull(signature, "signature");
    ends = List.copyOf(ends);
  }

  /** What is signed. */
  public byte[] content() {
    return LogEncoding.checkpoint(writer, number, time, previous, tenants, ends);
  }

  /** For the next one of the writer. */
  public LogHash hash() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(content());
      return new LogHash(digest.digest(signature.bytes()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
