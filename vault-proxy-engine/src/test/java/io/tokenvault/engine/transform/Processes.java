package io.tokenvault.engine.transform;

import io.tokenvault.engine.transform.pool.WorkerPool;
import java.util.ArrayList;
import java.util.List;

/** What tests ask about processes. */
public final class Processes {

  private Processes() {}

  /** All that a pool has started, with what those have started. */
  public static List<ProcessHandle> of(WorkerPool pool) {
    List<ProcessHandle> family = new ArrayList<>(pool.handles());
    pool.handles().forEach(handle -> handle.descendants().forEach(family::add));
    return family;
  }

  /** Ended ones that the system has yet to clear away have no program any more. */
  public static boolean areGone(List<ProcessHandle> processes) {
    return processes.stream()
        .noneMatch(process -> process.isAlive() && process.info().command().isPresent());
  }
}
