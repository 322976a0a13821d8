package io.tokenvault.engine.worker;

import io.tokenvault.engine.wire.FromWorker;
import io.tokenvault.engine.wire.Messages;
import io.tokenvault.engine.wire.ToWorker;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The two ends of the pipe. What comes is read on a thread of its own. */
final class WorkerChannel implements HostCalls {

  private final OutputStream out;
  private final Runnable closed;
  private final BlockingQueue<Optional<ToWorker>> received = new LinkedBlockingQueue<>();
  private int lastCall;

  /**
   * @param closed what to do when the server has closed the pipe, whatever runs then
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
        received.add(Optional.of(Messages.readToWorker(in)));
      }
    } catch (IOException e) {
      received.add(Optional.empty());
      closed.run();
    }
  }

  /** Null at the end. */
  ToWorker next() {
    try {
      return received.take().orElse(null);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  void send(FromWorker message) {
    synchronized (out) {
      try {
        Messages.write(out, message);
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
    try {
      Optional<ToWorker> message = received.poll(Math.max(0, nanos), TimeUnit.NANOSECONDS);
      return message != null && message.orElse(null) instanceof ToWorker.Reply reply ? reply : null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }
}
