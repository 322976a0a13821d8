package io.tokenvault.engine.transform.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.engine.transform.pool.PoolSettings.WorkerSettings;
import io.tokenvault.engine.transform.pool.WorkerRoster.WaitingTask;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests when workers are started. */
final class WorkerRosterTest {

  private static final UUID ONE = new UUID(0, 1);
  private static final UUID OTHER = new UUID(0, 2);

  private final WorkerRoster roster = new WorkerRoster(settings(3, 1, 1));

  @Test
  void tenantWithItsShareGetsNoFurtherWorker() {
    roster.enqueue(new WaitingTask(ONE));
    roster.enqueue(new WaitingTask(ONE));

    assertThat(countStarts(true, false)).isEqualTo(1);
  }

  @Test
  void eachWaitingTenantGetsOneStart() {
    roster.enqueue(new WaitingTask(ONE));
    roster.enqueue(new WaitingTask(ONE));
    roster.enqueue(new WaitingTask(OTHER));

    assertThat(countStarts(true, false)).isEqualTo(2);
  }

  @Test
  void sparesAreStartedInAddition() {
    roster.enqueue(new WaitingTask(ONE));

    assertThat(countStarts(true, true)).isEqualTo(2);
  }

  @Test
  void startsAreLimitedByCapacity() {
    for (int tenant = 0; tenant < 5; tenant++) {
      roster.enqueue(new WaitingTask(new UUID(1, tenant)));
    }

    assertThat(countStarts(true, true)).isEqualTo(3);
  }

  @Test
  void noWorkerIsStartedDuringBackoff() {
    roster.enqueue(new WaitingTask(ONE));

    assertThat(countStarts(false, true)).isZero();
  }

  @Test
  void failedStartsReleaseCapacity() {
    roster.enqueue(new WaitingTask(ONE));
    countStarts(true, false);

    roster.startEnds(Optional.empty());

    assertThat(roster.isEmpty()).isTrue();
    assertThat(countStarts(true, false)).isEqualTo(1);
  }

  @Test
  void queueCountsTasksBeyondCapacity() {
    for (int tenant = 0; tenant < 4; tenant++) {
      assertThat(roster.enqueue(new WaitingTask(new UUID(1, tenant)))).isEmpty();
    }
    WaitingTask last = new WaitingTask(new UUID(1, 4));

    assertThat(roster.enqueue(last)).contains(last);
  }

  @Test
  void workerIsStartedAsSpareAndForWaitingTask() {
    assertThat(roster.next(true, true)).contains(new WorkerRoster.Step.Start());

    roster.enqueue(new WaitingTask(ONE));

    assertThat(roster.next(true, true)).contains(new WorkerRoster.Step.Start());
  }

  private int countStarts(boolean mayStart, boolean withSpares) {
    int starts = 0;
    while (roster.next(mayStart, withSpares).orElse(null) instanceof WorkerRoster.Step.Start) {
      roster.startBegins();
      starts++;
    }
    return starts;
  }

  private static PoolSettings settings(int size, int perTenant, int queue) {
    return new PoolSettings(
        size,
        1,
        true,
        perTenant,
        queue,
        Duration.ofSeconds(1),
        Duration.ofSeconds(1),
        Duration.ofSeconds(1),
        WorkerSettings.forTransforms());
  }
}
