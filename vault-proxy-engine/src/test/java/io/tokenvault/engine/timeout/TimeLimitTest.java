package io.tokenvault.engine.timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class TimeLimitTest {

  private static final Duration MILLISECOND = Duration.ofMillis(1);
  private static final Duration HOUR = Duration.ofHours(1);

  private final CountDownLatch canceled = new CountDownLatch(1);

  @Test
  void exceededPhaseCancelsRequestAndPreventsLaterPhases() throws Exception {
    try (TimeLimit limit = TimeLimit.of(canceled::countDown)) {
      limit.start(MILLISECOND);

      assertThat(canceled.await(1, TimeUnit.MINUTES)).isTrue();
      limit.start(HOUR);
      assertThat(limit.isExceeded()).isTrue();
      assertThatThrownBy(limit::end).isInstanceOf(SocketTimeoutException.class);
    }
  }

  @Test
  void failedCancellationDoesNotAffectOtherLimits() throws Exception {
    try (TimeLimit failing =
            TimeLimit.of(
                () -> {
                  throw new IllegalStateException();
                });
        TimeLimit other = TimeLimit.of(canceled::countDown)) {
      failing.start(MILLISECOND);
      while (!failing.isExceeded()) {
        Thread.onSpinWait();
      }
      other.start(MILLISECOND);

      assertThat(canceled.await(1, TimeUnit.MINUTES)).isTrue();
    }
  }
}
