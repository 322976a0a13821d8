package io.tokenvault.adapters.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadPendingException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.eclipse.jetty.io.AbstractEndPoint;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;

/**
 * The end of a caller's connection, whose other end can be watched while nobody reads from it. An
 * end is only seen by reading, so what a caller sends early (its next request) is read as well, and
 * kept for the next reader.
 */
final class WatchedEndPoint extends DelegatingEndPoint {

  /** A caller who sends more than this before it has its answer is not watched any longer. */
  static final int MAX_EARLY = 16 << 10;

  /** Made for each request, its trace would cost more than what it is for. */
  private static final CancellationException ENDED = new CancellationException("watch over");

  private final AbstractEndPoint endPoint;
  private final Executor executor;
  private ByteBuffer early = BufferUtil.EMPTY_BUFFER;
  private boolean watched;

  WatchedEndPoint(AbstractEndPoint endPoint, Executor executor) {
    super(endPoint);
    this.endPoint = endPoint;
    this.executor = executor;
  }

  /**
   * Begins to watch. Until that ends, nobody else may read.
   *
   * @param gone is run once if the caller ends its side of the connection; must not block
   */
  Watch watch(Runnable gone) {
    Watch watch = new Watch(gone);
    synchronized (this) {
      watched = true;
    }
    watch.look();
    return watch;
  }

  @Override
  public int fill(ByteBuffer buffer) throws IOException {
    int kept = takeEarly(buffer);
    return kept > 0 ? kept : super.fill(buffer);
  }

  private synchronized int takeEarly(ByteBuffer buffer) {
    int taken = early.hasRemaining() ? BufferUtil.append(buffer, early) : 0;
    if (!early.hasRemaining()) {
      early = BufferUtil.EMPTY_BUFFER;
    }
    return taken;
  }

  @Override
  public void fillInterested(Callback callback) {
    if (!tryFillInterested(callback)) {
      throw new ReadPendingException();
    }
  }

  @Override
  public boolean tryFillInterested(Callback callback) {
    if (hasEarly()) {
      new Dispatched(callback).succeeded();
      return true;
    }
    return super.tryFillInterested(wasWatched() ? new Dispatched(callback) : callback);
  }

  /** Asked once after each watch. */
  private synchronized boolean wasWatched() {
    boolean was = watched;
    watched = false;
    return was;
  }

  private synchronized boolean hasEarly() {
    return early.hasRemaining();
  }

  private synchronized boolean isFull() {
    return early.remaining() >= MAX_EARLY;
  }

  /**
   * Reads what is there.
   *
   * @return whether the end was there too
   */
  private synchronized boolean readEarly() throws IOException {
    ByteBuffer kept = early.hasRemaining() ? early : BufferUtil.allocate(MAX_EARLY);
    int filled = 1;
    while (filled > 0 && kept.remaining() < MAX_EARLY) {
      filled = endPoint.fill(kept);
    }
    early = kept.hasRemaining() ? kept : BufferUtil.EMPTY_BUFFER;
    return filled < 0;
  }

  /**
   * Wakes a reader on a thread of its own. The selector may just be about to wake a watch that has
   * ended, which it does on its own thread, and would block that with the reader that came after.
   */
  private final class Dispatched extends Callback.Nested {

    Dispatched(Callback reader) {
      super(reader);
    }

    @Override
    public InvocationType getInvocationType() {
      return InvocationType.NON_BLOCKING;
    }

    @Override
    public void succeeded() {
      try {
        executor.execute(super::succeeded);
      } catch (RejectedExecutionException stopped) {
        failed(stopped);
      }
    }
  }

  /** Looks for the caller's end until it is told to stop. */
  final class Watch implements Callback {

    private final Runnable gone;
    private boolean over;

    private Watch(Runnable gone) {
      this.gone = gone;
    }

    private synchronized void look() {
      if (!over && !isFull()) {
        endPoint.tryFillInterested(this);
      }
    }

    /** Never waits for a thread: those of a busy server may all wait for their destinations. */
    @Override
    public InvocationType getInvocationType() {
      return InvocationType.NON_BLOCKING;
    }

    @Override
    public void succeeded() {
      if (sawEnd()) {
        gone.run();
      } else {
        look();
      }
    }

    private synchronized boolean sawEnd() {
      if (over) {
        return false;
      }
      try {
        over = readEarly();
      } catch (IOException broken) {
        over = true;
      }
      return over;
    }

    /** The connection was closed on our side. */
    @Override
    public void failed(Throwable cause) {
      if (stop()) {
        gone.run();
      }
    }

    /** Ends the watch; after that the connection can be read as if there had been none. */
    void end() {
      if (stop()) {
        endPoint.getFillInterest().onFail(ENDED);
      }
    }

    private synchronized boolean stop() {
      boolean watching = !over;
      over = true;
      return watching;
    }
  }
}
