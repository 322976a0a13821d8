package io.tokenvault.engine.transform;

import io.tokenvault.engine.wire.FromWorker;
import io.tokenvault.engine.wire.ToWorker;
import java.time.Duration;
import java.util.function.Supplier;

/** The use of one worker, for as long as a task runs. Used by one thread at a time. */
public interface Lease {

  /**
   * Runs a bundle's function.
   *
   * @param bundle asked for only if this worker does not have it under that key yet; a key names
   *     the same bundle for ever
   * @param calls answers what the script calls for
   * @throws WorkerFailedException if there is no result; the worker is then gone
   */
  FromWorker.Finished invoke(
      ToWorker.Invoke invocation, Supplier<ToWorker.Bundle> bundle, CallHandler calls)
      throws WorkerFailedException;

  /** Runs a bundle without calling its function, which can call for nothing. */
  FromWorker.Finished probe(ToWorker.Probe probe, Supplier<ToWorker.Bundle> bundle)
      throws WorkerFailedException;

  /**
   * Compiles a source.
   *
   * @return {@link FromWorker.Compiled} or {@link FromWorker.Refused}
   */
  FromWorker compile(ToWorker.Compile source, Duration limit) throws WorkerFailedException;
}
