package io.tokenvault.server.audit;

import io.tokenvault.domain.audit.integrity.ChainEnd;
import io.tokenvault.domain.audit.integrity.Checkpoint;
import io.tokenvault.domain.audit.integrity.LogHash;
import io.tokenvault.ports.crypto.CheckpointKeys;
import io.tokenvault.ports.usecase.audit.CheckpointedChains;
import io.tokenvault.server.config.OperatorException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Reads and verifies checkpoints that were written to a file or collected from standard output.
 *
 * <p>Other lines and incomplete ones are skipped: a missing checkpoint is detected by the one that
 * follows it. Repeated checkpoints are accepted, since log shippers deliver some lines twice. An
 * instance reads one file.
 */
public final class CheckpointFile {

  private final CheckpointKeys keys;
  private final Optional<Instant> asOf;
  private final Consumer<String> problems;
  private final CheckpointedChains ends = new CheckpointedChains();
  private final Map<UUID, Checkpoint> last = new HashMap<>();
  private long line;
  private long count;
  private long later;

  /**
   * Creates a reader.
   *
   * @param keys verifies the signatures
   * @param asOf the time at which the log to compare with was copied; the chain ends of later
   *     checkpoints do not count
   * @param problems receives a message for each problem, with the number of its line
   */
  public CheckpointFile(CheckpointKeys keys, Optional<Instant> asOf, Consumer<String> problems) {
    this.keys = keys;
    this.asOf = asOf;
    this.problems = problems;
  }

  /**
   * Reads all lines and returns the ends of the hash chains that the checkpoints confirm.
   *
   * @param reader is read to its end and not closed
   * @throws OperatorException if it cannot be read, or contains no checkpoint that counts
   */
  public CheckpointedChains read(Reader reader) {
    try {
      BufferedReader lines = new BufferedReader(reader);
      for (String text = lines.readLine(); text != null; text = lines.readLine()) {
        line++;
        CheckpointLine.read(text).ifPresent(this::take);
      }
    } catch (IOException failed) {
      throw new OperatorException("Cannot read the checkpoints after line " + line + ".");
    }
    if (count == 0) {
      throw new OperatorException("No checkpoint found.");
    }
    if (count == later) {
      throw new OperatorException(
          "All checkpoints are later than --as-of; there is nothing to compare the log with.");
    }
    return ends;
  }

  /** Verifies one checkpoint and reports what is wrong with it. */
  private void take(Checkpoint checkpoint) {
    count++;
    if (!keys.confirmsSignature(checkpoint.content(), checkpoint.signature())) {
      problems.accept(
          "line " + line + ": invalid signature; this vault did not sign the checkpoint");
      return;
    }
    if (!isRepeated(checkpoint)) {
      if (!follows(checkpoint)) {
        problems.accept("line " + line + ": the previous checkpoint is missing");
      }
      last.put(checkpoint.writer(), checkpoint);
    }
    if (asOf.map(checkpoint.time()::isAfter).orElse(false)) {
      later++;
    } else {
      takeEnds(checkpoint);
    }
  }

  /**
   * Returns whether a checkpoint was read before. Its content is still compared with earlier ones.
   */
  private boolean isRepeated(Checkpoint checkpoint) {
    Checkpoint latest = last.get(checkpoint.writer());
    return latest != null
        && (checkpoint.number() < latest.number() || checkpoint.hash().equals(latest.hash()));
  }

  /** Adds the chain ends of a checkpoint and reports those that contradict earlier ones. */
  private void takeEnds(Checkpoint checkpoint) {
    for (ChainEnd end : checkpoint.ends()) {
      if (!ends.add(end, checkpoint.time())) {
        problems.accept(
            "line " + line + ": contradicts an earlier checkpoint about " + end.tenantId());
      }
    }
  }

  /** Returns whether a checkpoint is the successor of the last one of the same writer. */
  private boolean follows(Checkpoint checkpoint) {
    Optional<Checkpoint> before = Optional.ofNullable(last.get(checkpoint.writer()));
    return checkpoint.number() == before.map(Checkpoint::number).orElse(0L) + 1
        && checkpoint.previous().equals(before.map(Checkpoint::hash).orElse(LogHash.NONE));
  }
}
