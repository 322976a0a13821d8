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
 * Connection to the server over two streams. A thread reads messages ahead, so that the end of the
 * stream is noticed while a script runs. Writing is thread-safe.
 */
final class WorkerChannel implements HostCalls {

  private final OutputStream out;
  private final Runnable closed;

  /** The messages that were read; an empty one marks the end of the stream. */
  private final BlockingQueue<Optional<ToWorker>> received = new LinkedBlockingQueue<>();

  /** The modules that were received; at most one, since the script waits for it. */
  private final BlockingQueue<ToWorker.Provided> modules = new LinkedBlockingQueue<>();

  private int lastCall;

  /**
   * Starts the reader.
   *
   * @param closed called when the server has closed the stream, even while a script runs
   */
  WorkerChannel(InputStream in, OutputStream out, Runnable closed) {
    this.out = out;
    this.closed = closed;
    Thread reader = new Thread(() -> read(in), "reader");
    reader.setDaemon(true);
    reader.start();
  }

  private void read(InputStream in) {
    try {
      while (true) {
        ToWorker message = MessageCodec.readToWorker(in);
        if (message instanceof ToWorker.Provided provided) {
          modules.add(provided);
        } else {
          received.add(Optional.of(message));
        }
      }
    } catch (IOException e) {
      received.add(Optional.empty());
      closed.run();
    }
  }

  /** Returns the next message, waiting for it; null at the end of the stream. */
  ToWorker next() {
    try {
      return received.take().orElse(null);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /** Returns whether no message waits. */
  boolean isIdle() {
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
