package io.tokenvault.engine.worker.realm;

import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;

/** Timers of one invocation, in the order in which they are due. */
public final class Timers {

  private static final double MAX_DELAY_MILLIS = Integer.MAX_VALUE;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final PriorityQueue<Timer> queue = new PriorityQueue<>();
  private final Map<Integer, Timer> byNumber = new HashMap<>();
  private int last;

  private record Timer(
      int number, long dueNanos, long order, long delayNanos, boolean repeats, Runnable task)
      implements Comparable<Timer> {

    @Override
    public int compareTo(Timer other) {
      int byTime = Long.compare(dueNanos - other.dueNanos, 0);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  private long orders;

  public int set(Runnable task, double delayMillis, boolean repeats) {
    last++;
    boolean inRange = delayMillis >= 1 && delayMillis <= MAX_DELAY_MILLIS;
    long delayNanos = (inRange ? (long) delayMillis : 1) * NANOS_PER_MILLI;
    add(last, delayNanos, repeats, task);
    return last;
  }

  private void add(int number, long delayNanos, boolean repeats, Runnable task) {
    long due = System.nanoTime() + delayNanos;
    Timer timer = new Timer(number, due, orders++, delayNanos, repeats, task);
    queue.add(timer);
    byNumber.put(number, timer);
  }

  public void clear(int number) {
    Timer timer = byNumber.remove(number);
    if (timer != null) {
      queue.remove(timer);
    }
  }

  public boolean isEmpty() {
    return queue.isEmpty();
  }

  /** Until the next is due; negative if it is. There must be one. */
  public long nanosLeft() {
    return queue.element().dueNanos() - System.nanoTime();
  }

  /** Takes the next if it is due; null if not. */
  public Runnable due() {
    if (queue.isEmpty() || nanosLeft() > 0) {
      return null;
    }
    Timer timer = queue.remove();
    byNumber.remove(timer.number());
    if (timer.repeats()) {
      add(timer.number(), timer.delayNanos(), true, timer.task());
    }
    return timer.task();
  }
}
