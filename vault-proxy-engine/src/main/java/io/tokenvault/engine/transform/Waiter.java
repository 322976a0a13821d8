package io.tokenvault.engine.transform;

import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** One who waits for a worker. */
final class Waiter {

  private final UUID tenant;
  private final CompletableFuture<Worker> worker = new CompletableFuture<>();

  Waiter(UUID tenant) {
    this.tenant = tenant;
  }

  UUID tenant() {
    return tenant;
  }

  CompletableFuture<Worker> worker() {
    return worker;
  }

  void giveUp(WorkerFailure failure) {
    worker.completeExceptionally(new WorkerFailedException(failure));
  }
}
