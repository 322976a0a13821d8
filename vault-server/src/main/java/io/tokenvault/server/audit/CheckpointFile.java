package io.tokenvault.server.audit;

import io.tokenvault.domain.audit.integrity.ChainEnd;
import io.tokenvault.domain.audit.integrity.Checkpoint;
import io.tokenvault.domain.audit.integrity.LogHash;
import io.tokenvault.ports.crypto.CheckpointKeys;
import io.tokenvault.ports.usecase.audit.CheckpointedChains;
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
 * Reads what was written to a file, or collected from standard output. Other lines are passed over,
 * torn ones too: a checkpoint that is missed is found by the one after it. So are checkpoints that
 * come again, as shippers of logs deliver some lines twice.
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
   * @param asOf when the log was copied, that is to be compared: what later checkpoints say of its
   *     end does not matter
   * @param problems told what is wrong, with the number of the line
   */
  public CheckpointFile(CheckpointKeys keys, Optional<Instant> asOf, Consumer<String> problems) {
    this.keys = keys;
    this.asOf = asOf;
    this.problems = problems;
  }

  /**
   * @throws UnreadableLogException if it cannot be read, or holds no checkpoint that counts
   */
  public CheckpointedChains read(Reader reader) {
    try {
      BufferedReader lines = new BufferedReader(reader);
      for (String text = lines.readLine(); text != null; text = lines.readLine()) {
        line++;
        CheckpointLine.read(text).ifPresent(this::take);
      }
    } catch (IOException failed) {
      throw new UnreadableLogException("The checkpoints cannot be read after line " + line + ".");
    }
    if (count == 0) {
      throw new UnreadableLogException("There is no checkpoint among these lines.");
    }
    if (count == later) {
      throw new UnreadableLogException(
          "All checkpoints are from after the time that --as-of gives; there is nothing to compare"
              + " the log with.");
    }
    return ends;
  }

  private void take(Checkpoint checkpoint) {
    count++;
    if (!keys.confirmsSignature(checkpoint.content(), checkpoint.signature())) {
      problems.accept("line " + line + ": the checkpoint was not signed by this vault");
      return;
    }
    if (!isRepeated(checkpoint)) {
      if (!follows(checkpoint)) {
        problems.accept("line " + line + ": the checkpoint before this one is not there");
      }
      last.put(checkpoint.writer(), checkpoint);
    }
    if (asOf.map(checkpoint.time()::isAfter).orElse(false)) {
      later++;
    } else {
      takeEnds(checkpoint);
    }
  }

  /** Whatever it says is still compared with what was said before. */
  private boolean isRepeated(Checkpoint checkpoint) {
    Checkpoint latest = last.get(checkpoint.writer());
    return latest != null
        && (checkpoint.number() < latest.number() || checkpoint.hash().equals(latest.hash()));
  }

  private void takeEnds(Checkpoint checkpoint) {
    for (ChainEnd end : checkpoint.ends()) {
      if (!ends.add(end, checkpoint.time())) {
        problems.accept(
            "line " + line + ": contradicts a checkpoint before it about " + end.tenantId());
      }
    }
  }

  private boolean follows(Checkpoint checkpoint) {
    Optional<Checkpoint> before = Optional.ofNullable(last.get(checkpoint.writer()));
    return checkpoint.number() == before.map(Checkpoint::number).orElse(0L) + 1
        && checkpoint.previous().equals(before.map(Checkpoint::hash).orElse(LogHash.NONE));
  }
}
