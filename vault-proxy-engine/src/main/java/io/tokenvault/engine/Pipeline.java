package io.tokenvault.engine;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.ports.api.ProxyAnswer;
import io.tokenvault.ports.api.ProxyCall;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Runs steps in their order, each once, until one gives a transform's own answer, and holds them to
 * their contract. What was decided on memory alone and did not succeed is decided anew, once, from
 * the caller's authorisation on. Whatever happens, held memory is given back, and what was recorded
 * as begun is recorded as ended.
 */
final class Pipeline {

  private static final String CUT_SHORT = ", cut short";
  private static final Set<Integer> BODYLESS = Set.of(204, 304);

  private final List<Step> steps;
  private final int authorization;
  private final HeldBodies bodies;
  private final InvocationEnds ends;
  private final KeptAnswers answers;

  /**
   * @param steps in their order, each of another class
   */
  Pipeline(List<Step> steps, HeldBodies bodies, InvocationEnds ends, KeptAnswers answers) {
    this.answers = answers;
    requireEachOnce(steps);
    this.steps = List.copyOf(steps);
    this.authorization = firstThatDecides(steps);
    this.bodies = bodies;
    this.ends = ends;
  }

  private static void requireEachOnce(List<Step> steps) {
    Set<Class<?>> seen = new HashSet<>();
    for (Step step : steps) {
      if (!seen.add(step.getClass())) {
        throw new IllegalArgumentException(step.name() + " is in the list twice");
      }
    }
  }

  /** What is before it only reads the request. */
  private static int firstThatDecides(List<Step> steps) {
    return Math.max(0, steps.stream().map(Step::getClass).toList().indexOf(AuthorizeCaller.class));
  }

  ProxyAnswer run(ProxyCall call) {
    try (HeldBodies.Reservation memory = bodies.open()) {
      return finish(kept(runAll(steps, Exchange.begin(call, memory))));
    }
  }

  private Exchange runAll(List<Step> list, Exchange first) {
    Exchange exchange = first;
    for (Step step : list) {
      exchange = isAnswered(exchange) ? exchange : runStep(step, exchange);
    }
    return exchange;
  }

  private static boolean isAnswered(Exchange exchange) {
    return exchange.isAnsweredByTransform() || exchange.repetition().isAnswered();
  }

  private Exchange kept(Exchange exchange) {
    try {
      return answers.keep(exchange);
    } catch (VaultException refused) {
      abandon(exchange, refused.outcome());
      throw refused;
    } catch (RuntimeException | Error fault) {
      KeptAnswers.lose(exchange);
      abandon(exchange, "Fault while the answer was kept");
      throw fault;
    }
  }

  private Exchange runStep(Step step, Exchange exchange) {
    try {
      return applied(step, exchange);
    } catch (VaultException refused) {
      if (exchange.isProvisional()) {
        return decideAnew(step, exchange, refused);
      }
      KeptAnswers.fail(exchange, step, refused);
      abandon(exchange, refused.outcome());
      throw refused;
    } catch (RuntimeException fault) {
      KeptAnswers.fail(exchange, step, fault);
      abandon(exchange, "Fault in " + step.name());
      throw named(step, fault);
    } catch (Error fault) {
      KeptAnswers.fail(exchange, step, fault);
      abandon(exchange, "Fault in " + step.name());
      throw fault;
    }
  }

  private static Exchange applied(Step step, Exchange exchange) {
    Exchange next = step.apply(exchange);
    if (next == null) {
      throw new IllegalStateException("gave no exchange");
    }
    return next;
  }

  /**
   * Runs the steps up to this one again, on what holds now: what was refused may have rested on
   * what is outdated. What the step has read of the caller's body cannot be read again; then its
   * refusal stands, if there is none before it and the step would have had the same to do.
   */
  private Exchange decideAnew(Step step, Exchange exchange, VaultException refused) {
    int place = steps.indexOf(step);
    int reading = step.readsTheBody() ? place : place + 1;
    Exchange anew = runAll(steps.subList(authorization, reading), exchange.anew());
    if (!step.readsTheBody()) {
      return anew;
    }
    throw anew.holdsBodyLike(exchange) ? refused : changed();
  }

  private static RefusedException changed() {
    return new RefusedException(
        FailureCause.OVERLOADED, "The proxy was changed meanwhile; try again.");
  }

  private void abandon(Exchange exchange, String outcome) {
    try {
      ends.record(exchange, outcome);
    } finally {
      exchange.answer().ifPresent(Pipeline::discard);
    }
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
    try {
      return finish(exchange, answer);
    } catch (RuntimeException | Error fault) {
      discard(answer);
      throw fault;
    }
  }

  private ProxyAnswer finish(Exchange exchange, ProxyAnswer answer) {
    String outcome = how(exchange) + answer.status();
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

  private static String how(Exchange exchange) {
    if (exchange.repetition().isAnswered()) {
      return "a repeat, not sent, answered ";
    }
    return exchange.isAnsweredByTransform() ? "the transform answered " : "answered ";
  }

  /** Whether whoever passes the answer on reads its body, and so knows of its end. */
  private static boolean hasBody(Exchange exchange, ProxyAnswer answer) {
    return !exchange.call().method().equals("HEAD") && !BODYLESS.contains(answer.status());
  }

  /** Says where it happened and of which class it was; its text may hold anything. */
  private static IllegalStateException named(Step step, RuntimeException fault) {
    IllegalStateException named =
        new IllegalStateException(step.name() + " failed with " + fault.getClass().getName());
    named.setStackTrace(fault.getStackTrace());
    return named;
  }
}
