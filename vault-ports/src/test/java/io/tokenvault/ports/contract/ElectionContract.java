package io.tokenvault.ports.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.spi.Duty;
import io.tokenvault.ports.spi.Election;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The laws of {@link Election}. */
public abstract class ElectionContract {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** A new node on the store that all nodes of a test share. */
  protected abstract Election join();

  /** The node ends as it should. */
  protected abstract void leave(Election node);

  /** The node cannot reach the store any more. */
  protected abstract void cut(Election node);

  /** Ends all nodes of the test. */
  protected abstract void closeAll();

  @AfterEach
  final void end() {
    closeAll();
  }

  protected static boolean isElected(Election node, Duty duty) {
    return node.ifElected(duty, () -> {});
  }

  protected static void eventually(BooleanSupplier fact) {
    Instant limit = Instant.now().plus(PATIENCE);
    while (!fact.getAsBoolean()) {
      assertThat(Instant.now()).isBefore(limit);
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }

  @Test
  void whoIsElectedStaysElected() {
    Election first = join();
    Election second = join();
    for (int i = 0; i < 3; i++) {
      assertThat(isElected(first, Duty.SWEEPING)).isTrue();
      assertThat(isElected(second, Duty.SWEEPING)).isFalse();
    }
  }

  @Test
  void workIsDoneByTheElectedOnly() {
    List<String> done = new ArrayList<>();
    Election first = join();
    Election second = join();
    first.ifElected(Duty.SWEEPING, () -> done.add("first"));
    second.ifElected(Duty.SWEEPING, () -> done.add("second"));
    assertThat(done).containsExactly("first");
  }

  @Test
  void ofManyAtOnceOneIsElected() {
    List<Election> nodes = IntStream.range(0, Race.RUNNERS).mapToObj(i -> join()).toList();
    assertThat(Race.run(i -> isElected(nodes.get(i), Duty.SWEEPING)))
        .containsOnlyOnce(true)
        .hasSize(Race.RUNNERS);
  }

  @Test
  void eachDutyHasAnElectionOfItsOwn() {
    Election first = join();
    Election second = join();
    assertThat(isElected(first, Duty.SWEEPING)).isTrue();
    assertThat(isElected(second, Duty.PARTITIONS)).isTrue();
    assertThat(isElected(first, Duty.PARTITIONS)).isFalse();
  }

  @Test
  void whatTheWorkThrowsIsPassedOnAndEndsNothing() {
    Election first = join();
    IllegalArgumentException failure = new IllegalArgumentException("on purpose");
    assertThatThrownBy(
            () ->
                first.ifElected(
                    Duty.SWEEPING,
                    () -> {
                      throw failure;
                    }))
        .isSameAs(failure);
    assertThat(isElected(join(), Duty.SWEEPING)).isFalse();
    assertThat(isElected(first, Duty.SWEEPING)).isTrue();
  }

  @Test
  void aNodeThatLeavesMakesRoom() {
    Election first = join();
    Election second = join();
    assertThat(isElected(first, Duty.SWEEPING)).isTrue();
    leave(first);
    eventually(() -> isElected(second, Duty.SWEEPING));
  }

  @Test
  void aNodeThatIsCutOffIsFollowedByAnotherAndDoesNothing() {
    Election first = join();
    Election second = join();
    assertThat(isElected(first, Duty.SWEEPING)).isTrue();
    first.show();
    cut(first);
    assertUnavailable(first::show);
    assertUnavailable(() -> isElected(first, Duty.SWEEPING));
    eventually(() -> isElected(second, Duty.SWEEPING));
  }

  @Test
  void aNodeThatNobodyElectedMayShowItself() {
    join().show();
  }

  private static void assertUnavailable(Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            RefusedException.class,
            refused -> assertThat(refused.failure()).isEqualTo(FailureCause.STORE_UNAVAILABLE));
  }
}
