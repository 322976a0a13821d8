package io.tokenvault.ports.audit;

import java.util.List;

/** Takes entries of the log, to be kept somewhere else. */
public interface FeedSink {

  /**
   * Returns when the entries have left this process.
   *
   * @throws java.io.UncheckedIOException if they could not, or only some of them
   */
  void accept(List<FeedEntry> entries);
}
