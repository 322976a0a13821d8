package io.tokenvault.ports.audit;

import java.util.List;

/** Receives audit entries to store them outside the vault. */
public interface FeedSink {

  /**
   * Sends entries and returns when all of them have been sent.
   *
   * @throws java.io.UncheckedIOException if none or only some of them could be sent
   */
  void accept(List<FeedEntry> entries);
}
