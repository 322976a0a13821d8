package io.tokenvault.engine;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.ports.usecase.Caller;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does what the transforms of one invocation ask for: under the rights of the proxy's application,
 * and by the rules for destinations. What is under way when the run is over is broken off.
 */
final class TransformHost implements TransformHosts.Opened {

  private static final Logger LOG = LoggerFactory.getLogger(TransformHost.class);
  private static final String CLIENT = "bt.";

  private final Exchange exchange;
  private final InvocationHosts hosts;
  private final RunEnd end = new RunEnd();
  private final MissedCalls missed = new MissedCalls();

  TransformHost(Exchange exchange, InvocationHosts hosts) {
    this.exchange = exchange;
    this.hosts = hosts;
    exchange.call().caller().whenGone(end::come);
  }

  @Override
  public Reply call(String operation, String json) {
    try {
      return new Reply(true, done(operation, json));
    } catch (VaultException refused) {
      return new Reply(false, Problems.of(refused));
    } catch (RuntimeException fault) {
      LOG.error("what a transform asked for failed with {}", fault.getClass().getName());
      return new Reply(false, Problems.fault());
    }
  }

  private String done(String operation, String json) {
    if (end.isOver()) {
      throw new RefusedException(FailureCause.CALLER_GONE, "The invocation is over.");
    }
    if (operation.equals("fetch")) {
      return hosts.fetches().fetch(exchange, json, end, missed);
    }
    String name = operation.startsWith(CLIENT) ? operation.substring(CLIENT.length()) : operation;
    if (!operation.startsWith(CLIENT) || !hosts.client().operations().contains(name)) {
      throw ValidationException.of("error", "There is no such operation.");
    }
    return missed.noting(() -> client(name, json));
  }

  private String client(String name, String json) {
    Caller caller =
        hosts
            .invocations()
            .acting(exchange.admission(), exchange.destination())
            .orElseThrow(
                () ->
                    new RefusedException(
                        FailureCause.PERMISSION_DENIED, "The proxy has no application."));
    return hosts.json().call(hosts.client(), caller, name, json, exchange.memory());
  }

  @Override
  public boolean missedTheVault(boolean outOfTime) {
    return missed.any() || (outOfTime && missed.anyWaiting());
  }

  @Override
  public void close() {
    end.come();
  }
}
