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

/** Builds small pools of {@link PlayedWorker} processes and runs tasks in them. */
public final class PlayedPool {

  static final WorkerProgram PROGRAM = program(PlayedWorker.class.getName());
  private static final WorkerIsolation CONFINEMENT = WorkerIsolation.find(PROGRAM);

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
        List.of(
            WorkerProgram.sourceOf(WorkerPool.class), WorkerProgram.sourceOf(PlayedWorker.class)),
        mainClass);
  }

  public PlayedPool size(int workers) {
    size = workers;
    return this;
  }

  public PlayedPool spares(int kept) {
    spares = kept;
    return this;
  }

  public PlayedPool ahead() {
    ahead = true;
    return this;
  }

  public PlayedPool perTenant(int share) {
    perTenant = share;
    return this;
  }

  public PlayedPool queue(int length) {
    queue = length;
    return this;
  }

  public PlayedPool longestWait(Duration limit) {
    longestWait = limit;
    return this;
  }

  public PlayedPool idle(Duration limit) {
    idle = limit;
    return this;
  }

  /** Sets the numbers of uses and transforms after which a worker is replaced. */
  public PlayedPool replacedAfter(int uses, int transforms) {
    maxUses = uses;
    maxTransforms = transforms;
    return this;
  }

  public PlayedPool program(WorkerProgram other) {
    program = other;
    return this;
  }

  public WorkerPool start() {
    return start(CONFINEMENT);
  }

  WorkerPool start(WorkerIsolation confinement) {
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
        new WorkerPool(settings, new WorkerLauncher(() -> new Found(program, confinement), begin));
    pool.startSpares();
    return pool;
  }

  /** Runs a behavior in a worker of the tenant and returns its result. */
  public static String play(WorkerPool pool, UUID tenant, String part)
      throws WorkerFailedException {
    return pool.run(tenant, lease -> play(lease, part, "", CallBudget.NONE.handler()));
  }

  public static String play(PooledWorker lease, String part, String body, CallHandler calls)
      throws WorkerFailedException {
    ToWorker.Limits limits = new ToWorker.Limits(60_000, 60_000, 0, 0, 0, 100);
    return play(lease, part, body, limits, calls);
  }

  public static String play(
      PooledWorker lease, String part, String body, ToWorker.Limits limits, CallHandler calls)
      throws WorkerFailedException {
    byte[] text = body.getBytes(StandardCharsets.UTF_8);
    ToWorker.Invoke invocation = new ToWorker.Invoke(part, limits, BodyKind.TEXT, text, "{}");
    Outcome outcome = lease.invoke(invocation, () -> load(part), budget(limits, calls)).outcome();
    return outcome instanceof Outcome.Returned returned
        ? new String(returned.body(), StandardCharsets.UTF_8)
        : outcome.toString();
  }

  private static CallBudget budget(ToWorker.Limits limits, CallHandler calls) {
    return new CallBudget(calls, limits.maxCalls(), CallBudget.NONE.modules());
  }

  public static ToWorker.Load load(String part) {
    return new ToWorker.Load(part, 0, new ToWorker.Program(part));
  }
}
