package io.tokenvault.adapters.jdbi;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What waits to be written: records that somebody waits for, and others that ride along with them,
 * or go alone after a moment. Both are bounded; what does not fit is refused.
 */
final class RecordQueue {

  private static final int MAX_URGENT = 4096;
  private static final int MAX_PATIENT = 10_000;
  private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final int MANY_PATIENT = 200;

  /** How many records a batch has at the most, and how many rows it writes and looks at. */
  private static final int MAX_RECORDS = 200;

  private static final int MAX_ROWS = 2000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Queue<PendingRecord> urgent = new ArrayDeque<>();
  private final Queue<PendingRecord> patient = new ArrayDeque<>();
  private long patientSince;
  private boolean closed;

  /** For somebody who waits for it; false if there is no room, or nothing is written any more. */
  boolean add(PendingRecord wanted) {
    lock.lock();
    try {
      if (closed || urgent.size() >= MAX_URGENT) {
        return false;
      }
      urgent.add(wanted);
      changed.signal();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** The same, where nobody waits. */
  boolean addPatient(PendingRecord wanted) {
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
   *
   * @throws InterruptedException if this thread is to end
   */
  List<PendingRecord> take() throws InterruptedException {
    lock.lock();
    try {
      while (true) {
        awaitWork();
        List<PendingRecord> batch = new ArrayList<>();
        int room = move(urgent, batch, MAX_ROWS);
        move(patient, batch, room);
        patientSince = System.nanoTime();
        if (!urgent.isEmpty()) {
          changed.signal();
        }
        if (!batch.isEmpty() || (closed && urgent.isEmpty() && patient.isEmpty())) {
          return batch;
        }
      }
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

  /** Returns how many rows there is room for still. */
  private static int move(Queue<PendingRecord> from, List<PendingRecord> batch, int room) {
    int left = room;
    while (!from.isEmpty()
        && batch.size() < MAX_RECORDS
        && (batch.isEmpty() || from.peek().size() <= left)) {
      PendingRecord next = from.remove();
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
    } finally {
      lock.unlock();
    }
  }
}
