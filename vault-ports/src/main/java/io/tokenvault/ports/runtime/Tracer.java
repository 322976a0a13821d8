package io.tokenvault.ports.runtime;

import java.util.function.Supplier;

/**
 * Shows parts of a request as spans of a distributed trace.
 *
 * <p>Implementations are thread-safe, and change neither the result nor the failure of what they
 * show. Names are fixed strings.
 */
public interface Tracer {

  /** Shows nothing. */
  Tracer NONE =
      new Tracer() {
        @Override
        public <T> T trace(String span, Supplier<T> work) {
          return work.get();
        }
      };

  /** The span of a decision: authentication and authorization, with their look-ups. */
  String DECISION = "decision";

  /** The span of an exchange with a destination, until the head of its response. */
  String DESTINATION = "destination";

  /** The span of a wait until audit entries are durable. */
  String RECORD = "record";

  /** The span of a run of a transform, including the wait for a worker. */
  String TRANSFORM = "transform";

  /** Runs work within a span, on this thread. */
  <T> T trace(String span, Supplier<T> work);
}
