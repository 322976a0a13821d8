package io.tokenvault.engine.transform;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.FailureCode;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.engine.exchange.BodyMemoryBudget;
import io.tokenvault.engine.exchange.Exchange;
import io.tokenvault.engine.transform.Transforms.TransformHosts;
import io.tokenvault.ports.api.ServiceClient;
import io.tokenvault.ports.runtime.JsonCodec;
import io.tokenvault.ports.runtime.MemoryBudget;
import io.tokenvault.ports.usecase.authorization.AuditTrail.CurrentTrace;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.proxy.ProxyInvocations;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Serves the calls of one transform run.
 *
 * <p>Calls of {@code bt} have the permissions of the proxy's application; {@code fetch} is subject
 * to the egress policy. Calls in progress are canceled when the run ends or the caller disconnects.
 * Thread-safe.
 */
public final class TransformHost implements TransformHosts.Opened {

  private static final String CLIENT = "bt.";

  private final Exchange exchange;
  private final InvocationHosts hosts;

  /** Completed when the run is over, which cancels the exchanges of its calls. */
  private final CompletableFuture<Void> end = new CompletableFuture<>();

  private final FailedCalls failedCalls = new FailedCalls();
  private final Optional<String> traceId = CurrentTrace.id();

  TransformHost(Exchange exchange, InvocationHosts hosts) {
    this.exchange = exchange;
    this.hosts = hosts;
    exchange.call().caller().whenGone(this::close);
  }

  /**
   * Makes a call and returns its result or a problem; never throws. It runs on another thread than
   * the invocation, whose trace id its audit entries carry.
   *
   * @param operation {@code fetch}, or {@code bt.} followed by an operation of the client
   */
  @Override
  public Reply call(String operation, String json) {
    CurrentTrace.set(traceId);
    try {
      return ProblemJson.reply("a transform", () -> new Reply(true, result(operation, json)));
    } finally {
      CurrentTrace.clear();
    }
  }

  /** Makes a call. */
  private String result(String operation, String json) {
    if (end.isDone()) {
      throw new RefusedException(FailureCause.CALLER_GONE, "The invocation is over.");
    }
    if (operation.equals("fetch")) {
      return hosts.fetches().fetch(exchange, json, this::onEnd, failedCalls);
    }
    String name = operation.startsWith(CLIENT) ? operation.substring(CLIENT.length()) : "";
    if (!hosts.client().operations().contains(name)) {
      throw ValidationException.of("error", "Unknown operation.");
    }
    return failedCalls.callRecordingFailure(() -> client(name, json));
  }

  /**
   * Runs an action at the end of the run, or immediately if the run is over. It cancels an exchange
   * and must not throw, since nothing would report it.
   */
  private void onEnd(Runnable action) {
    CompletableFuture<?> unused = end.thenRun(action);
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
  public boolean failedOnVault(boolean outOfTime) {
    return failedCalls.failedOnVault(outOfTime);
  }

  /**
   * Ends the run: cancels its calls in progress and rejects later ones. Has no effect if repeated.
   */
  @Override
  public void close() {
    end.complete(null);
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

  /**
   * Record of whether the vault was unavailable for any call of one transform run.
   *
   * <p>Such a run fails as unavailable, whatever the script does with the failed call: an operation
   * that cannot be recorded in the audit log must not continue. Thread-safe; all threads that serve
   * the run share one instance.
   */
  public static final class FailedCalls {

    /** A call normally takes a few milliseconds; one that takes longer is waiting for its store. */
    private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The start times of the calls in progress, in nanoseconds. */
    private final Map<Object, Long> begun = new ConcurrentHashMap<>();

    private volatile boolean unavailable;

    /**
     * Makes a call and records whether it failed because the vault was unavailable.
     *
     * @throws VaultException the failure of the call, unchanged
     */
    public <T> T callRecordingFailure(Supplier<T> call) {
      Object key = new Object();
      begun.put(key, System.nanoTime());
      try {
        return call.get();
      } catch (VaultException refused) {
        if (refused.failure().code() == FailureCode.UNAVAILABLE) {
          unavailable = true;
        }
        throw refused;
      } finally {
        begun.remove(key);
      }
    }

    /**
     * Returns whether the vault was unavailable for a call, as {@link
     * TransformHosts.Opened#failedOnVault} describes it.
     */
    public boolean failedOnVault(boolean outOfTime) {
      long now = System.nanoTime();
      return unavailable
          || (outOfTime && begun.values().stream().anyMatch(since -> now - since > SLOW_NANOS));
    }
  }

  /**
   * Adapter between the client calls in worker messages and the vault's {@code ServiceClient}.
   *
   * <p>A worker sends the arguments of a {@code bt} call as a JSON list and receives its result as
   * JSON; this record parses the arguments and charges their memory to the invocation.
   */
  public record ClientJson(JsonCodec codec) {

    /**
     * Calls an operation of the client with the permissions of the given caller.
     *
     * @param operation the name of the operation without the {@code bt.} prefix
     * @param json the arguments as a JSON list
     * @param memory the reservation of the invocation; a second reservation is opened on its budget
     *     and released when this method returns
     * @return the result as JSON
     * @throws ValidationException if {@code json} is not a list
     */
    public String call(
        ServiceClient client,
        Caller caller,
        String operation,
        String json,
        BodyMemoryBudget.Reservation memory) {
      try (BodyMemoryBudget.Reservation own = memory.openAnother()) {
        own.take(json.length());
        byte[] text = json.getBytes(StandardCharsets.UTF_8);
        own.take(MemoryBudget.costOfJson(text));
        return new String(
            client.call(caller, operation, arguments(text), own), StandardCharsets.UTF_8);
      }
    }

    private List<JsonValue> arguments(byte[] json) {
      if (codec.read(json) instanceof JsonArray arguments) {
        return arguments.items();
      }
      throw ValidationException.of("error", "The arguments are not a list.");
    }
  }
}
