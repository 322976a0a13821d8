package io.tokenvault.engine;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** How much the tests try: a sample in every build, all that there is with {@code -Plong}. */
public final class Effort {

  public static final boolean IS_FULL = "full".equals(System.getProperty("vault.test.size"));

  private Effort() {}

  /** All in the long run; otherwise the first, and from there on each one after so many. */
  public static <T> Stream<T> sample(int step, List<T> all) {
    return IntStream.range(0, all.size()).filter(i -> IS_FULL || i % step == 0).mapToObj(all::get);
  }
}
