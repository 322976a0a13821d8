package io.tokenvault.engine.worker;

import io.tokenvault.engine.wire.FromWorker;
import io.tokenvault.engine.wire.MessageCodec;
import io.tokenvault.engine.wire.ToWorker;
import io.tokenvault.engine.worker.Invocation.HostCalls;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Connection to the server over two streams.
 *
 * <p>The thread that runs the tasks reads them itself, since a hand-over between threads takes long
 * beside a short task. While a task runs, another thread reads if the task waits for messages, or
 * takes long, so that the end of the stream is noticed. Writing is thread-safe.
 */
final class WorkerChannel implements HostCalls {

  /** Thread that reads the stream; at most one does at a time. */
  private enum Reader {
    /** None: the worker is starting, or runs a task that expects nothing. */
    NONE,
    /** The thread that runs the tasks. */
    TASK_THREAD,
    /** The thread that reads ahead. */
    READER_THREAD
  }

  private final InputStream in;
  private final OutputStream out;
  private final Runnable onEnd;

  /** The messages that were read ahead; an empty one marks the end of the stream. */
  private final BlockingQueue<Optional<ToWorker>> received = new LinkedBlockingQueue<>();

  /** The modules that were received; at most one, since the script waits for it. */
  private final BlockingQueue<ToWorker.Provided> modules = new LinkedBlockingQueue<>();

  /** Guarded by the lock on this object. */
  private Reader reader = Reader.NONE;

  private int lastCall;

  /**
   * Creates a connection.
   *
   * @param onEnd called when the stream has ended or cannot be read, even while a script runs
   */
  WorkerChannel(InputStream in, OutputStream out, Runnable onEnd) {
    this.in = in;
    this.out = out;
    this.onEnd = onEnd;
    Thread thread = new Thread(this::readWhileIdle, "reader");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Has messages read until the next task arrives. Has no effect while a thread reads.
   *
   * <p>A script may exhaust the stack anywhere in here, so a later call repeats the notification.
   */
  synchronized void readAhead() {
    if (reader == Reader.NONE) {
      reader = Reader.READER_THREAD;
    }
    notifyAll();
  }

  private void readWhileIdle() {
    while (true) {
      awaitTurn();
      Optional<ToWorker> message = read();
      while (message.isPresent() && deliver(message.get())) {
        message = read();
      }
      synchronized (this) {
        modules.clear();
        received.add(message);
        reader = Reader.NONE;
      }
    }
  }

  private synchronized void awaitTurn() {
    while (reader != Reader.READER_THREAD) {
      try {
        wait();
      } catch (InterruptedException e) {
        // Nothing interrupts this thread; it ends with the process.
      }
    }
  }

  /** Delivers a message to the task that waits for it; returns false for a new task. */
  private boolean deliver(ToWorker message) {
    if (message instanceof ToWorker.Provided provided) {
      return modules.add(provided);
    }
    return message instanceof ToWorker.Reply && received.add(Optional.of(message));
  }

  /** Reads a message; empty at the end of the stream. */
  private Optional<ToWorker> read() {
    try {
      return Optional.of(MessageCodec.readToWorker(in));
    } catch (IOException | RuntimeException e) {
      onEnd.run();
      return Optional.empty();
    }
  }

  /** Returns the next task, waiting for it; null at the end of the stream. */
  ToWorker next() {
    try {
      return (mayReadTask() ? readTask() : received.take()).orElse(null);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /** Returns whether this thread is the one to read the next task; otherwise it is read ahead. */
  private synchronized boolean mayReadTask() {
    if (reader == Reader.NONE && received.isEmpty()) {
      reader = Reader.TASK_THREAD;
    }
    notifyAll();
    return reader == Reader.TASK_THREAD;
  }

  private Optional<ToWorker> readTask() {
    Optional<ToWorker> message = read();
    synchronized (this) {
      modules.clear();
      reader = Reader.NONE;
    }
    return message;
  }

  /** Returns whether no message waits. Reads ahead in order to know it. */
  boolean isIdle() {
    readAhead();
    return received.isEmpty();
  }

  /**
   * Writes a message.
   *
   * @throws UncheckedIOException if the server has closed the stream
   */
  void send(FromWorker message) {
    synchronized (out) {
      try {
        MessageCodec.write(out, message);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public int send(String operation, String json) {
    readAhead();
    lastCall++;
    send(new FromWorker.Call(lastCall, operation, json));
    return lastCall;
  }

  @Override
  public ToWorker.Reply awaitReply(long nanos) {
    Optional<ToWorker> message = poll(received, nanos);
    return message != null && message.orElse(null) instanceof ToWorker.Reply reply ? reply : null;
  }

  @Override
  public ToWorker.Provided require(String from, String name, long nanos) {
    readAhead();
    send(new FromWorker.Require(from, name));
    return poll(modules, nanos);
  }

  /** Waits for an element; null if there is none in time, or the thread is interrupted. */
  private static <T> T poll(BlockingQueue<T> queue, long nanos) {
    try {
      return queue.poll(Math.max(0, nanos), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }
}
