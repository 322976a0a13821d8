package io.tokenvault.engine.transform;

import io.tokenvault.engine.transform.pool.WorkerPool;
import java.util.ArrayList;
import java.util.List;

/** Queries the processes of worker pools. */
public final class WorkerProcesses {

  private WorkerProcesses() {}

  /** Returns the processes that a pool has started and their descendants. */
  public static List<ProcessHandle> ofPool(WorkerPool pool) {
    List<ProcessHandle> processes = new ArrayList<>(pool.handles());
    pool.handles().forEach(handle -> handle.descendants().forEach(processes::add));
    return processes;
  }

  /** Returns whether all processes have ended; zombies, which have no command, count as ended. */
  public static boolean haveExited(List<ProcessHandle> processes) {
    return processes.stream()
        .noneMatch(process -> process.isAlive() && process.info().command().isPresent());
  }
}
