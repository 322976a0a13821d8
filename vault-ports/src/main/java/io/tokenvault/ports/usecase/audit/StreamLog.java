package io.tokenvault.ports.usecase.audit;

import io.tokenvault.ports.audit.FeedPosition;
import io.tokenvault.ports.audit.FeedSink;
import io.tokenvault.ports.audit.LogFeed;
import io.tokenvault.ports.audit.LogFeed.Batch;
import io.tokenvault.ports.audit.LogFeed.Selection;
import io.tokenvault.ports.usecase.audit.ExportLog.Exported;

/**
 * Sends each chained entry to a sink, in order and at least once, from the position where it
 * stopped.
 *
 * <p>The new position is stored after the sink accepted the entries, so a crash in between sends
 * them again. Concurrent nodes would send entries more than once; elect one.
 */
public final class StreamLog {

  private static final int BATCH = 500;

  private final LogFeed feed;
  private final String stream;
  private final FeedSink sink;

  /**
   * Creates a stream.
   *
   * @param stream the name under which its position is stored
   */
  public StreamLog(LogFeed feed, String stream, FeedSink sink) {
    this.feed = feed;
    this.stream = stream;
    this.sink = sink;
  }

  /** Sends all entries up to the current end of the chains. */
  public Exported run() {
    FeedPosition last = feed.end();
    Exported sent = new Exported(0, feed.progress(stream), 0);
    while (sent.reached().compareTo(last) < 0) {
      FeedPosition position = sent.reached();
      Batch batch = feed.read(Selection.all(), position, last, BATCH);
      sink.accept(batch.entries());
      sent = sent.plus(batch);
      if (!feed.advance(stream, position, batch.reached())) {
        break; // Another node is streaming, and has advanced further.
      }
    }
    return sent;
  }
}
