package io.tokenvault.engine.transform.pool;

import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** One who waits for a worker. */
final class WaitingTask {

  private final UUID tenant;
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

  void giveUp(WorkerFailure failure) {
    worker.completeExceptionally(new WorkerFailedException(failure));
  }
}
