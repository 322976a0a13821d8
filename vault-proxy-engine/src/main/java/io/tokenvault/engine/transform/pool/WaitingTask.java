package io.tokenvault.engine.transform.pool;

import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** A task that waits for a worker. */
final class WaitingTask {

  private final UUID tenant;

  /** Completed with a worker, or with the failure that ends the wait. */
  private final CompletableFuture<PooledWorker> worker = new CompletableFuture<>();

  WaitingTask(UUID tenant) {
    this.tenant = tenant;
  }

  UUID tenant() {
    return tenant;
  }

  CompletableFuture<PooledWorker> worker() {
    return worker;
  }

  /** Ends the wait with a failure; has no effect if a worker has been assigned. */
  void giveUp(WorkerFailure failure) {
    worker.completeExceptionally(new WorkerFailedException(failure));
  }
}
