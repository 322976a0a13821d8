package io.tokenvault.engine.pipeline;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.domain.request.BodyRules;
import io.tokenvault.engine.exchange.BodyMemoryBudget;
import io.tokenvault.engine.exchange.Exchange;
import io.tokenvault.engine.exchange.Idempotency;
import io.tokenvault.engine.exchange.InvocationBody;
import io.tokenvault.engine.exchange.Route;
import io.tokenvault.ports.api.ProxyCall;
import io.tokenvault.ports.api.ProxyResponse;
import io.tokenvault.ports.api.ServiceHeaders;
import io.tokenvault.ports.runtime.Tracer;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Runs the steps of an invocation in order until one of them ends the exchange, and cleans up.
 *
 * <p>Whatever happens, reserved memory is released, and an invocation that was recorded as begun is
 * recorded as ended. An exchange that was refused on the basis of cached data is retried once, on
 * current data. Knowledge about requests is in the steps, whose order {@code ProxyEngine} lists.
 */
public final class PipelineRunner {

  /** Suffix of the recorded outcome of a response that the caller did not read to its end. */
  private static final String CUT_SHORT = ", cut short";

  private final List<Step> steps;
  private final ServiceHeaders names;
  private final BodyMemoryBudget bodies;
  private final BiConsumer<Exchange, String> ends;
  private final Consumer<Exchange> responses;
  private final Tracer tracer;
  private final boolean isTraced;

  /**
   * Creates a pipeline.
   *
   * @param steps in their order, each with a different name
   * @param ends records the outcome of an exchange, a fixed text
   * @param responses stores the response to a request with an idempotency key
   * @param tracer shows the steps that have a span
   * @throws IllegalArgumentException if a name occurs twice
   */
  public PipelineRunner(
      List<Step> steps,
      ServiceHeaders names,
      BodyMemoryBudget bodies,
      BiConsumer<Exchange, String> ends,
      Consumer<Exchange> responses,
      Tracer tracer) {
    requireEachOnce(steps);
    this.steps = List.copyOf(steps);
    this.names = names;
    this.bodies = bodies;
    this.ends = ends;
    this.responses = responses;
    this.tracer = tracer;
    this.isTraced = tracer != Tracer.NONE;
  }

  private static void requireEachOnce(List<Step> steps) {
    Set<String> seen = new HashSet<>();
    for (Step step : steps) {
      if (!seen.add(step.name())) {
        throw new IllegalArgumentException(step.name() + " is in the list twice");
      }
    }
  }

  /**
   * Runs one invocation to its response, which the caller closes.
   *
   * @throws VaultException if a step refuses the request
   * @throws IllegalStateException if a step has a fault; names the step and the fault's class only
   */
  public ProxyResponse run(ProxyCall call) {
    try (BodyMemoryBudget.Reservation memory = bodies.open()) {
      return finish(recorded(runAll(steps, Exchange.begin(call, route(call), memory))));
    }
  }

  private Route route(ProxyCall call) {
    try {
      return Route.read(call, names);
    } catch (RuntimeException fault) {
      throw named("Route", fault);
    }
  }

  /**
   * Runs steps until the exchange is over; returns the exchange, or the one that has replaced it.
   */
  private Exchange runAll(List<Step> list, Exchange exchange) {
    for (Step step : list) {
      if (exchange.isOver()) {
        break;
      }
      try {
        apply(step, exchange);
      } catch (VaultException refused) {
        if (exchange.isProvisional()) {
          return tryAgain(step, exchange, refused);
        }
        throw failed(step, exchange, refused, refused.outcome());
      } catch (RuntimeException fault) {
        throw named(step.name(), failed(step, exchange, fault, "Fault in " + step.name()));
      } catch (Error fault) {
        throw failed(step, exchange, fault, "Fault in " + step.name());
      }
    }
    return exchange;
  }

  private void apply(Step step, Exchange exchange) {
    Optional<String> span = isTraced ? step.span() : Optional.empty();
    if (span.isEmpty()) {
      step.action().accept(exchange);
      return;
    }
    var unused =
        tracer.trace(
            span.get(),
            () -> {
              step.action().accept(exchange);
              return exchange;
            });
  }

  /**
   * Runs the exchange again on current data, because the refusal may rest on outdated data.
   *
   * <p>A step that has read the caller's body cannot read it again. In that case, the earlier steps
   * run again, and the refusal stands if none of them refuses and the body would be buffered for
   * the same reason.
   */
  private Exchange tryAgain(Step step, Exchange exchange, VaultException refused) {
    Exchange retry = exchange.retry();
    if (!step.readsBody()) {
      return runAll(steps, retry);
    }
    runAll(steps.subList(0, steps.indexOf(step)), retry);
    throw retry.buffersBodyLike(exchange)
        ? refused
        : new RefusedException(
            FailureCause.OVERLOADED, "The proxy was changed during the request; try again.");
  }

  /** Cleans up after a failed step and returns the failure to throw. */
  private <T extends Throwable> T failed(Step step, Exchange exchange, T failure, String outcome) {
    ResponseRecorder.fail(exchange, step, failure);
    endFailed(exchange, outcome);
    return failure;
  }

  /**
   * Records the response to a request with an idempotency key, so that it can be replayed to a
   * retry.
   */
  private Exchange recorded(Exchange exchange) {
    if (exchange.idempotency().isEmpty()) {
      return exchange;
    }
    try {
      responses.accept(exchange);
      return exchange;
    } catch (VaultException refused) {
      endFailed(exchange, refused.outcome());
      throw refused;
    } catch (RuntimeException | Error fault) {
      ResponseRecorder.abandon(exchange);
      endFailed(exchange, "Internal error while the response was stored");
      throw fault;
    }
  }

  /** Records the end of a failed exchange and closes its response. */
  private void endFailed(Exchange exchange, String outcome) {
    try {
      ends.accept(exchange, outcome);
    } finally {
      exchange.response().ifPresent(PipelineRunner::discard);
    }
  }

  private static void discard(ProxyResponse response) {
    try {
      response.close();
    } catch (IOException alreadyBroken) {
      // The response is discarded: a failure to close it has no effect.
      return;
    }
  }

  /** Returns the exchange's response, which records the end of the invocation when it is closed. */
  private ProxyResponse finish(Exchange exchange) {
    ProxyResponse response =
        exchange
            .response()
            .orElseThrow(() -> new IllegalStateException("no step returned a response"));
    try {
      return finish(exchange, response);
    } catch (RuntimeException | Error fault) {
      discard(response);
      throw fault;
    }
  }

  private ProxyResponse finish(Exchange exchange, ProxyResponse response) {
    String outcome = outcomePrefix(exchange) + response.status();
    // If the caller reads a body, its end marks the end of the invocation.
    if (!BodyRules.hasBody(exchange.call().method(), response.status())) {
      ends.accept(exchange, outcome);
      return response;
    }
    // The body's memory is released once the pipeline returns, so it must not be used any more.
    exchange.setBody(InvocationBody.none());
    return new ProxyResponse(
        response.status(),
        response.headers(),
        new RecordedBody(
            response.body(),
            complete -> ends.accept(exchange, complete ? outcome : outcome + CUT_SHORT)),
        response.bodyLength());
  }

  /** Returns the beginning of the recorded outcome. */
  private static String outcomePrefix(Exchange exchange) {
    if (exchange.idempotency().filter(Idempotency::isReplay).isPresent()) {
      return "replayed, status ";
    }
    return exchange.hasTransformResponse() ? "transform returned " : "status ";
  }

  /**
   * Returns a failure with the location and class of a fault; the fault's message may be secret.
   */
  private static IllegalStateException named(String where, RuntimeException fault) {
    IllegalStateException named =
        new IllegalStateException(where + " failed with " + fault.getClass().getName());
    named.setStackTrace(fault.getStackTrace());
    return named;
  }

  /**
   * The body of a response to the caller; when it is closed, it reports once whether all of it was
   * read.
   */
  private static final class RecordedBody extends FilterInputStream {

    private final Consumer<Boolean> ending;
    private boolean complete;
    private boolean closed;

    /**
     * Wraps a body.
     *
     * @param ending receives whether all of the body was read
     */
    RecordedBody(InputStream body, Consumer<Boolean> ending) {
      super(body);
      this.ending = ending;
    }

    @Override
    public int read() throws IOException {
      return recordingEnd(super.read());
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      return recordingEnd(super.read(buffer, offset, length));
    }

    private int recordingEnd(int result) {
      complete |= result < 0;
      return result;
    }

    @Override
    public void close() throws IOException {
      if (closed) {
        return;
      }
      closed = true;
      try {
        super.close();
      } finally {
        ending.accept(complete);
      }
    }
  }
}
