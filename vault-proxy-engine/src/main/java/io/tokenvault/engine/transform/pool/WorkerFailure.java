package io.tokenvault.engine.transform.pool;

/** Why a worker gave no result, as the server sees it. */
public enum WorkerFailure {
  /** It was still at it at the deadline, and was killed. */
  TIMED_OUT,
  /** It used more CPU time to compile than it may, and ended itself. */
  OUT_OF_CPU_TIME,
  /** It needed more memory than it has. */
  OUT_OF_MEMORY,
  /** It ended in some other way, or what it wrote was no answer and it was killed. */
  DIED,
  /** All workers are busy, and too many wait or the wait was too long. Nothing was begun. */
  BUSY,
  /** No worker can be started. Nothing was begun. */
  CANNOT_START,
  /** The pool is closed, or the caller's thread was interrupted. */
  STOPPED
}
