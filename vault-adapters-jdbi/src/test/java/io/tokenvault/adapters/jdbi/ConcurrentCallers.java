package io.tokenvault.adapters.jdbi;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.ports.contract.Eventually;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Makes a number of calls concurrently. */
public final class ConcurrentCallers implements AutoCloseable {

  private final int size;
  private final List<Thread> threads = new CopyOnWriteArrayList<>();
  private final ExecutorService executor;

  public ConcurrentCallers(int size) {
    this.size = size;
    this.executor = Executors.newFixedThreadPool(size, this::newThread);
  }

  private Thread newThread(Runnable work) {
    Thread thread = new Thread(work);
    threads.add(thread);
    return thread;
  }

  /** Makes one call per thread; each future returns its result or the exception that it threw. */
  public List<Future<Object>> submit(IntFunction<?> call) {
    return IntStream.range(0, size)
        .mapToObj(i -> executor.submit(() -> resultOf(() -> call.apply(i))))
        .toList();
  }

  private static Object resultOf(Supplier<?> call) {
    try {
      return call.get();
    } catch (RuntimeException failure) {
      return failure;
    }
  }

  /** Returns the results of calls that all waited for the table, so that they share statements. */
  public List<Object> callWhileLocked(TestDatabase database, String table, IntFunction<?> call)
      throws Exception {
    List<Future<Object>> futures;
    CountDownLatch started = new CountDownLatch(size);
    try (LockedTable locked = LockedTable.exclusive(database, table)) {
      assertThat(locked).isNotNull();
      futures =
          submit(
              i -> {
                started.countDown();
                return call.apply(i);
              });
      started.await();
      // Each call is queued or has completed.
      Eventually.holds(
          "callers wait", () -> threads.stream().allMatch(ConcurrentCallers::isWaiting));
    }
    return results(futures);
  }

  public static List<Object> results(List<Future<Object>> futures) throws Exception {
    List<Object> results = new ArrayList<>();
    for (Future<Object> future : futures) {
      results.add(future.get());
    }
    return results;
  }

  private static boolean isWaiting(Thread thread) {
    return thread.getState() == Thread.State.WAITING
        || thread.getState() == Thread.State.TIMED_WAITING;
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
