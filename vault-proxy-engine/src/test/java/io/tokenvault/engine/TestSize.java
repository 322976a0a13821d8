package io.tokenvault.engine;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Selects test cases: a sample in every build, all of them with {@code -Plong}. */
public final class TestSize {

  public static final boolean IS_FULL = "full".equals(System.getProperty("vault.test.size"));

  private TestSize() {}

  /** Returns all elements in the long build, otherwise the first and every {@code step}th after. */
  public static <T> Stream<T> sample(int step, List<T> all) {
    return IntStream.range(0, all.size()).filter(i -> IS_FULL || i % step == 0).mapToObj(all::get);
  }
}
