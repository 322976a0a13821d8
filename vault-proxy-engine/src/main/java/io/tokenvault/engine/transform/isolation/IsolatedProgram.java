package io.tokenvault.engine.transform.isolation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The program of transform workers and its isolation, which are found when they are first needed.
 *
 * <p>Finding them extracts nested jars and starts a process for each variant of isolation that it
 * tries. Closing it deletes what was extracted. Thread-safe.
 */
public final class IsolatedProgram implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(IsolatedProgram.class);

  private final ExtractedJars extracted = new ExtractedJars();
  private Optional<Found> found = Optional.empty();
  private boolean closed;

  public record Found(WorkerProgram program, WorkerIsolation isolation) {}

  /**
   * Returns the program and its isolation; a failure is repeated until the cause is removed.
   *
   * @throws UnusableProgramException if the program cannot be run
   */
  public synchronized Found find() {
    if (closed) {
      throw new UnusableProgramException("the workers have been stopped", null);
    }
    if (found.isEmpty()) {
      WorkerProgram program = program();
      WorkerIsolation isolation = WorkerIsolation.find(program);
      if (isolation.level() == IsolationLevel.NONE) {
        log.warn(
            "Transform workers are not isolated. {} Obstacles: {}",
            isolation.level().promise(),
            String.join("; ", IsolationObstacles.found()));
      }
      found = Optional.of(new Found(program, isolation));
    }
    return found.get();
  }

  private WorkerProgram program() {
    try {
      return WorkerProgram.forTransforms(extracted);
    } catch (IOException | UncheckedIOException | IllegalArgumentException failed) {
      throw new UnusableProgramException(
          "the classes of transform workers cannot be used: " + failed, failed);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    extracted.close();
  }

  /** Failure to find the classes of workers. The message names the cause and contains no data. */
  public static final class UnusableProgramException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnusableProgramException(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
