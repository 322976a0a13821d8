package io.tokenvault.engine.transform;

import io.tokenvault.engine.transform.isolation.IsolatedProgram.Found;
import io.tokenvault.engine.transform.isolation.WorkerIsolation;
import io.tokenvault.engine.transform.isolation.WorkerProgram;
import io.tokenvault.engine.transform.pool.CallBudget;
import io.tokenvault.engine.transform.pool.CallBudget.CallHandler;
import io.tokenvault.engine.transform.pool.PoolSettings;
import io.tokenvault.engine.transform.pool.PoolSettings.WorkerSettings;
import io.tokenvault.engine.transform.pool.PooledWorker;
import io.tokenvault.engine.transform.pool.WorkerFailedException;
import io.tokenvault.engine.transform.pool.WorkerPool;
import io.tokenvault.engine.transform.pool.WorkerProcess.WorkerLauncher;
import io.tokenvault.engine.wire.BodyKind;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import io.tokenvault.engine.wire.ToWorker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** Builds small pools of {@link FakeWorker} processes and runs tasks in them. */
public final class FakeWorkerPool {

  static final WorkerProgram PROGRAM = program(FakeWorker.class.getName());
  private static final WorkerIsolation ISOLATION = WorkerIsolation.find(PROGRAM);

  private int size = 1;
  private int spares;
  private boolean ahead;
  private int perTenant = 10;
  private int queue = 10;
  private Duration longestWait = Duration.ofMinutes(1);
  private Duration idle = Duration.ofMinutes(1);
  private int maxUses = 1000;
  private int maxTransforms = 1000;
  private WorkerProgram program = PROGRAM;

  public static WorkerProgram program(String mainClass) {
    return WorkerProgram.onThisJava(
        List.of(WorkerProgram.sourceOf(WorkerPool.class), WorkerProgram.sourceOf(FakeWorker.class)),
        mainClass);
  }

  public FakeWorkerPool size(int workers) {
    size = workers;
    return this;
  }

  public FakeWorkerPool spares(int kept) {
    spares = kept;
    return this;
  }

  public FakeWorkerPool ahead() {
    ahead = true;
    return this;
  }

  public FakeWorkerPool perTenant(int share) {
    perTenant = share;
    return this;
  }

  public FakeWorkerPool queue(int length) {
    queue = length;
    return this;
  }

  public FakeWorkerPool longestWait(Duration limit) {
    longestWait = limit;
    return this;
  }

  public FakeWorkerPool idle(Duration limit) {
    idle = limit;
    return this;
  }

  /** Sets the numbers of uses and transforms after which a worker is replaced. */
  public FakeWorkerPool replacedAfter(int uses, int transforms) {
    maxUses = uses;
    maxTransforms = transforms;
    return this;
  }

  public FakeWorkerPool program(WorkerProgram other) {
    program = other;
    return this;
  }

  public WorkerPool start() {
    return start(ISOLATION);
  }

  WorkerPool start(WorkerIsolation isolation) {
    WorkerSettings worker =
        new WorkerSettings(24, 512, Duration.ofMinutes(1), maxUses, maxTransforms, false);
    PoolSettings settings =
        new PoolSettings(
            size,
            spares,
            ahead,
            perTenant,
            queue,
            longestWait,
            idle,
            Duration.ofMillis(100),
            worker);
    ToWorker.Begin begin = new ToWorker.Begin(false, List.of());
    WorkerPool pool =
        new WorkerPool(settings, new WorkerLauncher(() -> new Found(program, isolation), begin));
    pool.startSpares();
    return pool;
  }

  /** Runs a behavior in a worker of the tenant and returns its result. */
  public static String run(WorkerPool pool, UUID tenant, String behavior)
      throws WorkerFailedException {
    return pool.run(tenant, worker -> run(worker, behavior, "", CallBudget.NONE.handler()));
  }

  public static String run(PooledWorker worker, String behavior, String body, CallHandler calls)
      throws WorkerFailedException {
    ToWorker.Limits limits = new ToWorker.Limits(60_000, 60_000, 0, 0, 0, 100);
    return run(worker, behavior, body, limits, calls);
  }

  public static String run(
      PooledWorker worker, String behavior, String body, ToWorker.Limits limits, CallHandler calls)
      throws WorkerFailedException {
    byte[] text = body.getBytes(StandardCharsets.UTF_8);
    ToWorker.Invoke invocation = new ToWorker.Invoke(behavior, limits, BodyKind.TEXT, text, "{}");
    Outcome outcome =
        worker.invoke(invocation, () -> load(behavior), budget(limits, calls)).outcome();
    return outcome instanceof Outcome.Returned returned
        ? new String(returned.body(), StandardCharsets.UTF_8)
        : outcome.toString();
  }

  private static CallBudget budget(ToWorker.Limits limits, CallHandler calls) {
    return new CallBudget(calls, limits.maxCalls(), CallBudget.NONE.modules());
  }

  public static ToWorker.Load load(String behavior) {
    return new ToWorker.Load(behavior, 0, new ToWorker.Program(behavior));
  }
}
