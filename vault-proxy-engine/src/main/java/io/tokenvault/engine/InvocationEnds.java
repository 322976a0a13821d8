package io.tokenvault.engine;

import io.tokenvault.ports.usecase.ProxyInvocations;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records how invocations and fetches ended, best effort, and keeps no caller waiting. */
final class InvocationEnds {

  private static final Logger LOG = LoggerFactory.getLogger(InvocationEnds.class);

  private final ProxyInvocations invocations;

  InvocationEnds(ProxyInvocations invocations) {
    this.invocations = invocations;
  }

  /**
   * @param outcome a fixed text
   */
  void record(Exchange exchange, String outcome) {
    if (exchange.isRecorded()) {
      note(() -> invocations.end(exchange.admission(), exchange.destination(), outcome));
    }
  }

  /**
   * Records that something which a transform sends failed.
   *
   * @param outcome a fixed text
   */
  void recordFailedFetch(Exchange exchange, String outcome) {
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
