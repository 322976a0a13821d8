package io.tokenvault.engine;

import io.tokenvault.domain.failure.TransformFailedException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.ports.api.ProxyAnswer;
import io.tokenvault.ports.api.ProxyCall;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Runs steps in their order, each once, until one gives a transform's own answer, and holds them to
 * their contract. Whatever happens, held memory is given back, and what was recorded as begun is
 * recorded as ended.
 */
final class Pipeline {

  private static final String CUT_SHORT = ", cut short";
  private static final Set<Integer> BODYLESS = Set.of(204, 304);

  private final List<Step> steps;
  private final HeldBodies bodies;
  private final InvocationEnds ends;

  /**
   * @param steps in their order, each of another class
   */
  Pipeline(List<Step> steps, HeldBodies bodies, InvocationEnds ends) {
    requireEachOnce(steps);
    this.steps = List.copyOf(steps);
    this.bodies = bodies;
    this.ends = ends;
  }

  private static void requireEachOnce(List<Step> steps) {
    Set<Class<?>> seen = new HashSet<>();
    for (Step step : steps) {
      if (!seen.add(step.getClass())) {
        throw new IllegalArgumentException(name(step) + " is in the list twice");
      }
    }
  }

  ProxyAnswer run(ProxyCall call) {
    try (HeldBodies.Reservation memory = bodies.open()) {
      Exchange exchange = Exchange.begin(call, memory);
      for (Step step : steps) {
        exchange = exchange.isAnsweredByTransform() ? exchange : runStep(step, exchange);
      }
      return finish(exchange);
    }
  }

  private Exchange runStep(Step step, Exchange exchange) {
    try {
      Exchange next = step.apply(exchange);
      if (next == null) {
        throw new IllegalStateException("gave no exchange");
      }
      return next;
    } catch (VaultException refused) {
      abandon(exchange, outcome(refused));
      throw refused;
    } catch (RuntimeException fault) {
      abandon(exchange, "Fault in " + name(step));
      throw named(step, fault);
    }
  }

  private static String outcome(VaultException refused) {
    String title = refused.failure().title();
    return refused instanceof TransformFailedException failed && failed.line() > 0
        ? title + " at line " + failed.line()
        : title;
  }

  private void abandon(Exchange exchange, String outcome) {
    ends.record(exchange, outcome);
    exchange.answer().ifPresent(Pipeline::discard);
  }

  private static void discard(ProxyAnswer answer) {
    try {
      answer.close();
    } catch (IOException alreadyBroken) {
      // Nobody reads it any more.
      return;
    }
  }

  private ProxyAnswer finish(Exchange exchange) {
    ProxyAnswer answer =
        exchange.answer().orElseThrow(() -> new IllegalStateException("no step gave an answer"));
    String outcome =
        (exchange.isAnsweredByTransform() ? "the transform answered " : "answered ")
            + answer.status();
    if (!hasBody(exchange, answer)) {
      ends.record(exchange, outcome);
      return answer;
    }
    // The request's body is no longer counted as held.
    Exchange ended = exchange.with(Body.none());
    return new ProxyAnswer(
        answer.status(),
        answer.headers(),
        new RecordedBody(
            answer.body(),
            complete -> ends.record(ended, complete ? outcome : outcome + CUT_SHORT)),
        answer.bodyLength());
  }

  /** Whether whoever passes the answer on reads its body, and so knows of its end. */
  private static boolean hasBody(Exchange exchange, ProxyAnswer answer) {
    return !exchange.call().method().equals("HEAD") && !BODYLESS.contains(answer.status());
  }

  /** Says where it happened and of which class it was; its text may hold anything. */
  private static IllegalStateException named(Step step, RuntimeException fault) {
    IllegalStateException named =
        new IllegalStateException(name(step) + " failed with " + fault.getClass().getName());
    named.setStackTrace(fault.getStackTrace());
    return named;
  }

  private static String name(Step step) {
    return step.getClass().getSimpleName();
  }
}
