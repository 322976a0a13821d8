package io.tokenvault.domain.secret;

import java.util.random.RandomGenerator;

/** Returns one number for every call and counts the calls. */
final class RecordingRandom implements RandomGenerator {

  private final int number;
  private int asked;

  RecordingRandom(int number) {
    this.number = number;
  }

  @Override
  public int nextInt(int bound) {
    asked++;
    return number % bound;
  }

  @Override
  public long nextLong() {
    throw new AssertionError("only bounded numbers are evenly distributed");
  }

  int asked() {
    return asked;
  }
}
