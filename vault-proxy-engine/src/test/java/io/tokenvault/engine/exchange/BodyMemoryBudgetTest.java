package io.tokenvault.engine.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.engine.Refusals;
import java.io.ByteArrayInputStream;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Memory reservations for bodies and for the work on them. */
class BodyMemoryBudgetTest {

  private final BodyMemoryBudget bodies = new BodyMemoryBudget(10);
  private final BodyMemoryBudget.Reservation one = bodies.open();
  private final BodyMemoryBudget.Reservation other = bodies.open();

  @AfterEach
  void assertAllMemoryIsReleased() {
    one.close();
    other.close();
    try (BodyMemoryBudget.Reservation all = bodies.open();
        BodyMemoryBudget.Reservation none = bodies.open()) {
      all.hold(10);
      all.reserve(1000);
      assertOverloaded(() -> none.hold(1));
      assertOverloaded(() -> none.reserve(1));
    }
    bodies.open().hold(10);
  }

  private static void assertOverloaded(Runnable call) {
    Refusals.assertRefused(FailureCause.OVERLOADED, call::run);
  }

  @Test
  void workCountsAgainstBudget() {
    one.hold(1);
    one.reserve(5);
    assertOverloaded(() -> other.hold(5));
    one.endWork();
    other.hold(9);
  }

  @Test
  void onlyOneReservationExceedsBudgetForWork() {
    one.hold(4);
    other.hold(4);
    one.reserve(24);
    one.reserve(24);
    assertOverloaded(() -> other.reserve(24));
    other.reserve(2);
    one.endWork();
    other.reserve(24);
    assertOverloaded(() -> one.reserve(24));
  }

  @Test
  void resultReplacesBodyInBudget() {
    one.hold(4);
    one.reserve(24);
    one.endWorkWith(7);
    assertOverloaded(() -> other.hold(4));
    other.hold(3);
    other.reserve(24);
  }

  @Test
  void onlyOneReservationExceedsBudgetAtOnce() {
    one.hold(8);
    one.reserve(48);
    one.endWorkWith(12);
    other.hold(10);
    assertOverloaded(() -> other.reserve(1));
    one.close();
    other.reserve(60);
  }

  @Test
  void loadedDataExceedsBudgetOnlySlightly() {
    int mebibyte = 1 << 20;
    BodyMemoryBudget large = new BodyMemoryBudget(16 * mebibyte);
    try (BodyMemoryBudget.Reservation first = large.open();
        BodyMemoryBudget.Reservation second = large.open()) {
      first.hold(8 * mebibyte);
      first.reserve(48 * mebibyte);
      first.take(6 * mebibyte);
      first.take(mebibyte / 2);
      Refusals.assertRefused(FailureCause.BODY_TOO_LARGE, () -> first.take(mebibyte));
      assertOverloaded(() -> second.take(2 * mebibyte));
      first.endWork();
      second.take(5 * mebibyte);
      assertOverloaded(() -> first.take(2 * mebibyte));
      Refusals.assertRefused(FailureCause.BODY_TOO_LARGE, () -> first.take(7 * mebibyte));
    }
    large.open().hold(16 * mebibyte);
  }

  @Test
  void bodyIsReadUnderLargestLimit() throws Exception {
    byte[] body = {1, 2, 3};

    try (BodyMemoryBudget.Reservation memory = new BodyMemoryBudget(100).open()) {
      assertThat(
              InvocationBody.read(
                  new ByteArrayInputStream(body), OptionalLong.empty(), Integer.MAX_VALUE, memory))
          .isEqualTo(body);
    }
  }
}
