package io.tokenvault.engine;

import io.tokenvault.ports.usecase.ProxyInvocations;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records how invocations ended, best effort, without keeping their callers waiting. */
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
    if (!exchange.isRecorded()) {
      return;
    }
    try {
      if (!invocations.end(exchange.admission(), exchange.destination(), outcome)) {
        LOG.warn("the end of an invocation was not recorded: too many are waiting");
      }
    } catch (RuntimeException failed) {
      LOG.warn("the end of an invocation was not recorded: {}", failed.getClass().getName());
    }
  }
}
