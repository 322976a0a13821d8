package io.tokenvault.ports.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Runs tasks concurrently, on threads that start together. */
public final class Race {

  public static final int RUNNERS = 32;

  private Race() {}

  /** Runs a task on {@link #RUNNERS} threads and returns their results by thread number. */
  public static <T> List<T> run(IntFunction<T> task) {
    return run(RUNNERS, task);
  }

  public static <T> List<T> run(int runners, IntFunction<T> task) {
    return run(
        IntStream.range(0, runners).<Callable<T>>mapToObj(i -> () -> task.apply(i)).toList());
  }

  public static <T> List<T> run(List<Callable<T>> tasks) {
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
    try {
      CyclicBarrier start = new CyclicBarrier(tasks.size());
      List<Future<T>> futures = new ArrayList<>();
      for (Callable<T> task : tasks) {
        futures.add(
            threads.submit(
                () -> {
                  start.await();
                  return task.call();
                }));
      }
      return results(futures);
    } finally {
      threads.shutdownNow();
    }
  }

  private static <T> List<T> results(List<Future<T>> futures) {
    List<T> results = new ArrayList<>();
    for (Future<T> future : futures) {
      try {
        results.add(future.get());
      } catch (ExecutionException | InterruptedException failure) {
        throw new AssertionError("a concurrent task failed: " + failure, failure);
      }
    }
    return results;
  }
}
