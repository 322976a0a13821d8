package io.tokenvault.engine.exchange;

import io.tokenvault.domain.proxy.Destination;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.ports.api.ProxyCall;
import io.tokenvault.ports.api.ProxyResponse;
import io.tokenvault.ports.usecase.proxy.Admission;
import io.tokenvault.ports.usecase.proxy.InvokedProxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * State of one invocation, filled in by the steps of the pipeline.
 *
 * <p>Reading a value that no step has set yet is a fault in the order of the steps and throws
 * {@link IllegalStateException}. Not thread-safe; client calls of transforms, which run on other
 * threads, only read it.
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
  private Optional<Idempotency> idempotency = Optional.empty();
  private boolean detokenized;
  private InvocationBody body;
  private boolean recorded;
  private RequestTarget requested;
  private RequestTarget target;
  private List<HeaderField> headers;
  private Map<TransformKind, Program> programs = Map.of();
  private ProxyResponse response;
  private boolean transformResponded;

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

  /**
   * Begins an invocation.
   *
   * @param memory reservation of the invocation, closed by its owner
   */
  public static Exchange begin(ProxyCall call, Route route, BodyMemoryBudget.Reservation memory) {
    return new Exchange(call, route, memory, false, Optional.empty());
  }

  /**
   * Returns the exchange as it began, to be decided on current data. Nothing of it was sent; at
   * most, its body was read into memory, where it still is.
   */
  public Exchange retry() {
    memory.endWork();
    return body == null
        ? new Exchange(call, route, memory, true, Optional.empty())
        : new Exchange(call.with(body.fromTheBeginning()), route, memory, true, body.bytes());
  }

  /** Returns whether this is a retry, for which decisions must not use cached data. */
  public boolean isRetry() {
    return retry;
  }

  /** Returns the caller's whole body if the exchange that this one retries has buffered it. */
  public Optional<byte[]> bodyReadBefore() {
    return read;
  }

  /** Returns the request as the caller sent it. */
  public ProxyCall call() {
    return call;
  }

  /** Returns the keys and destination that the request names, unchecked. */
  public Route route() {
    return route;
  }

  /** Returns the memory reserved for this invocation, which is released at its end. */
  public BodyMemoryBudget.Reservation memory() {
    return memory;
  }

  /** Begins a dry run, which has a proxy but no admission. */
  public static Exchange beginDryRun(
      ProxyCall call, Route route, BodyMemoryBudget.Reservation memory, InvokedProxy invoked) {
    Exchange exchange = begin(call, route, memory);
    exchange.setInvoked(invoked);
    return exchange;
  }

  /** Sets the proxy of an exchange that the vault does not authorize. */
  public void setInvoked(InvokedProxy proxy) {
    invoked = proxy;
  }

  /** Returns the proxy that an authorized caller invokes. */
  public InvokedProxy invoked() {
    return known(invoked, "proxy");
  }

  /** Returns the authorization of the invocation. A dry run has none. */
  public Admission admission() {
    return known(admission, "admission");
  }

  /** Sets the authorization, and with it the invoked proxy. */
  public void admit(Admission granted) {
    admission = granted;
    invoked = granted;
  }

  /** Returns whether decisions so far rest on cached data that was not confirmed. */
  public boolean isProvisional() {
    return admission != null && admission.isProvisional();
  }

  /** Returns the server that receives the request. */
  public Destination destination() {
    return known(destination, "destination");
  }

  /**
   * Sets the server that receives the request, permanently.
   *
   * @throws IllegalStateException if the destination was set before
   */
  public void setDestination(Destination checked) {
    if (destination != null) {
      throw new IllegalStateException("the destination is already checked");
    }
    destination = checked;
  }

  /** Returns the state of a request with an idempotency key; empty for a request without one. */
  public Optional<Idempotency> idempotency() {
    return idempotency;
  }

  /** Returns every idempotency key that was sent; none for a dry run, which cannot be repeated. */
  public List<String> idempotencyKeys() {
    return admission == null ? List.of() : route.idempotencyKeys();
  }

  /** Sets the state of a request with an idempotency key, replacing an earlier one. */
  public void setIdempotency(Idempotency known) {
    idempotency = Optional.of(known);
  }

  /** Returns whether expressions in the request are replaced. */
  public boolean isDetokenized() {
    return detokenized;
  }

  public void setDetokenized(boolean replacesExpressions) {
    detokenized = replacesExpressions;
  }

  /** Returns the request's body in its current state. */
  public InvocationBody body() {
    return known(body, "body");
  }

  /** Sets the body, which replaces the one that the step has taken. */
  public void setBody(InvocationBody changed) {
    body = changed;
  }

  /**
   * Returns whether both exchanges run, or both do not run, a request transform, for which the body
   * is buffered whole.
   */
  public boolean buffersBodyLike(Exchange other) {
    return invoked().transform(TransformKind.REQUEST).isPresent()
        == other.invoked().transform(TransformKind.REQUEST).isPresent();
  }

  /**
   * Returns whether the audit log has an entry for this invocation, so that its end is recorded
   * too.
   */
  public boolean isRecorded() {
    return recorded;
  }

  /** Notes that the audit entry of this invocation is durable. */
  public void setRecorded() {
    recorded = true;
  }

  /** Returns the caller's path and query with expressions replaced. */
  public RequestTarget requested() {
    return known(requested, "path that was requested");
  }

  /** Returns the path and query that are sent: the destination's, followed by the caller's. */
  public RequestTarget target() {
    return known(target, "target");
  }

  /**
   * Sets the caller's path and query with expressions replaced, and derives the target that is
   * sent.
   *
   * @throws io.tokenvault.domain.failure.RefusedException if a segment of the path is {@code .} or
   *     {@code ..}, which could leave the destination's path
   */
  public void setRequested(RequestTarget rendered) {
    target = rendered.under(destination());
    requested = rendered;
  }

  /** Sets the path and query of a request that has no destination. */
  public void setTarget(RequestTarget whole) {
    target = whole;
    requested = whole;
  }

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

  /** Returns the response; empty until a step sets it. */
  public Optional<ProxyResponse> response() {
    return Optional.ofNullable(response);
  }

  /** Sets the response, which replaces an earlier one. */
  public void setResponse(ProxyResponse received) {
    response = received;
  }

  /** Sets a response that a transform created itself; no further step runs. */
  public void respondByTransform(ProxyResponse given) {
    response = given;
    transformResponded = true;
  }

  /** Returns whether a transform created the response itself. */
  public boolean hasTransformResponse() {
    return transformResponded;
  }

  /** Returns whether no further step runs: a transform created the response, or it is a replay. */
  public boolean isOver() {
    return transformResponded || idempotency.filter(Idempotency::isReplay).isPresent();
  }

  private static <T> T known(T value, String what) {
    if (value == null) {
      throw new IllegalStateException("no step has found the " + what + " yet");
    }
    return value;
  }
}
