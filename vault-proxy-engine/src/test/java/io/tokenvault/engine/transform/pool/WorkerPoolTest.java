package io.tokenvault.engine.transform.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.tokenvault.engine.transform.Eventually;
import io.tokenvault.engine.transform.FakeWorkerPool;
import io.tokenvault.engine.transform.WorkerProcesses;
import io.tokenvault.engine.transform.pool.WorkerFailedException.WorkerFailure;
import io.tokenvault.engine.wire.FromWorker;
import io.tokenvault.engine.wire.ToWorker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Tests the assignment of workers to tenants, with real processes. */
final class WorkerPoolTest {

  private static final UUID ONE = new UUID(0, 1);
  private static final UUID OTHER = new UUID(0, 2);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<AutoCloseable> opened = new ArrayList<>();
  private final CountDownLatch release = new CountDownLatch(1);

  @AfterEach
  void tearDown() throws Exception {
    release.countDown();
    for (AutoCloseable pool : opened) {
      pool.close();
    }
    threads.shutdownNow();
  }

  @Test
  void workerIsReusedByItsTenantAndReplacedForAnother() throws Exception {
    WorkerPool pool = open(new FakeWorkerPool().size(1));

    String first = workerName(pool, ONE);
    String second = workerName(pool, ONE);
    List<ProcessHandle> before = WorkerProcesses.ofPool(pool);
    String others = workerName(pool, OTHER);

    assertThat(second).isEqualTo(first).isNotEqualTo(others);
    Eventually.holds("the worker has exited", () -> WorkerProcesses.haveExited(before));
  }

  @Tag("long")
  @Test
  void sparesAreStartedInAdvanceAndReplenished() throws Exception {
    WorkerPool pool = open(new FakeWorkerPool().size(3).spares(2).ahead());

    Eventually.holds("two spares", () -> pool.handles().size() == 2);
    workerName(pool, ONE);

    Eventually.holds("two spares and a used worker", () -> pool.handles().size() == 3);
  }

  @Test
  void transformIsSentToWorkerOnce() throws Exception {
    WorkerPool pool = open(new FakeWorkerPool());
    AtomicInteger sent = new AtomicInteger();
    WorkerPool.Task<FromWorker.Finished> probe =
        worker ->
            worker.probe(
                new ToWorker.Probe("echo", new ToWorker.Limits(60_000, 60_000, 0, 0, 0, 0)),
                () -> {
                  sent.incrementAndGet();
                  return FakeWorkerPool.load("echo");
                },
                CallBudget.NONE.modules());

    pool.run(ONE, probe);
    pool.run(ONE, probe);

    assertThat(sent).hasValue(1);
  }

  @Test
  void workerIsReplacedAfterItsLimitOfUsesOrTransforms() throws Exception {
    WorkerPool pool = open(new FakeWorkerPool().replacedAfter(3, 2));

    String first = workerName(pool, ONE);
    assertThat(workerName(pool, ONE)).isEqualTo(first);
    assertThat(workerName(pool, ONE)).isEqualTo(first);
    String second = workerName(pool, ONE);
    assertThat(second).as("after three uses").isNotEqualTo(first);

    FakeWorkerPool.run(pool, ONE, "echo");
    assertThat(workerName(pool, ONE)).as("after two transforms").isNotEqualTo(second);
  }

  @Test
  void taskIsRejectedAfterWaitingTooLong() throws Exception {
    WorkerPool pool = open(new FakeWorkerPool().size(1).longestWait(Duration.ofMillis(300)));
    Eventually.holds("a worker is available", () -> canRunTask(pool));
    occupyWorker(pool, ONE);

    assertThat(failure(() -> workerName(pool, ONE))).isEqualTo(WorkerFailure.BUSY);
    assertThat(pool.waiting()).isZero();
  }

  private static boolean canRunTask(WorkerPool pool) {
    try {
      return !workerName(pool, ONE).isEmpty();
    } catch (WorkerFailedException busy) {
      assertThat(busy.failure()).isEqualTo(WorkerFailure.BUSY);
      return false;
    }
  }

  @Test
  void tenantWithMostWaitingTasksYieldsInFullQueue() throws Exception {
    WorkerPool pool = open(new FakeWorkerPool().size(1).queue(2));
    occupyWorker(pool, ONE);
    Future<String> first = threads.submit(() -> workerName(pool, ONE));
    Eventually.holds("one task waits", () -> pool.waiting() == 1);
    Future<String> second = threads.submit(() -> workerName(pool, ONE));
    Eventually.holds("two tasks wait", () -> pool.waiting() == 2);

    Future<String> others = threads.submit(() -> workerName(pool, OTHER));

    assertThat(failure(second)).isEqualTo(WorkerFailure.BUSY);
    release.countDown();
    assertThat(others.get()).isNotEqualTo(first.get());
  }

  @Test
  void tenantWithFewerWorkersIsServedFirst() throws Exception {
    WorkerPool pool = open(new FakeWorkerPool().size(2));
    CountDownLatch releaseOne = new CountDownLatch(1);
    occupyWorker(pool, ONE, releaseOne);
    occupyWorker(pool, ONE);
    BlockingQueue<UUID> served = new LinkedBlockingQueue<>();
    Future<Boolean> ones = threads.submit(() -> pool.run(ONE, worker -> served.add(ONE)));
    Eventually.holds("one task waits", () -> pool.waiting() == 1);
    Future<Boolean> others = threads.submit(() -> pool.run(OTHER, worker -> served.add(OTHER)));
    Eventually.holds("two tasks wait", () -> pool.waiting() == 2);

    releaseOne.countDown();

    assertThat(served.take()).isEqualTo(OTHER);
    assertThat(served.take()).isEqualTo(ONE);
    assertThat(ones.get()).isEqualTo(others.get());
  }

  @Tag("long")
  @Test
  void tenantUsesNoMoreThanItsShare() throws Exception {
    WorkerPool pool = open(new FakeWorkerPool().size(2).perTenant(1));
    occupyWorker(pool, ONE);
    Future<String> second = threads.submit(() -> workerName(pool, ONE));
    Eventually.holds("one task waits", () -> pool.waiting() == 1);

    assertThat(workerName(pool, OTHER)).isNotEmpty();
    assertThat(pool.waiting()).isEqualTo(1);

    release.countDown();
    assertThat(second.get()).isNotEmpty();
  }

  @Test
  void programThatDoesNotStartIsReportedImmediately() throws Exception {
    Eventually.holds(
        "logging is initialized", () -> LoggerFactory.getLogger("any") instanceof Logger);
    Logger logger = (Logger) LoggerFactory.getLogger(WorkerPool.class);
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    logger.addAppender(log);
    WorkerPool pool = open(new FakeWorkerPool().program(FakeWorkerPool.program("no.such.Program")));

    for (int i = 0; i < 3; i++) {
      assertThat(failure(() -> workerName(pool, ONE))).isEqualTo(WorkerFailure.CANNOT_START);
    }
    logger.detachAppender(log);
    assertThat(log.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .contains(
            "A transform worker failed to start; retrying in 250 ms:"
                + " its process ended with status 1");
  }

  @Test
  void noWorkerIsStartedBeforeFirstUse() throws Exception {
    WorkerPool pool = open(new FakeWorkerPool().size(2).spares(1).idle(Duration.ofMillis(400)));

    // Longer than until the pool first checks for idle workers.
    for (int i = 0; i < 300; i++) {
      assertThat(pool.handles()).isEmpty();
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  @Test
  void unusedWorkerEnds() throws Exception {
    WorkerPool pool = open(new FakeWorkerPool().size(2).spares(1).idle(Duration.ofMillis(100)));

    assertThat(pool.handles()).isEmpty();
    workerName(pool, ONE);

    Eventually.holds("no worker and no spare is left", () -> pool.handles().isEmpty());
    assertThat(workerName(pool, ONE)).isNotEmpty();
  }

  @Test
  void killedIdleWorkerIsNotReused() throws Exception {
    WorkerPool pool = open(new FakeWorkerPool());
    String first = workerName(pool, ONE);

    ProcessHandle worker = pool.handles().get(0);
    worker.destroyForcibly();
    Eventually.holds("the worker has exited", () -> !worker.isAlive() && pool.handles().isEmpty());

    assertThat(workerName(pool, ONE)).isNotEqualTo(first);
  }

  @Test
  void interruptedTaskStopsWaiting() throws Exception {
    WorkerPool pool = open(new FakeWorkerPool().size(1));
    occupyWorker(pool, ONE);
    AtomicBoolean interrupted = new AtomicBoolean();
    BlockingQueue<WorkerFailure> failures = new LinkedBlockingQueue<>();
    Thread waiting =
        new Thread(
            () -> {
              failures.add(failure(() -> workerName(pool, ONE)));
              interrupted.set(Thread.currentThread().isInterrupted());
            });
    waiting.start();
    Eventually.holds("one task waits", () -> pool.waiting() == 1);

    waiting.interrupt();

    assertThat(failures.take()).isEqualTo(WorkerFailure.STOPPED);
    waiting.join();
    assertThat(interrupted).isTrue();
    assertThat(pool.waiting()).isZero();
  }

  @Test
  void closeEndsWorkersAndRejectsWaitingTasks() throws Exception {
    WorkerPool pool = open(new FakeWorkerPool().size(2).spares(1).ahead());
    CountDownLatch running = new CountDownLatch(2);
    Future<String> looping = threads.submit(() -> loop(pool, running));
    Future<String> alsoLooping = threads.submit(() -> loop(pool, running));
    running.await();
    Future<String> waiting = threads.submit(() -> workerName(pool, ONE));
    Eventually.holds("one task waits", () -> pool.waiting() == 1);
    List<ProcessHandle> processes = WorkerProcesses.ofPool(pool);

    pool.close();

    assertThat(failure(waiting)).isEqualTo(WorkerFailure.STOPPED);
    assertThat(failure(looping)).isEqualTo(WorkerFailure.STOPPED);
    assertThat(failure(alsoLooping)).isEqualTo(WorkerFailure.STOPPED);
    assertThat(failure(() -> workerName(pool, ONE))).isEqualTo(WorkerFailure.STOPPED);
    Eventually.holds("all workers have exited", () -> WorkerProcesses.haveExited(processes));
  }

  @Tag("long")
  @Test
  void concurrentTasksAreServedAndNoWorkerServesTwoTenants() throws Exception {
    WorkerPool pool = open(new FakeWorkerPool().size(3).spares(1).ahead().perTenant(2).queue(100));
    List<Future<String>> names = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      UUID tenant = new UUID(1, i % 2);
      names.add(threads.submit(() -> tenant + " " + workerName(pool, tenant)));
    }

    Set<String> pairs = new HashSet<>();
    Set<String> workers = new HashSet<>();
    for (Future<String> name : names) {
      pairs.add(name.get());
      workers.add(name.get().split(" ")[1]);
    }
    assertThat(pairs).hasSameSizeAs(workers);
  }

  private static String workerName(WorkerPool pool, UUID tenant) throws WorkerFailedException {
    return FakeWorkerPool.run(pool, tenant, "name");
  }

  private WorkerPool open(FakeWorkerPool settings) {
    WorkerPool pool = settings.start();
    opened.add(pool);
    return pool;
  }

  /** Occupies a worker until the end of the test. */
  private void occupyWorker(WorkerPool pool, UUID tenant) throws InterruptedException {
    occupyWorker(pool, tenant, release);
  }

  private void occupyWorker(WorkerPool pool, UUID tenant, CountDownLatch until)
      throws InterruptedException {
    CountDownLatch occupied = new CountDownLatch(1);
    Future<?> unused =
        threads.submit(
            () ->
                pool.run(
                    tenant,
                    worker -> {
                      occupied.countDown();
                      Eventually.awaitLatch(until);
                      return true;
                    }));
    occupied.await();
  }

  private static String loop(WorkerPool pool, CountDownLatch running) throws WorkerFailedException {
    return pool.run(
        ONE,
        worker -> {
          running.countDown();
          return FakeWorkerPool.run(worker, "loop", "", CallBudget.NONE.handler());
        });
  }

  private static WorkerFailure failure(Callable<?> work) {
    return catchThrowableOfType(WorkerFailedException.class, work::call).failure();
  }

  private static WorkerFailure failure(Future<?> work) {
    ExecutionException failed = catchThrowableOfType(ExecutionException.class, work::get);
    return ((WorkerFailedException) failed.getCause()).failure();
  }
}
