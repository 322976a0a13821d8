package io.tokenvault.engine.transform;

import io.tokenvault.engine.transform.pool.WorkerPool;
import java.util.ArrayList;
import java.util.List;

/** Queries the processes of worker pools. */
public final class Processes {

  private Processes() {}

  /** Returns the processes that a pool has started and their descendants. */
  public static List<ProcessHandle> of(WorkerPool pool) {
    List<ProcessHandle> family = new ArrayList<>(pool.handles());
    pool.handles().forEach(handle -> handle.descendants().forEach(family::add));
    return family;
  }

  /** Returns whether all processes have ended; zombies, which have no command, count as ended. */
  public static boolean areGone(List<ProcessHandle> processes) {
    return processes.stream()
        .noneMatch(process -> process.isAlive() && process.info().command().isPresent());
  }
}
