package io.tokenvault.engine.transform.pool;

/** Reason why a worker gave no result, as seen by the server. */
public enum WorkerFailure {
  /** The worker was still running at the deadline, and was killed. */
  TIMED_OUT,
  /** The worker exceeded its CPU time limit while compiling, and ended. */
  OUT_OF_CPU_TIME,
  /** The worker ran out of memory. */
  OUT_OF_MEMORY,
  /** The worker ended in another way, or was killed because it wrote an invalid response. */
  DIED,
  /** All workers are busy, and the queue is full or the wait was too long. Nothing was started. */
  BUSY,
  /** No worker can be started. No task was started. */
  CANNOT_START,
  /** The pool is closed, or the caller's thread was interrupted. */
  STOPPED
}
