package io.tokenvault.ports.usecase.audit;

import io.tokenvault.ports.audit.FeedPosition;
import io.tokenvault.ports.audit.FeedSink;
import io.tokenvault.ports.audit.LogFeed;
import io.tokenvault.ports.audit.LogFeed.Batch;
import io.tokenvault.ports.audit.LogFeed.Selection;

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
  public Progress run() {
    FeedPosition last = feed.end();
    FeedPosition position = feed.progress(stream);
    Progress progress = Progress.NONE;
    while (position.compareTo(last) < 0) {
      Batch batch = feed.read(Selection.all(), position, last, BATCH);
      sink.accept(batch.entries());
      progress = progress.plus(batch);
      if (!feed.advance(stream, position, batch.reached())) {
        break; // Another node is streaming, and has advanced further.
      }
      position = batch.reached();
    }
    return progress;
  }

  /**
   * The result of a run.
   *
   * @param given the number of entries that the sink accepted
   * @param missing as in {@link Batch#missing}
   */
  public record Progress(long given, long missing) {

    static final Progress NONE = new Progress(0, 0);

    Progress plus(Batch batch) {
      return new Progress(given + batch.entries().size(), missing + batch.missing());
    }
  }
}
