package io.tokenvault.engine.transform.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.tokenvault.engine.transform.Eventually;
import io.tokenvault.engine.transform.PlayedPool;
import io.tokenvault.engine.transform.Processes;
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
  private final CountDownLatch done = new CountDownLatch(1);

  @AfterEach
  void tearDown() throws Exception {
    done.countDown();
    for (AutoCloseable pool : opened) {
      pool.close();
    }
    threads.shutdownNow();
  }

  @Test
  void workerIsReusedByItsTenantAndReplacedForAnother() throws Exception {
    WorkerPool pool = open(new PlayedPool().size(1));

    String first = PlayedPool.play(pool, ONE, "name");
    String second = PlayedPool.play(pool, ONE, "name");
    List<ProcessHandle> before = Processes.of(pool);
    String others = PlayedPool.play(pool, OTHER, "name");

    assertThat(second).isEqualTo(first).isNotEqualTo(others);
    Eventually.holds("the worker has exited", () -> Processes.areGone(before));
  }

  @Tag("long")
  @Test
  void sparesAreStartedInAdvanceAndReplenished() throws Exception {
    WorkerPool pool = open(new PlayedPool().size(3).spares(2).ahead());

    Eventually.holds("two spares", () -> pool.handles().size() == 2);
    PlayedPool.play(pool, ONE, "name");

    Eventually.holds("two spares and a used worker", () -> pool.handles().size() == 3);
  }

  @Test
  void transformIsSentToWorkerOnce() throws Exception {
    WorkerPool pool = open(new PlayedPool());
    AtomicInteger sent = new AtomicInteger();
    WorkerPool.Task<FromWorker.Finished> probe =
        lease ->
            lease.probe(
                new ToWorker.Probe("echo", new ToWorker.Limits(60_000, 60_000, 0, 0, 0, 0)),
                () -> {
                  sent.incrementAndGet();
                  return PlayedPool.load("echo");
                },
                CallBudget.NONE.modules());

    pool.run(ONE, probe);
    pool.run(ONE, probe);

    assertThat(sent).hasValue(1);
  }

  @Test
  void workerIsReplacedAfterItsLimitOfUsesOrTransforms() throws Exception {
    WorkerPool pool = open(new PlayedPool().replacedAfter(3, 2));

    String first = PlayedPool.play(pool, ONE, "name");
    assertThat(PlayedPool.play(pool, ONE, "name")).isEqualTo(first);
    assertThat(PlayedPool.play(pool, ONE, "name")).isEqualTo(first);
    String second = PlayedPool.play(pool, ONE, "name");
    assertThat(second).as("after three uses").isNotEqualTo(first);

    PlayedPool.play(pool, ONE, "echo");
    assertThat(PlayedPool.play(pool, ONE, "name")).as("after two transforms").isNotEqualTo(second);
  }

  @Test
  void taskIsRejectedAfterWaitingTooLong() throws Exception {
    WorkerPool pool = open(new PlayedPool().size(1).longestWait(Duration.ofMillis(300)));
    Eventually.holds("a worker is available", () -> isServed(pool));
    hold(pool, ONE);

    assertThat(failure(() -> PlayedPool.play(pool, ONE, "name"))).isEqualTo(WorkerFailure.BUSY);
    assertThat(pool.waiting()).isZero();
  }

  private static boolean isServed(WorkerPool pool) {
    try {
      return !PlayedPool.play(pool, ONE, "name").isEmpty();
    } catch (WorkerFailedException notYet) {
      assertThat(notYet.failure()).isEqualTo(WorkerFailure.BUSY);
      return false;
    }
  }

  @Test
  void tenantWithMostWaitingTasksYieldsInFullQueue() throws Exception {
    WorkerPool pool = open(new PlayedPool().size(1).queue(2));
    hold(pool, ONE);
    Future<String> first = start(() -> PlayedPool.play(pool, ONE, "name"));
    Eventually.holds("one task waits", () -> pool.waiting() == 1);
    Future<String> second = start(() -> PlayedPool.play(pool, ONE, "name"));
    Eventually.holds("two tasks wait", () -> pool.waiting() == 2);

    Future<String> others = start(() -> PlayedPool.play(pool, OTHER, "name"));

    assertThat(failure(second)).isEqualTo(WorkerFailure.BUSY);
    done.countDown();
    assertThat(others.get()).isNotEqualTo(first.get());
  }

  @Test
  void tenantWithFewerWorkersIsServedFirst() throws Exception {
    WorkerPool pool = open(new PlayedPool().size(2));
    CountDownLatch oneDone = hold(pool, ONE, new CountDownLatch(1));
    hold(pool, ONE);
    BlockingQueue<UUID> served = new LinkedBlockingQueue<>();
    Future<Boolean> ones = start(() -> pool.run(ONE, lease -> served.add(ONE)));
    Eventually.holds("one task waits", () -> pool.waiting() == 1);
    Future<Boolean> others = start(() -> pool.run(OTHER, lease -> served.add(OTHER)));
    Eventually.holds("two tasks wait", () -> pool.waiting() == 2);

    oneDone.countDown();

    assertThat(served.take()).isEqualTo(OTHER);
    assertThat(served.take()).isEqualTo(ONE);
    assertThat(ones.get()).isEqualTo(others.get());
  }

  @Tag("long")
  @Test
  void tenantUsesNoMoreThanItsShare() throws Exception {
    WorkerPool pool = open(new PlayedPool().size(2).perTenant(1));
    hold(pool, ONE);
    Future<String> second = start(() -> PlayedPool.play(pool, ONE, "name"));
    Eventually.holds("one task waits", () -> pool.waiting() == 1);

    assertThat(PlayedPool.play(pool, OTHER, "name")).isNotEmpty();
    assertThat(pool.waiting()).isEqualTo(1);

    done.countDown();
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
    WorkerPool pool = open(new PlayedPool().program(PlayedPool.program("no.such.Program")));

    for (int i = 0; i < 3; i++) {
      assertThat(failure(() -> PlayedPool.play(pool, ONE, "name")))
          .isEqualTo(WorkerFailure.CANNOT_START);
    }
    logger.detachAppender(log);
    assertThat(log.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .contains(
            "A transform worker failed to start; retrying in 250 ms:"
                + " its process ended with status 1");
  }

  @Test
  void beforeTheFirstUseNothingIsStarted() throws Exception {
    WorkerPool pool = open(new PlayedPool().size(2).spares(1).idle(Duration.ofMillis(400)));

    // Longer than until the pool first checks for idle workers.
    for (int i = 0; i < 300; i++) {
      assertThat(pool.handles()).isEmpty();
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  @Test
  void unusedWorkerEnds() throws Exception {
    WorkerPool pool = open(new PlayedPool().size(2).spares(1).idle(Duration.ofMillis(100)));

    assertThat(pool.handles()).isEmpty();
    PlayedPool.play(pool, ONE, "name");

    Eventually.holds("no worker and no spare is left", () -> pool.handles().isEmpty());
    assertThat(PlayedPool.play(pool, ONE, "name")).isNotEmpty();
  }

  @Test
  void killedIdleWorkerIsNotReused() throws Exception {
    WorkerPool pool = open(new PlayedPool());
    String first = PlayedPool.play(pool, ONE, "name");

    ProcessHandle worker = pool.handles().get(0);
    worker.destroyForcibly();
    Eventually.holds("the worker has exited", () -> !worker.isAlive() && pool.handles().isEmpty());

    assertThat(PlayedPool.play(pool, ONE, "name")).isNotEqualTo(first);
  }

  @Test
  void interruptedTaskStopsWaiting() throws Exception {
    WorkerPool pool = open(new PlayedPool().size(1));
    hold(pool, ONE);
    AtomicBoolean interrupted = new AtomicBoolean();
    BlockingQueue<WorkerFailure> failures = new LinkedBlockingQueue<>();
    Thread waiting =
        new Thread(
            () -> {
              failures.add(failure(() -> PlayedPool.play(pool, ONE, "name")));
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
  void closingEndsAllAndRefusesWhoWaits() throws Exception {
    WorkerPool pool = open(new PlayedPool().size(2).spares(1).ahead());
    CountDownLatch running = new CountDownLatch(2);
    Future<String> looping = start(() -> loop(pool, running));
    Future<String> alsoLooping = start(() -> loop(pool, running));
    running.await();
    Future<String> waiting = start(() -> PlayedPool.play(pool, ONE, "name"));
    Eventually.holds("one task waits", () -> pool.waiting() == 1);
    List<ProcessHandle> processes = Processes.of(pool);

    pool.close();

    assertThat(failure(waiting)).isEqualTo(WorkerFailure.STOPPED);
    assertThat(failure(looping)).isEqualTo(WorkerFailure.STOPPED);
    assertThat(failure(alsoLooping)).isEqualTo(WorkerFailure.STOPPED);
    assertThat(failure(() -> PlayedPool.play(pool, ONE, "name"))).isEqualTo(WorkerFailure.STOPPED);
    Eventually.holds("all workers have exited", () -> Processes.areGone(processes));
  }

  @Tag("long")
  @Test
  void manyAtOnceAreAllServedAndNoWorkerSeesTwoTenants() throws Exception {
    WorkerPool pool = open(new PlayedPool().size(3).spares(1).ahead().perTenant(2).queue(100));
    List<Future<String>> names = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      UUID tenant = new UUID(1, i % 2);
      names.add(start(() -> tenant + " " + PlayedPool.play(pool, tenant, "name")));
    }

    Set<String> pairs = new HashSet<>();
    Set<String> workers = new HashSet<>();
    for (Future<String> name : names) {
      pairs.add(name.get());
      workers.add(name.get().split(" ")[1]);
    }
    assertThat(pairs).hasSameSizeAs(workers);
  }

  private WorkerPool open(PlayedPool settings) {
    WorkerPool pool = settings.start();
    opened.add(pool);
    return pool;
  }

  /** Occupies a worker until the end of the test. */
  private void hold(WorkerPool pool, UUID tenant) throws InterruptedException {
    hold(pool, tenant, done);
  }

  private CountDownLatch hold(WorkerPool pool, UUID tenant, CountDownLatch until)
      throws InterruptedException {
    CountDownLatch held = new CountDownLatch(1);
    Future<?> unused =
        start(
            () ->
                pool.run(
                    tenant,
                    lease -> {
                      held.countDown();
                      Eventually.opens(until);
                      return true;
                    }));
    held.await();
    return until;
  }

  private static String loop(WorkerPool pool, CountDownLatch running) throws WorkerFailedException {
    return pool.run(
        ONE,
        lease -> {
          running.countDown();
          return PlayedPool.play(lease, "loop", "", CallBudget.NONE.handler());
        });
  }

  private <T> Future<T> start(Callable<T> work) {
    return threads.submit(work);
  }

  private static WorkerFailure failure(Callable<?> work) {
    return catchThrowableOfType(WorkerFailedException.class, work::call).failure();
  }

  private static WorkerFailure failure(Future<?> work) {
    ExecutionException failed = catchThrowableOfType(ExecutionException.class, work::get);
    return ((WorkerFailedException) failed.getCause()).failure();
  }
}
