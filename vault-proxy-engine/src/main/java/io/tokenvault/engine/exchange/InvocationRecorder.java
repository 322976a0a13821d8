package io.tokenvault.engine.exchange;

import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.usecase.proxy.ProxyInvocations;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records how invocations and fetches ended. Recording is best effort and never delays a caller: an
 * entry that cannot be queued is dropped with a warning in the log.
 */
public final class InvocationRecorder {

  private static final Logger LOG = LoggerFactory.getLogger(InvocationRecorder.class);

  private final ProxyInvocations invocations;

  public InvocationRecorder(ProxyInvocations invocations) {
    this.invocations = invocations;
  }

  /**
   * Records the end of an invocation whose start is in the audit log; does nothing for others.
   *
   * @param outcome a fixed text, without request data
   */
  public void record(Exchange exchange, String outcome) {
    if (exchange.isRecorded()) {
      note(() -> invocations.end(exchange.admission(), exchange.destination(), outcome));
    }
  }

  /**
   * Records that a request which a transform sent has failed.
   *
   * @param outcome a fixed text, without request data
   */
  public void recordFailedFetch(Exchange exchange, String outcome) {
    note(() -> invocations.failFetch(exchange.admission(), exchange.destination(), outcome));
  }

  private static void note(BooleanSupplier entry) {
    try {
      if (!entry.getAsBoolean()) {
        LOG.warn("The outcome of an invocation was not recorded: the queue is full");
      }
    } catch (RuntimeException failed) {
      LOG.warn(
          "The outcome of an invocation was not recorded: {}", RefusedException.describe(failed));
    }
  }
}
