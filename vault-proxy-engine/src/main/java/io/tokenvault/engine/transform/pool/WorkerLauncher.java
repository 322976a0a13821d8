package io.tokenvault.engine.transform.pool;

import io.tokenvault.engine.transform.isolation.PipedProcess;
import io.tokenvault.engine.transform.isolation.WorkerIsolation;
import io.tokenvault.engine.transform.isolation.WorkerProgram;
import io.tokenvault.engine.wire.ToWorker;
import java.io.IOException;
import java.util.List;

/**
 * What all workers of a pool have in common.
 *
 * @param begin the first message to each
 */
public record WorkerLauncher(
    WorkerProgram program, WorkerIsolation confinement, ToWorker.Begin begin) {

  public Process start(WorkerSettings settings) throws IOException {
    return PipedProcess.start(
        confinement.command(
            program, program.command(settings.flags(), program.mainClass(), List.of())));
  }
}
