package io.tokenvault.engine.exchange;

import io.tokenvault.ports.usecase.proxy.ProxyInvocations;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records how invocations and fetches ended, best effort, and keeps no caller waiting. */
public final class InvocationRecorder {

  private static final Logger LOG = LoggerFactory.getLogger(InvocationRecorder.class);

  private final ProxyInvocations invocations;

  public InvocationRecorder(ProxyInvocations invocations) {
    this.invocations = invocations;
  }

  /**
   * @param outcome a fixed text
   */
  public void record(Exchange exchange, String outcome) {
    if (exchange.isRecorded()) {
      note(() -> invocations.end(exchange.admission(), exchange.destination(), outcome));
    }
  }

  /**
   * Records that something which a transform sends failed.
   *
   * @param outcome a fixed text
   */
  public void recordFailedFetch(Exchange exchange, String outcome) {
    note(() -> invocations.failFetch(exchange.admission(), exchange.destination(), outcome));
  }

  private static void note(BooleanSupplier entry) {
    try {
      if (!entry.getAsBoolean()) {
        LOG.warn("the end of an invocation was not recorded: too many are waiting");
      }
    } catch (RuntimeException failed) {
      LOG.warn("the end of an invocation was not recorded: {}", failed.getClass().getName());
    }
  }
}
