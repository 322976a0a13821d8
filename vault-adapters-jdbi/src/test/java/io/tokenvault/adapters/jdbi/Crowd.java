package io.tokenvault.adapters.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** Callers that come at once. */
public final class Crowd implements AutoCloseable {

  private final int size;
  private final List<Thread> callers = new CopyOnWriteArrayList<>();
  private final ExecutorService threads;

  public Crowd(int size) {
    this.size = size;
    this.threads = Executors.newFixedThreadPool(size, this::caller);
  }

  private Thread caller(Runnable work) {
    Thread thread = new Thread(work);
    callers.add(thread);
    return thread;
  }

  /** What the call gave, or what it failed with. */
  public Future<Object> submit(Supplier<?> call) {
    return threads.submit(() -> answer(call));
  }

  private static Object answer(Supplier<?> call) {
    Object[] outcome = new Object[1];
    Throwable failure = catchThrowable(() -> outcome[0] = call.get());
    return failure == null ? outcome[0] : failure;
  }

  /** The answers to calls that all had to wait for the table, so that they share statements. */
  public List<Object> waitFor(TestDatabase database, String table, IntFunction<?> call)
      throws Exception {
    List<Future<Object>> futures = new ArrayList<>();
    CountDownLatch started = new CountDownLatch(size);
    try (LockedTable locked = LockedTable.of(database, table)) {
      assertThat(locked).isNotNull();
      for (int i = 0; i < size; i++) {
        int number = i;
        futures.add(
            submit(
                () -> {
                  started.countDown();
                  return call.apply(number);
                }));
      }
      started.await();
      awaitCallers();
    }
    return answers(futures);
  }

  public static List<Object> answers(List<Future<Object>> futures) throws Exception {
    List<Object> responses = new ArrayList<>();
    for (Future<Object> future : futures) {
      responses.add(future.get());
    }
    return responses;
  }

  /** All are in the queue, or have their answer already. */
  private void awaitCallers() throws InterruptedException {
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!callers.stream().allMatch(Crowd::waits)) {
      assertThat(System.nanoTime()).as("callers still on their way").isLessThan(limit);
      Thread.sleep(5);
    }
  }

  private static boolean waits(Thread thread) {
    return thread.getState() == Thread.State.WAITING
        || thread.getState() == Thread.State.TIMED_WAITING;
  }

  /** Returns what callers of their own threads give at the same time; none of them may fail. */
  public static <T> List<T> race(int callers, IntFunction<T> call) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(callers);
    try {
      List<Callable<T>> calls = new ArrayList<>();
      for (int i = 0; i < callers; i++) {
        int number = i;
        calls.add(() -> call.apply(number));
      }
      List<T> results = new ArrayList<>();
      // All have ended before one that failed is reported.
      for (Future<T> ended : threads.invokeAll(calls)) {
        results.add(ended.get());
      }
      return results;
    } finally {
      threads.shutdownNow();
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
