package io.tokenvault.server.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.memory.InMemoryElection;
import io.tokenvault.ports.runtime.LeaderElection;
import io.tokenvault.ports.runtime.LeaderTask;
import io.tokenvault.server.environment.Unchecked;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests that tasks continue after an error, such as {@link OutOfMemoryError}. */
@Execution(ExecutionMode.CONCURRENT)
final class HousekeepingTest {

  private final Map<LeaderTask, InMemoryElection> elected = new ConcurrentHashMap<>();
  private final CountDownLatch done = new CountDownLatch(1);

  private Housekeeping node() {
    return new Housekeeping(new InMemoryElection(elected));
  }

  @Test
  void otherNodeContinuesAfterError() throws InterruptedException {
    try (Housekeeping failing = node();
        Housekeeping other = node()) {
      CountDownLatch started = new CountDownLatch(1);
      repeatAsLeader(
          failing,
          () -> {
            started.countDown();
            throw new OutOfMemoryError("on purpose");
          });
      assertThat(started.await(30, TimeUnit.SECONDS)).isTrue();
      repeatAsLeader(other, done::countDown);
      assertThat(done.await(30, TimeUnit.SECONDS)).as("completed by the other node").isTrue();
    }
  }

  @Test
  void soleNodeRetriesAfterError() throws InterruptedException {
    try (Housekeeping node = node()) {
      repeatAsLeader(node, failingOnce());
      assertThat(done.await(30, TimeUnit.SECONDS)).as("completed").isTrue();
    }
  }

  @Test
  void nodeThatCannotResignRetries() throws InterruptedException {
    try (Housekeeping node = new Housekeeping(new FailingResignation())) {
      repeatAsLeader(node, failingOnce());
      assertThat(done.await(30, TimeUnit.SECONDS)).as("completed").isTrue();
    }
  }

  @Test
  void blockedOutputDoesNotDelayShutdown() {
    CountDownLatch reader = new CountDownLatch(1);
    try {
      assertThat(
              HashChainTask.endsInTime(() -> Unchecked.run(reader::await), Duration.ofMillis(50)))
          .isFalse();
    } finally {
      reader.countDown();
    }
    assertThat(HashChainTask.endsInTime(() -> Unchecked.run(reader::await), Duration.ofSeconds(10)))
        .isTrue();
  }

  private static void repeatAsLeader(Housekeeping node, Runnable work) {
    node.repeatForAll(LeaderTask.SEALING, "extend the hash chain", work, Duration.ofSeconds(1));
  }

  private Runnable failingOnce() {
    AtomicInteger runs = new AtomicInteger();
    return () -> {
      if (runs.incrementAndGet() == 1) {
        throw new StackOverflowError("on purpose");
      }
      done.countDown();
    };
  }

  /** An election that cannot reach its database to resign. */
  private static final class FailingResignation implements LeaderElection {

    @Override
    public boolean ifElected(LeaderTask task, Runnable work) {
      work.run();
      return true;
    }

    @Override
    public void resign(LeaderTask task) {
      throw RefusedException.unavailable(null);
    }

    @Override
    public void keepAlive() {}
  }
}
