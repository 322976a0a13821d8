package io.tokenvault.engine.transform;

import io.tokenvault.engine.wire.BodyKind;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import io.tokenvault.engine.wire.ToWorker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A pool of {@link PlayedWorker}s, small and quick, as tests want it. */
final class PlayedPool {

  static final WorkerProgram PROGRAM = program(PlayedWorker.class.getName());
  private static final Confinement CONFINEMENT = Confinement.find(PROGRAM);

  private int size = 1;
  private int spares;
  private boolean ahead;
  private int perTenant = 10;
  private int queue = 10;
  private Duration longestWait = Duration.ofMinutes(1);
  private Duration idle = Duration.ofMinutes(1);
  private int maxUses = 1000;
  private int maxBundles = 1000;
  private WorkerProgram program = PROGRAM;

  static WorkerProgram program(String mainClass) {
    return WorkerProgram.onThisJava(
        List.of(
            WorkerProgram.sourceOf(WorkerPool.class), WorkerProgram.sourceOf(PlayedWorker.class)),
        mainClass);
  }

  PlayedPool size(int workers) {
    size = workers;
    return this;
  }

  PlayedPool spares(int kept) {
    spares = kept;
    return this;
  }

  PlayedPool ahead() {
    ahead = true;
    return this;
  }

  PlayedPool perTenant(int share) {
    perTenant = share;
    return this;
  }

  PlayedPool queue(int length) {
    queue = length;
    return this;
  }

  PlayedPool longestWait(Duration limit) {
    longestWait = limit;
    return this;
  }

  PlayedPool idle(Duration limit) {
    idle = limit;
    return this;
  }

  PlayedPool maxUses(int most) {
    maxUses = most;
    return this;
  }

  PlayedPool maxBundles(int most) {
    maxBundles = most;
    return this;
  }

  PlayedPool program(WorkerProgram other) {
    program = other;
    return this;
  }

  WorkerPool start() {
    return start(CONFINEMENT);
  }

  WorkerPool start(Confinement confinement) {
    WorkerSettings worker =
        new WorkerSettings(24, 512, Duration.ofMinutes(1), maxUses, maxBundles, false);
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
    WorkerPool pool = new WorkerPool(settings, new WorkerLauncher(program, confinement, begin));
    pool.startSpares();
    return pool;
  }

  /** What a worker of that tenant's returns when it plays a part. */
  static String play(WorkerPool pool, UUID tenant, String part) throws WorkerFailedException {
    return pool.run(tenant, lease -> play(lease, part, "", CallBudget.NONE.handler()));
  }

  static String play(Lease lease, String part, String body, CallHandler calls)
      throws WorkerFailedException {
    ToWorker.Limits limits = new ToWorker.Limits(60_000, 60_000, 0, 0, 0, 100);
    return play(lease, part, body, limits, calls);
  }

  static String play(
      Lease lease, String part, String body, ToWorker.Limits limits, CallHandler calls)
      throws WorkerFailedException {
    byte[] text = body.getBytes(StandardCharsets.UTF_8);
    ToWorker.Invoke invocation = new ToWorker.Invoke(part, limits, BodyKind.TEXT, text, "{}");
    Outcome outcome = lease.invoke(invocation, () -> bundle(part), calls).outcome();
    return outcome instanceof Outcome.Returned returned
        ? new String(returned.body(), StandardCharsets.UTF_8)
        : outcome.toString();
  }

  static ToWorker.Bundle bundle(String part) {
    return new ToWorker.Bundle(new ToWorker.Program(part, Map.of()), Map.of());
  }
}
