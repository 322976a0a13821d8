package io.tokenvault.server.e2e;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Requests that meet each other. */
final class Together {

  private Together() {}

  /** Sends all at the same moment; gives the answers in the order of the requests. */
  static List<Answer> send(List<Callable<Answer>> requests) {
    ExecutorService threads = Executors.newFixedThreadPool(requests.size());
    try {
      CyclicBarrier start = new CyclicBarrier(requests.size());
      List<Future<Answer>> futures = new ArrayList<>();
      for (Callable<Answer> request : requests) {
        futures.add(
            threads.submit(
                () -> {
                  start.await();
                  return request.call();
                }));
      }
      List<Answer> answers = new ArrayList<>();
      for (Future<Answer> future : futures) {
        answers.add(future.get());
      }
      return answers;
    } catch (InterruptedException | ExecutionException failed) {
      throw new AssertionError(failed);
    } finally {
      threads.shutdownNow();
    }
  }
}
