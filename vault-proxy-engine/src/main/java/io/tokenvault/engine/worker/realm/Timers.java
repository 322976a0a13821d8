package io.tokenvault.engine.worker.realm;

import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * The timers of one invocation, in the order in which they are due.
 *
 * <p>Timers with equal times run in the order in which they were set. Not thread-safe.
 */
public final class Timers {

  /** The longest delay, as in Node.js; a longer one counts as one millisecond. */
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

  /**
   * Sets a timer.
   *
   * @param delayMillis the delay; less than 1, too long or NaN counts as 1
   * @return the number of the timer, from 1
   */
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

  /** Clears a timer; has no effect if there is none with this number. */
  public void clear(int number) {
    Timer timer = byNumber.remove(number);
    if (timer != null) {
      queue.remove(timer);
    }
  }

  public boolean isEmpty() {
    return queue.isEmpty();
  }

  /**
   * Returns the time until the next timer is due, in nanoseconds; negative if it is overdue.
   *
   * @throws java.util.NoSuchElementException if there is no timer
   */
  public long nanosLeft() {
    return queue.element().dueNanos() - System.nanoTime();
  }

  /** Removes the next timer if it is due and returns its task; null if none is due. */
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
