package io.tokenvault.domain.secret;

import java.util.random.RandomGenerator;

/** Returns one number for every call and counts the calls. */
final class ConstantRandom implements RandomGenerator {

  private final int number;
  private int calls;

  ConstantRandom(int number) {
    this.number = number;
  }

  @Override
  public int nextInt(int bound) {
    calls++;
    return number % bound;
  }

  @Override
  public long nextLong() {
    throw new AssertionError("only bounded numbers are evenly distributed");
  }

  int calls() {
    return calls;
  }
}
