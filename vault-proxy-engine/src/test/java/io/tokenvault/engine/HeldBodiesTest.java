package io.tokenvault.engine;

import io.tokenvault.domain.failure.FailureCause;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who gets memory for held bodies, and for the work on them. */
class HeldBodiesTest {

  private final HeldBodies bodies = new HeldBodies(10);
  private final HeldBodies.Reservation one = bodies.open();
  private final HeldBodies.Reservation other = bodies.open();

  @AfterEach
  void allIsGivenBack() {
    one.close();
    other.close();
    try (HeldBodies.Reservation all = bodies.open();
        HeldBodies.Reservation none = bodies.open()) {
      all.take(10);
      all.reserve(1000);
      refused(() -> none.take(1));
      refused(() -> none.reserve(1));
    }
    bodies.open().take(10);
  }

  private static void refused(Runnable asking) {
    Refusals.assertRefused(FailureCause.OVERLOADED, asking::run);
  }

  @Test
  void workCountsAgainstTheBudget() {
    one.take(1);
    one.reserve(5);
    refused(() -> other.take(5));
    one.endWork();
    other.take(9);
  }

  @Test
  void workBeyondTheBudgetIsForOneAtATime() {
    one.take(4);
    other.take(4);
    one.reserve(24);
    one.reserve(24);
    refused(() -> other.reserve(24));
    other.reserve(2);
    one.endWork();
    other.reserve(24);
    refused(() -> one.reserve(24));
  }

  @Test
  void aResultTakesThePlaceOfTheBody() {
    one.take(4);
    one.reserve(24);
    one.endWorkWith(7);
    refused(() -> other.take(4));
    other.take(3);
    other.reserve(24);
  }

  @Test
  void whileAResultBeyondTheBudgetIsHeldNobodyElseGoesBeyondIt() {
    one.take(8);
    one.reserve(48);
    one.endWorkWith(12);
    other.take(10);
    refused(() -> other.reserve(1));
    one.close();
    other.reserve(60);
  }
}
