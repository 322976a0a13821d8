package io.tokenvault.engine.transform;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.engine.exchange.Exchange;
import io.tokenvault.ports.api.CallerPresence;
import io.tokenvault.ports.api.ServiceClient;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.proxy.ProxyInvocations;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the calls of one transform run.
 *
 * <p>Calls of {@code bt} have the permissions of the proxy's application; {@code fetch} is subject
 * to the egress policy. Calls in progress are canceled when the run ends or the caller disconnects.
 * Thread-safe.
 */
public final class TransformHost implements TransformHosts.Opened {

  private static final Logger LOG = LoggerFactory.getLogger(TransformHost.class);
  private static final String CLIENT = "bt.";

  private final Exchange exchange;
  private final InvocationHosts hosts;
  private final RunEnd end = new RunEnd();
  private final FailedCalls missed = new FailedCalls();

  TransformHost(Exchange exchange, InvocationHosts hosts) {
    this.exchange = exchange;
    this.hosts = hosts;
    exchange.call().caller().whenGone(end::come);
  }

  /**
   * Makes a call and returns its result or a problem; never throws.
   *
   * @param operation {@code fetch}, or {@code bt.} followed by an operation of the client
   */
  @Override
  public Reply call(String operation, String json) {
    try {
      return new Reply(true, done(operation, json));
    } catch (VaultException refused) {
      return new Reply(false, ProblemJson.of(refused));
    } catch (RuntimeException fault) {
      LOG.error("what a transform asked for failed with {}", fault.getClass().getName());
      return new Reply(false, ProblemJson.fault());
    }
  }

  /**
   * Makes a call.
   *
   * @throws VaultException if the run is over, the operation does not exist, or the call fails
   */
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

  /** Calls the client as the application of the proxy, which must have one. */
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

  /**
   * Ends the run: cancels its calls in progress and rejects later ones. Has no effect if repeated.
   */
  @Override
  public void close() {
    end.come();
  }

  /** The end of a run, presented as the caller's disconnection to the exchanges of its calls. */
  private static final class RunEnd implements CallerPresence {

    private final List<Runnable> actions = new ArrayList<>();
    private boolean over;

    /** Runs an action at the end of the run, or immediately if the run is over. */
    @Override
    public void whenGone(Runnable action) {
      if (!added(action)) {
        action.run();
      }
    }

    private synchronized boolean added(Runnable action) {
      return !over && actions.add(action);
    }

    synchronized boolean isOver() {
      return over;
    }

    /** Marks the run as over and runs the registered actions. Has no effect if repeated. */
    void come() {
      ended().forEach(Runnable::run);
    }

    private synchronized List<Runnable> ended() {
      over = true;
      List<Runnable> left = List.copyOf(actions);
      actions.clear();
      return left;
    }
  }

  /**
   * Host of the transforms in invocations, as opposed to dry runs.
   *
   * @param invocations authorizes and records the calls
   * @param client the client that is offered as {@code bt}
   * @param json converts its arguments and results
   * @param fetches sends the requests of {@code fetch}
   */
  public record InvocationHosts(
      ProxyInvocations invocations, ServiceClient client, ClientJson json, TransformFetch fetches)
      implements TransformHosts {

    @Override
    public boolean hasClient(Exchange exchange) {
      return exchange.admission().proxy().orElseThrow().settings().applicationId().isPresent();
    }

    @Override
    public boolean isDryRun() {
      return false;
    }

    @Override
    public TransformHost open(Exchange exchange) {
      return new TransformHost(exchange, this);
    }
  }
}
