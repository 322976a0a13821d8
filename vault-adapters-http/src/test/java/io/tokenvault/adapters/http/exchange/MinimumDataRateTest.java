package io.tokenvault.adapters.http.exchange;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class MinimumDataRateTest {

  private static final int RATE = 100;
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final MinimumDataRate dataRate = new MinimumDataRate(RATE);

  @Test
  void slowCallerIsToleratedOnlyForGracePeriod() throws IOException {
    dataRate.record(MinimumDataRate.GRACE_NANOS, 1);

    assertThatThrownBy(() -> dataRate.record(SECOND, 1)).isInstanceOf(IOException.class);
  }

  @Test
  void earlierFastBytesCount() throws IOException {
    dataRate.record(SECOND, 20 * RATE);
    dataRate.record(18 * SECOND, 0);

    assertThatThrownBy(() -> dataRate.record(2 * SECOND, 1)).isInstanceOf(IOException.class);
  }

  @Test
  void endOfBodyIsNeverTooSlow() throws IOException {
    dataRate.record(MinimumDataRate.GRACE_NANOS, 1);

    assertThatCode(() -> dataRate.record(SECOND, -1)).doesNotThrowAnyException();
  }

  @Test
  void zeroMinimumAllowsAnyRate() {
    assertThatCode(() -> new MinimumDataRate(0).record(1000 * SECOND, 1))
        .doesNotThrowAnyException();
  }
}
