package io.tokenvault.engine.transform.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tokenvault.engine.transform.Eventually;
import io.tokenvault.engine.transform.FakeWorkerPool;
import io.tokenvault.engine.transform.WorkerProcesses;
import io.tokenvault.engine.transform.pool.CallBudget.CallHandler;
import io.tokenvault.engine.transform.pool.CallBudget.ModuleSupplier;
import io.tokenvault.engine.transform.pool.WorkerFailedException.WorkerFailure;
import io.tokenvault.engine.wire.FromWorker;
import io.tokenvault.engine.wire.FromWorker.FailureKind;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import io.tokenvault.engine.wire.ToWorker;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests workers that exit, exceed limits or violate the protocol, and calls of transforms. */
final class PooledWorkerFailuresTest {

  private static final UUID TENANT = new UUID(0, 1);

  /** Shared by all tests, since each worker that a test ends is replaced. */
  @AutoClose private static final WorkerPool pool = new FakeWorkerPool().start();

  @Test
  void overrunningWorkerIsKilledAtDeadline() throws Exception {
    ToWorker.Limits limits = new ToWorker.Limits(300, 300, 0, 0, 0, 0);

    assertThat(failure(() -> run("loop", "", limits, CallBudget.NONE.handler())))
        .isEqualTo(WorkerFailure.TIMED_OUT);
    assertNextTaskIsServed();
  }

  @ParameterizedTest
  @EnumSource(names = {"CPU_TIME", "WALL_TIME", "INSTRUCTIONS", "ALLOCATION", "STACK"})
  void workerIsReplacedAfterScriptExceedsLimit(FailureKind limit) throws Exception {
    String name = FakeWorkerPool.run(pool, TENANT, "name");

    assertThat(run("overrun", limit.name(), limits(0), CallBudget.NONE.handler()))
        .contains(limit.name());
    assertThat(FakeWorkerPool.run(pool, TENANT, "name")).isNotEqualTo(name);
  }

  @Test
  void serverFailureBeforeFirstMessageLeavesWorkerUnchanged() throws Exception {
    String name = FakeWorkerPool.run(pool, TENANT, "name");
    ToWorker.Probe probe = new ToWorker.Probe("echo", limits(0));

    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                pool.run(
                    TENANT,
                    worker ->
                        worker.probe(
                            probe,
                            PooledWorkerFailuresTest::noTransform,
                            CallBudget.NONE.modules())));
    assertThat(FakeWorkerPool.run(pool, TENANT, "echo")).isEmpty();
    assertThat(FakeWorkerPool.run(pool, TENANT, "name")).isEqualTo(name);
  }

  @Test
  void outOfMemoryIsReportedByWorker() throws Exception {
    assertThat(failure(() -> FakeWorkerPool.run(pool, TENANT, "memory")))
        .isEqualTo(WorkerFailure.OUT_OF_MEMORY);
    assertNextTaskIsServed();
  }

  @ParameterizedTest
  @ValueSource(strings = {"garbage", "unexpected message", "flood"})
  void workerThatViolatesProtocolIsEnded(String behavior) throws Exception {
    assertThat(failure(() -> FakeWorkerPool.run(pool, TENANT, behavior)))
        .isEqualTo(WorkerFailure.DIED);
    assertNextTaskIsServed();
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = {"exit", "truncated message"})
  void workerThatExitsEarlyIsReplaced(String behavior) throws Exception {
    workerThatViolatesProtocolIsEnded(behavior);
  }

  @Test
  void callAfterEndIsNotAttributedToNextInvocation() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    CallHandler counting = call -> reply(call, calls.incrementAndGet());
    FakeWorkerPool.run(pool, TENANT, "late call");

    assertThat(failure(() -> run("echo", "", limits(100), counting))).isEqualTo(WorkerFailure.DIED);
    assertThat(calls).hasValue(0);
  }

  @Test
  void workerKilledDuringCallAffectsNoOther() throws Exception {
    CallHandler killing =
        call -> {
          WorkerProcesses.ofPool(pool).forEach(ProcessHandle::destroyForcibly);
          return reply(call, 0);
        };

    assertThat(failure(() -> run("calls", "1", limits(100), killing)))
        .isEqualTo(WorkerFailure.DIED);
    assertNextTaskIsServed();
  }

  @Test
  void callsRunConcurrentlyAndReturnInAnyOrder() throws Exception {
    CountDownLatch all = new CountDownLatch(3);
    CallHandler waitingForAll =
        call -> {
          all.countDown();
          Eventually.awaitLatch(all);
          return reply(call, call.callId());
        };

    assertThat(run("calls", "3", limits(100), waitingForAll)).isEqualTo("true0,true1,true2");
  }

  @Test
  void concurrentCallsAreLimitedAndAllReturn() throws Exception {
    AtomicInteger running = new AtomicInteger();
    Set<Integer> seen = Collections.newSetFromMap(new ConcurrentHashMap<>());
    CallHandler counting =
        call -> {
          seen.add(running.incrementAndGet());
          Thread.yield();
          running.decrementAndGet();
          return reply(call, 0);
        };

    assertThat(run("calls", "100", limits(100), counting).split(",")).hasSize(100);
    assertThat(seen).allMatch(count -> count <= CallDispatcher.CALLS_AT_ONCE);
  }

  @Test
  void workerThatExceedsItsCallLimitIsEnded() {
    AtomicInteger calls = new AtomicInteger();
    CallHandler counting = call -> reply(call, calls.incrementAndGet());

    assertThat(failure(() -> run("calls", "4", limits(3), counting))).isEqualTo(WorkerFailure.DIED);
    assertThat(calls).hasValueLessThanOrEqualTo(3);
  }

  @Test
  void failedCallReturnsErrorWithoutItsText() throws Exception {
    CallHandler failing =
        call -> {
          throw new IllegalStateException("4111 1111 1111 1111");
        };

    assertThat(run("calls", "1", limits(100), failing))
        .startsWith("false{\"status\":500")
        .doesNotContain("4111");
  }

  @Test
  void lateRepliesAreDroppedWithoutBlockingOthers() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    CallHandler slow =
        call -> {
          Eventually.awaitLatch(release);
          return reply(call, 1);
        };
    ToWorker.Limits shorter = new ToWorker.Limits(300, 300, 0, 0, 0, 100);

    assertThat(failure(() -> run("calls", "50", shorter, slow))).isEqualTo(WorkerFailure.TIMED_OUT);
    assertThat(run("calls", "2", limits(100), call -> reply(call, 5))).isEqualTo("true5,true5");
    release.countDown();
    assertNextTaskIsServed();
  }

  @Test
  void moduleIsProvidedWhileWorkerWaits() throws Exception {
    assertThat(requiredModule("module", require -> provided("code of " + require.name())))
        .contains("code of lodash");
  }

  @Test
  void moduleThatCannotBeProvidedIsMissing() throws Exception {
    assertThat(
            requiredModule(
                "module",
                require -> {
                  throw new IllegalStateException("/path");
                }))
        .contains("none");
  }

  @Test
  void workerThatAsksForTwoModulesAtOnceIsEnded() {
    CountDownLatch release = new CountDownLatch(1);
    ModuleSupplier slow =
        require -> {
          Eventually.awaitLatch(release);
          return provided("");
        };

    assertThat(failure(() -> requiredModule("two modules", slow))).isEqualTo(WorkerFailure.DIED);
    release.countDown();
  }

  private static ToWorker.Provided provided(String code) {
    return new ToWorker.Provided(Optional.of(new ToWorker.Program(code)), true);
  }

  private String requiredModule(String behavior, ModuleSupplier modules)
      throws WorkerFailedException {
    ToWorker.Probe probe = new ToWorker.Probe(behavior, limits(0));
    Outcome outcome =
        pool.run(
                TENANT, worker -> worker.probe(probe, () -> FakeWorkerPool.load(behavior), modules))
            .outcome();
    return new String(((Outcome.Returned) outcome).body(), StandardCharsets.UTF_8);
  }

  private String run(String behavior, String body, ToWorker.Limits limits, CallHandler calls)
      throws WorkerFailedException {
    return pool.run(TENANT, worker -> FakeWorkerPool.run(worker, behavior, body, limits, calls));
  }

  private void assertNextTaskIsServed() throws WorkerFailedException {
    assertThat(FakeWorkerPool.run(pool, TENANT, "echo")).isEmpty();
  }

  private static ToWorker.Load noTransform() {
    throw new IllegalStateException("no transform");
  }

  private static ToWorker.Limits limits(int calls) {
    return new ToWorker.Limits(60_000, 60_000, 0, 0, 0, calls);
  }

  private static ToWorker.Reply reply(FromWorker.Call call, int number) {
    return new ToWorker.Reply(call.callId(), true, Integer.toString(number));
  }

  private static WorkerFailure failure(ThrowingCallable work) {
    return catchThrowableOfType(WorkerFailedException.class, work).failure();
  }
}
