package io.tokenvault.engine.exchange;

import io.tokenvault.domain.proxy.Destination;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.ports.api.ProxyAnswer;
import io.tokenvault.ports.api.ProxyCall;
import io.tokenvault.ports.usecase.proxy.Admission;
import io.tokenvault.ports.usecase.proxy.InvokedProxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * State of one invocation, which the steps fill in. Reading what no step has set yet is a fault of
 * their order. A step changes it only once it cannot fail any more, so that what is recorded of a
 * failure is true. For one thread; what transforms ask for on other threads only reads it.
 */
public final class Exchange {

  private final ProxyCall call;
  private final Route route;
  private final BodyMemoryBudget.Reservation memory;
  private final boolean retry;
  private final Optional<byte[]> read;

  private InvokedProxy invoked;
  private Admission admission;
  private Destination destination;
  private Optional<Idempotency> repetition = Optional.empty();
  private boolean detokenized;
  private InvocationBody body;
  private boolean recorded;
  private RequestTarget requested;
  private RequestTarget target;
  private List<HeaderField> headers;
  private Map<TransformKind, Program> programs = Map.of();
  private ProxyAnswer answer;
  private boolean answeredByTransform;

  private Exchange(
      ProxyCall call,
      Route route,
      BodyMemoryBudget.Reservation memory,
      boolean retry,
      Optional<byte[]> read) {
    this.call = call;
    this.route = route;
    this.memory = memory;
    this.retry = retry;
    this.read = read;
  }

  public static Exchange begin(ProxyCall call, Route route, BodyMemoryBudget.Reservation memory) {
    return new Exchange(call, route, memory, false, Optional.empty());
  }

  /**
   * Returns the exchange as it began, to be decided on current data. Nothing of it was sent, and
   * its body was at most read into memory, where it still is.
   */
  public Exchange retry() {
    memory.endWork();
    return body == null
        ? new Exchange(call, route, memory, true, Optional.empty())
        : new Exchange(call.with(body.fromTheBeginning()), route, memory, true, body.bytes());
  }

  /** Returns whether cached data must not be decided on. */
  public boolean isRetry() {
    return retry;
  }

  /** Returns the caller's whole body, if an earlier try has read it into memory. */
  public Optional<byte[]> bodyReadBefore() {
    return read;
  }

  /** Returns the request as it came from the caller. */
  public ProxyCall call() {
    return call;
  }

  /** Returns what the request says about its sender and its destination, unchecked. */
  public Route route() {
    return route;
  }

  /** Returns what this invocation may hold of bodies; given back when it ends. */
  public BodyMemoryBudget.Reservation memory() {
    return memory;
  }

  /** Begins a dry run. */
  public static Exchange beginDryRun(
      ProxyCall call, Route route, BodyMemoryBudget.Reservation memory, InvokedProxy invoked) {
    Exchange exchange = begin(call, route, memory);
    exchange.invoked = invoked;
    return exchange;
  }

  /** Returns what is invoked, by a caller that may come in. */
  public InvokedProxy invoked() {
    return known(invoked, "proxy");
  }

  /** Returns by what right it is invoked; a dry run has none. */
  public Admission admission() {
    return known(admission, "admission");
  }

  public void admit(Admission granted) {
    admission = granted;
    invoked = granted;
  }

  /** Returns whether all that was decided so far may be outdated, and was not confirmed. */
  public boolean isProvisional() {
    return admission != null && admission.isProvisional();
  }

  public Destination destination() {
    return known(destination, "destination");
  }

  /** Sets where the request goes, permanently. */
  public void setDestination(Destination checked) {
    if (destination != null) {
      throw new IllegalStateException("the destination is already checked");
    }
    destination = checked;
  }

  /** Returns what is known of a request that its caller may send again; empty for all others. */
  public Optional<Idempotency> repetition() {
    return repetition;
  }

  /** Returns every idempotency key that was sent; a dry run has nothing to repeat. */
  public List<String> idempotencyKeys() {
    return admission == null ? List.of() : route.idempotencyKeys();
  }

  public void setRepetition(Idempotency known) {
    repetition = Optional.of(known);
  }

  /** Returns whether expressions in the request are replaced. */
  public boolean isDetokenized() {
    return detokenized;
  }

  public void setDetokenized(boolean replacesExpressions) {
    detokenized = replacesExpressions;
  }

  public InvocationBody body() {
    return known(body, "body");
  }

  public void setBody(InvocationBody changed) {
    body = changed;
  }

  /** Returns whether the body of both is held for the same reasons. */
  public boolean holdsBodyLike(Exchange other) {
    return invoked().transform(TransformKind.REQUEST).isPresent()
        == other.invoked().transform(TransformKind.REQUEST).isPresent();
  }

  /** Returns whether the invocation is in the audit log, so that its end belongs there too. */
  boolean isRecorded() {
    return recorded;
  }

  public void setRecorded() {
    recorded = true;
  }

  /** Returns the caller's path and query with expressions replaced. */
  public RequestTarget requested() {
    return known(requested, "path that was requested");
  }

  /** Returns path and query as they are sent: the destination's, then the caller's. */
  public RequestTarget target() {
    return known(target, "target");
  }

  /**
   * @throws io.tokenvault.domain.failure.RefusedException if path and query lead elsewhere than the
   *     destination's
   */
  public void setRequested(RequestTarget filled) {
    target = filled.under(destination());
    requested = filled;
  }

  /** Sets the path and query of a request that has no destination. */
  public void setTarget(RequestTarget whole) {
    target = whole;
    requested = whole;
  }

  /** Returns the headers that are to be sent. */
  public List<HeaderField> headers() {
    return known(headers, "headers");
  }

  public void setHeaders(List<HeaderField> changed) {
    headers = List.copyOf(changed);
  }

  /** Returns the proxy's transform of this kind, ready to run; empty if it has none. */
  public Optional<Program> program(TransformKind kind) {
    return Optional.ofNullable(programs.get(kind));
  }

  public void setPrograms(Map<TransformKind, Program> runnable) {
    programs = runnable;
  }

  public Optional<ProxyAnswer> answer() {
    return Optional.ofNullable(answer);
  }

  public void setAnswer(ProxyAnswer received) {
    answer = received;
  }

  /** Sets the response that a transform gave itself; no further step is taken. */
  public void answerByTransform(ProxyAnswer given) {
    answer = given;
    answeredByTransform = true;
  }

  public boolean isAnsweredByTransform() {
    return answeredByTransform;
  }

  /** Returns whether no further step is taken. */
  public boolean isOver() {
    return answeredByTransform || repetition.filter(Idempotency::isAnswered).isPresent();
  }

  private static <T> T known(T value, String what) {
    if (value == null) {
      throw new IllegalStateException("no step has found the " + what + " yet");
    }
    return value;
  }
}
