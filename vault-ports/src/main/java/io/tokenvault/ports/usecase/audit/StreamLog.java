package io.tokenvault.ports.usecase.audit;

import io.tokenvault.ports.audit.FeedPosition;
import io.tokenvault.ports.audit.FeedSink;
import io.tokenvault.ports.audit.LogFeed;
import io.tokenvault.ports.audit.LogFeed.Batch;
import io.tokenvault.ports.audit.LogFeed.Selection;

/**
 * Hands each sealed entry on to a sink, at least once and in order, from where it stopped. How far
 * it has come is noted after the sink took an entry: who dies in between gives it again. Any number
 * of nodes may do it, but then each gives what it finds; so it is for one of them.
 */
public final class StreamLog {

  private static final int BATCH = 500;

  private final LogFeed feed;
  private final String stream;
  private final FeedSink sink;

  /**
   * @param stream names how far it has come
   */
  public StreamLog(LogFeed feed, String stream, FeedSink sink) {
    this.feed = feed;
    this.stream = stream;
    this.sink = sink;
  }

  /** Hands on what there is. */
  public Progress run() {
    FeedPosition last = feed.end();
    FeedPosition position = feed.progress(stream);
    Progress progress = Progress.NONE;
    while (position.compareTo(last) < 0) {
      Batch batch = feed.read(Selection.all(), position, last, BATCH);
      sink.accept(batch.entries());
      progress = progress.plus(batch);
      if (!feed.advance(stream, position, batch.reached())) {
        break; // Another node is at it, and has come further.
      }
      position = batch.reached();
    }
    return progress;
  }

  /**
   * What was done.
   *
   * @param given how many entries the sink took
   * @param missing as {@link Batch#missing}
   */
  public record Progress(long given, long missing) {

    static final Progress NONE = new Progress(0, 0);

    Progress plus(Batch batch) {
      return new Progress(given + batch.entries().size(), missing + batch.missing());
    }
  }
}
