package io.tokenvault.adapters.jdbi.batch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What waits to be written: work that somebody waits for, and other work that rides along with it,
 * or goes alone after a moment. Both are bounded; what does not fit is refused.
 *
 * <p>A statement and a commit cost some ten times what one more row in them does. So one writer
 * writes while all that comes meanwhile waits for the next batch, which one takes at a time; only
 * where a write takes long another begins. Of requests that come in crowds, each batch waits a
 * moment for more of them.
 *
 * @param <W> what is to be written
 * @param <R> what becomes of it
 */
final class BatchQueue<W, R> {

  private static final int MAX_URGENT = 4096;
  private static final int MAX_PATIENT = 10_000;
  private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final int MANY_PATIENT = 200;

  /** How many calls a batch has at the most, and how many rows it writes and looks at. */
  private static final int MAX_CALLS = 200;

  private static final int MAX_ROWS = 2000;

  /** How long a batch waits for others while one is written. */
  private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** How long one waits for more work where there were several before. */
  private static final long COMPANY_NANOS = TimeUnit.MICROSECONDS.toNanos(300);

  private static final int ENOUGH = 64;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Condition turn = lock.newCondition();
  private final Condition company = lock.newCondition();
  private final Queue<PendingWrite<W, R>> urgent = new ArrayDeque<>();
  private final Queue<PendingWrite<W, R>> patient = new ArrayDeque<>();
  private long patientSince;
  private int writing;
  private long writingSince;
  private boolean several;
  private boolean closed;

  /** For somebody who waits for it; false if there is no room, or nothing is written any more. */
  boolean add(PendingWrite<W, R> wanted) {
    lock.lock();
    try {
      if (closed || urgent.size() >= MAX_URGENT) {
        return false;
      }
      urgent.add(wanted);
      if (urgent.size() == 1) {
        changed.signal();
      } else if (urgent.size() == ENOUGH) {
        company.signal();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** The same, where nobody waits. */
  boolean addPatient(PendingWrite<W, R> wanted) {
    lock.lock();
    try {
      if (closed || patient.size() >= MAX_PATIENT) {
        return false;
      }
      if (patient.isEmpty()) {
        patientSince = System.nanoTime();
        changed.signal();
      }
      patient.add(wanted);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for what is to be written next, all of which counts as sent now; empty after the end.
   * Whoever takes it says when it is {@link #written}.
   *
   * @throws InterruptedException if this thread is to end
   */
  List<PendingWrite<W, R>> take() throws InterruptedException {
    lock.lock();
    try {
      while (true) {
        awaitWork();
        awaitTurn();
        awaitCompany();
        List<PendingWrite<W, R>> batch = next();
        if (!batch.isEmpty() || (closed && urgent.isEmpty() && patient.isEmpty())) {
          writing++;
          writingSince = System.nanoTime();
          return batch;
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private List<PendingWrite<W, R>> next() {
    List<PendingWrite<W, R>> batch = new ArrayList<>();
    int room = move(urgent, batch, MAX_ROWS);
    several = batch.size() > 1;
    move(patient, batch, room);
    patientSince = System.nanoTime();
    if (!urgent.isEmpty()) {
      changed.signal();
    }
    return batch;
  }

  /** The last batch that this writer took is in the log, or will never be. */
  void written() {
    lock.lock();
    try {
      writing--;
    } finally {
      lock.unlock();
    }
  }

  private void awaitWork() throws InterruptedException {
    while (!closed && urgent.isEmpty()) {
      if (patient.isEmpty()) {
        changed.await();
      } else {
        long left = patientSince + PATIENCE_NANOS - System.nanoTime();
        if (left <= 0 || patient.size() >= MANY_PATIENT) {
          return;
        }
        changed.awaitNanos(left);
      }
    }
  }

  /** The one that writes takes the next batch as well, unless that lasts. */
  private void awaitTurn() throws InterruptedException {
    long left = writingSince + SLOW_NANOS - System.nanoTime();
    while (writing > 0 && left > 0 && !closed) {
      turn.awaitNanos(left);
      left = writingSince + SLOW_NANOS - System.nanoTime();
    }
  }

  private void awaitCompany() throws InterruptedException {
    long left = COMPANY_NANOS;
    while (several && left > 0 && !urgent.isEmpty() && urgent.size() < ENOUGH && !closed) {
      left = company.awaitNanos(left);
    }
  }

  /** Returns how many rows there is room for still. */
  private int move(Queue<PendingWrite<W, R>> from, List<PendingWrite<W, R>> batch, int room) {
    int left = room;
    while (!from.isEmpty()
        && batch.size() < MAX_CALLS
        && (batch.isEmpty() || from.peek().size() <= left)) {
      PendingWrite<W, R> next = from.remove();
      if (next.send()) {
        batch.add(next);
        left -= next.size();
      }
    }
    return left;
  }

  /** Takes nothing more; what waits is still given out. */
  void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
      turn.signalAll();
      company.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
