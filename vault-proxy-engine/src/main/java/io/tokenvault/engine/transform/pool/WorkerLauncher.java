package io.tokenvault.engine.transform.pool;

import io.tokenvault.engine.transform.isolation.PipedProcess;
import io.tokenvault.engine.transform.isolation.WorkerIsolation;
import io.tokenvault.engine.transform.isolation.WorkerProgram;
import io.tokenvault.engine.wire.ToWorker;
import java.io.IOException;
import java.util.List;

/**
 * Starter of the workers of a pool.
 *
 * @param program the program that every worker runs
 * @param confinement the isolation by the operating system
 * @param begin the first message to every worker
 */
public record WorkerLauncher(
    WorkerProgram program, WorkerIsolation confinement, ToWorker.Begin begin) {

  /**
   * Starts an isolated worker process, which is not ready yet.
   *
   * @throws IOException if the operating system does not start it
   */
  public Process start(WorkerSettings settings) throws IOException {
    return PipedProcess.start(
        confinement.command(
            program, program.command(settings.flags(), program.mainClass(), List.of())));
  }
}
