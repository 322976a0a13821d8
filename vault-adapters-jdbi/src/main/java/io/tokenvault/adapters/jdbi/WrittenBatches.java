package io.tokenvault.adapters.jdbi;

import io.tokenvault.adapters.jdbi.RecordBatch.Call;
import io.tokenvault.adapters.jdbi.stores.DatabaseActivity.Written;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** Counts what was written together. */
final class WrittenBatches {

  private final LongAdder batches = new LongAdder();
  private final LongAdder calls = new LongAdder();
  private final LongAdder entries = new LongAdder();

  void add(List<Call> batch) {
    batches.increment();
    calls.add(batch.size());
    batch.forEach(each -> entries.add(each.entries().size()));
  }

  /**
   * @param unwritten changes that failed since their entries could not be written
   */
  Written sum(long unwritten) {
    return new Written(batches.sum(), calls.sum(), entries.sum(), unwritten);
  }
}
