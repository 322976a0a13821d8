package io.tokenvault.ports.contract.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.contract.BrokenLaw;
import io.tokenvault.ports.contract.Eventually;
import io.tokenvault.ports.contract.Race;
import io.tokenvault.ports.runtime.LeaderElection;
import io.tokenvault.ports.runtime.LeaderTask;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Contract tests for {@link LeaderElection}. */
@ExtendWith(BrokenLaw.class)
public abstract class ElectionContract {

  private static final int NODES = 8;

  /** Returns a new node on the store that all nodes of a test share. */
  protected abstract LeaderElection join();

  /** Shuts a node down cleanly. */
  protected abstract void leave(LeaderElection node);

  /** Disconnects a node from the store. */
  protected abstract void cut(LeaderElection node);

  /** Closes all nodes of the test. */
  protected abstract void closeAll();

  @AfterEach
  final void closeNodes() {
    closeAll();
  }

  protected static boolean isElected(LeaderElection node, LeaderTask task) {
    return node.ifElected(task, () -> {});
  }

  protected static void eventually(BooleanSupplier condition) {
    Eventually.holds("the election reaches the expected state", condition);
  }

  @Test
  void electedNodeStaysElected() {
    LeaderElection first = join();
    LeaderElection second = join();
    for (int i = 0; i < 3; i++) {
      assertThat(isElected(first, LeaderTask.SWEEPING)).isTrue();
      assertThat(isElected(second, LeaderTask.SWEEPING)).isFalse();
    }
  }

  @Test
  void onlyElectedNodeRunsWork() {
    List<String> done = new ArrayList<>();
    LeaderElection first = join();
    LeaderElection second = join();
    first.ifElected(LeaderTask.SWEEPING, () -> done.add("first"));
    second.ifElected(LeaderTask.SWEEPING, () -> done.add("second"));
    assertThat(done).containsExactly("first");
  }

  @Test
  void oneConcurrentNodeIsElected() {
    List<LeaderElection> nodes = IntStream.range(0, NODES).mapToObj(i -> join()).toList();
    List<Boolean> elected = Race.run(i -> isElected(nodes.get(i % NODES), LeaderTask.SWEEPING));
    assertThat(elected).filteredOn(each -> each).hasSize(Race.RUNNERS / NODES);
    assertThat(nodes).filteredOn(node -> isElected(node, LeaderTask.SWEEPING)).hasSize(1);
  }

  @Test
  void eachTaskHasItsOwnElection() {
    LeaderElection first = join();
    LeaderElection second = join();
    assertThat(isElected(first, LeaderTask.SWEEPING)).isTrue();
    assertThat(isElected(second, LeaderTask.PARTITIONS)).isTrue();
    assertThat(isElected(first, LeaderTask.PARTITIONS)).isFalse();
  }

  @Test
  void workExceptionPropagatesAndPreservesElection() {
    LeaderElection first = join();
    IllegalArgumentException failure = new IllegalArgumentException("on purpose");
    assertThatThrownBy(
            () ->
                first.ifElected(
                    LeaderTask.SWEEPING,
                    () -> {
                      throw failure;
                    }))
        .isSameAs(failure);
    assertThat(isElected(join(), LeaderTask.SWEEPING)).isFalse();
    assertThat(isElected(first, LeaderTask.SWEEPING)).isTrue();
  }

  @Test
  void resignationFreesOnlyThatTask() {
    LeaderElection first = join();
    LeaderElection second = join();
    first.resign(LeaderTask.SWEEPING);
    assertThat(isElected(first, LeaderTask.SWEEPING)).isTrue();
    assertThat(isElected(first, LeaderTask.PARTITIONS)).isTrue();
    second.resign(LeaderTask.SWEEPING);
    assertThat(isElected(second, LeaderTask.SWEEPING)).isFalse();
    first.resign(LeaderTask.SWEEPING);
    assertThat(isElected(second, LeaderTask.SWEEPING)).isTrue();
    assertThat(isElected(first, LeaderTask.SWEEPING)).isFalse();
    assertThat(isElected(second, LeaderTask.PARTITIONS)).isFalse();
  }

  @Test
  void closedNodeIsReplaced() {
    LeaderElection first = join();
    LeaderElection second = join();
    assertThat(isElected(first, LeaderTask.SWEEPING)).isTrue();
    leave(first);
    eventually(() -> isElected(second, LeaderTask.SWEEPING));
  }

  @Test
  void disconnectedNodeDoesNoWorkAndIsReplaced() {
    LeaderElection first = join();
    LeaderElection second = join();
    assertThat(isElected(first, LeaderTask.SWEEPING)).isTrue();
    first.keepAlive();
    cut(first);
    assertUnavailable(first::keepAlive);
    assertUnavailable(() -> isElected(first, LeaderTask.SWEEPING));
    eventually(() -> isElected(second, LeaderTask.SWEEPING));
  }

  @Test
  void unelectedNodeCanReportItsLiveness() {
    join().keepAlive();
  }

  private static void assertUnavailable(Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            RefusedException.class,
            refused -> assertThat(refused.failure()).isEqualTo(FailureCause.STORE_UNAVAILABLE));
  }
}
