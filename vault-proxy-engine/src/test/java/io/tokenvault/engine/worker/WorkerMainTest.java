package io.tokenvault.engine.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.engine.wire.BodyKind;
import io.tokenvault.engine.wire.FromWorker;
import io.tokenvault.engine.wire.FromWorker.FailureKind;
import io.tokenvault.engine.wire.FromWorker.Finished;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import io.tokenvault.engine.wire.FromWorker.Position;
import io.tokenvault.engine.wire.ToWorker;
import io.tokenvault.engine.wire.ToWorker.Limits;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class WorkerMainTest {
  private static final long NO_LIMIT = 1L << 50;

  /** Shared by the tests that keep it running; the last test ends it. */
  @AutoClose private static TestWorker worker;

  @BeforeAll
  static void begin() throws Exception {
    worker = new TestWorker();
    worker.send(new ToWorker.Begin(false, List.of()));
    assertThat(worker.receive()).isEqualTo(new FromWorker.Ready());
  }

  @Test
  void loadedProgramRunsInNewRealmEachTime() throws Exception {
    worker.load("one", "var n = 0; module.exports = function () { return {body: [++n]}; };");
    worker.load("two", "module.exports = function (req) { return {body: req.args.body.a}; };");
    assertThat(json(worker.invoke("one", TestWorker.LIMITS, "{}"))).isEqualTo("[1]");
    assertThat(json(worker.invoke("one", TestWorker.LIMITS, "{}"))).isEqualTo("[1]");
    assertThat(json(worker.invoke("two", TestWorker.LIMITS, "{\"a\":[2]}"))).isEqualTo("[2]");
  }

  @Test
  void unparsableProgramIsNotLoaded() throws Exception {
    worker.load("bad", "var a;\nvar = 1;");
    worker.send(new ToWorker.Probe("bad", TestWorker.LIMITS));
    assertThat(((Finished) worker.receive()).outcome())
        .isEqualTo(new Outcome.Failed(FailureKind.NOT_LOADED, new Position("", 2)));
    assertThat(worker.invoke("unknown", TestWorker.LIMITS, "{}").outcome())
        .isEqualTo(new Outcome.Failed(FailureKind.NOT_LOADED, Position.UNKNOWN));
  }

  @Tag("long")
  @Test
  void uninterruptibleOperationEndsProcessAfterItsResponse() throws Exception {
    Limits shortLimits = new Limits(200, 60_000, NO_LIMIT, NO_LIMIT, 1000, 1);
    try (TestWorker other = new TestWorker().begin()) {
      other.load(
          "square",
          "module.exports = function () { var x = 3n; for (var i = 0; i < 99; i++) { x = x * x; }"
              + " };");
      assertThat(kind(other.invoke("square", shortLimits, "{}"))).isEqualTo(FailureKind.CPU_TIME);
      other.closePipe();
      other.awaitExit();
    }
  }

  @Tag("long")
  @Test
  void fullHeapEndsProcess() throws Exception {
    Limits looseLimits = new Limits(60_000, 60_000, NO_LIMIT, NO_LIMIT, 1000, 1);
    try (TestWorker other = new TestWorker().begin()) {
      other.load("full", "module.exports = function () { return new Uint8Array(1 << 30); };");
      other.send(
          new ToWorker.Invoke("full", looseLimits, BodyKind.NONE, new byte[0], TestWorker.CONTEXT));
      assertThat(other.awaitExit()).isEqualTo(3);
    }
  }

  @Test
  @Order(Integer.MAX_VALUE)
  void closedPipeEndsWorkerInEndlessLoop() throws Exception {
    Limits looseLimits = new Limits(600_000, 600_000, NO_LIMIT, NO_LIMIT, 1000, 1);
    worker.load("loop", "module.exports = function () { while (true) {} };");
    worker.send(
        new ToWorker.Invoke("loop", looseLimits, BodyKind.NONE, new byte[0], TestWorker.CONTEXT));
    worker.closePipe();
    assertThat(worker.awaitExit()).isZero();
  }

  private static FailureKind kind(Finished finished) {
    return ((Outcome.Failed) finished.outcome()).kind();
  }

  private static String json(Finished finished) {
    return Sandbox.body(finished.outcome());
  }
}
