package io.tokenvault.adapters.http;

import io.tokenvault.ports.api.CallerPresence;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.server.Request;

/**
 * The caller of one invocation, watched from the end of its request to the end of its answer; until
 * then, who reads the request sees by itself if it breaks off. A caller that ended only its own
 * direction of the connection counts as gone as well: the two look alike until something is sent.
 */
final class WatchedCaller implements CallerPresence {

  private final Optional<WatchedEndPoint> endPoint;
  private final List<Runnable> actions = new ArrayList<>();
  private Optional<WatchedEndPoint.Watch> watch = Optional.empty();
  private boolean gone;
  private boolean over;

  private WatchedCaller(Optional<WatchedEndPoint> endPoint) {
    this.endPoint = endPoint;
  }

  static WatchedCaller of(Request request) {
    Object endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
    WatchedCaller caller =
        new WatchedCaller(
            endPoint instanceof WatchedEndPoint watched ? Optional.of(watched) : Optional.empty());
    if (request.getLength() == 0) {
      caller.begin();
    }
    return caller;
  }

  /** The request's body; when it is read to its end, the watch begins. */
  InputStream body(Request request, Pace pace) {
    return new Body(new PacedStream(Request.asInputStream(request), pace));
  }

  /** Watches, from now on if not before. Nobody may read the request's body meanwhile. */
  void begin() {
    synchronized (this) {
      if (over || watch.isPresent()) {
        return;
      }
      watch = endPoint.map(end -> end.watch(this::leave));
    }
  }

  /** The invocation is over; the connection can be read again. */
  void end() {
    Optional<WatchedEndPoint.Watch> ending;
    synchronized (this) {
      over = true;
      actions.clear();
      ending = watch;
    }
    ending.ifPresent(WatchedEndPoint.Watch::end);
  }

  private void leave() {
    List<Runnable> due;
    synchronized (this) {
      gone = !over;
      due = List.copyOf(actions);
      actions.clear();
    }
    due.forEach(Runnable::run);
  }

  @Override
  public void whenGone(Runnable action) {
    synchronized (this) {
      if (!gone) {
        if (!over) {
          actions.add(action);
        }
        return;
      }
    }
    action.run();
  }

  private final class Body extends FilterInputStream {

    Body(InputStream body) {
      super(body);
    }

    @Override
    public int read() throws IOException {
      return noted(super.read());
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      return noted(super.read(buffer, offset, length));
    }

    private int noted(int result) {
      if (result < 0) {
        begin();
      }
      return result;
    }
  }
}
