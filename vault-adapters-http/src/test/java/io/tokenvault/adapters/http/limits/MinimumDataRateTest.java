package io.tokenvault.adapters.http.limits;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How slow a caller may be. */
final class MinimumDataRateTest {

  private static final int RATE = 100;
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final MinimumDataRate pace = new MinimumDataRate(RATE);

  @Test
  void aSlowCallerIsPutUpWithForAWhileAndNotForEver() throws IOException {
    pace.note(MinimumDataRate.GRACE_NANOS, 1);

    assertThatThrownBy(() -> pace.note(SECOND, 1)).isInstanceOf(IOException.class);
  }

  @Test
  void whatCameFastBeforeCounts() throws IOException {
    pace.note(SECOND, 20 * RATE);
    pace.note(18 * SECOND, 0);

    assertThatThrownBy(() -> pace.note(2 * SECOND, 1)).isInstanceOf(IOException.class);
  }

  @Test
  void theEndIsNeverTooSlow() throws IOException {
    pace.note(MinimumDataRate.GRACE_NANOS, 1);

    assertThatCode(() -> pace.note(SECOND, -1)).doesNotThrowAnyException();
  }

  @Test
  void nothingIsTooSlowWhereThatIsAllowed() {
    assertThatCode(() -> new MinimumDataRate(0).note(1000 * SECOND, 1)).doesNotThrowAnyException();
  }
}
