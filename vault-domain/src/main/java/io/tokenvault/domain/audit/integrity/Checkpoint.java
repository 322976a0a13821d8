package io.tokenvault.domain.audit.integrity;

import io.tokenvault.domain.Sha256;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * A signed record of the ends of all hash chains at one time. Retained outside the database, it
 * reveals a chain that was truncated or replaced later.
 *
 * @param writer the id of one process, whose checkpoints form a chain themselves
 * @param number from 1, without gaps
 * @param time by the database's clock
 * @param previous the hash of the writer's previous checkpoint; {@link LogHash#NONE} for its first
 * @param tenants the number of chains
 * @param ends all chains in the writer's first checkpoint, later those that have grown
 * @param signature the signature over {@link LogEncoding#checkpoint}
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
    ends = List.copyOf(ends);
  }

  /** Returns the bytes that are signed. */
  public byte[] content() {
    return LogEncoding.checkpoint(writer, number, time, previous, tenants, ends);
  }

  /** Returns the hash that the writer's next checkpoint refers to. */
  public LogHash hash() {
    MessageDigest digest = Sha256.digest();
    digest.update(content());
    return new LogHash(digest.digest(signature.bytes()));
  }
}
