package io.tokenvault.engine;

import io.tokenvault.domain.proxy.Destination;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.ports.api.ProxyAnswer;
import io.tokenvault.ports.api.ProxyCall;
import io.tokenvault.ports.usecase.Admission;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is known of an invocation so far. Immutable, but that the body can be taken only once, and
 * that its memory is counted. Asking for what no step has found yet is a fault of the order.
 */
final class Exchange {

  private final ProxyCall call;
  private final HeldBodies.Reservation memory;
  private Route route;
  private Admission admission;
  private Destination destination;
  private Target target;
  private Target requested;
  private List<HeaderField> headers;
  private Body body;
  private boolean recorded;
  private Map<TransformKind, Program> programs;
  private ProxyAnswer answer;
  private boolean answeredByTransform;
  private boolean decidedAnew;
  private Repetition repetition = Repetition.NONE;
  private Optional<byte[]> read = Optional.empty();

  private Exchange(ProxyCall call, HeldBodies.Reservation memory) {
    this.call = call;
    this.memory = memory;
  }

  static Exchange begin(ProxyCall call, HeldBodies.Reservation memory) {
    return new Exchange(call, memory);
  }

  /**
   * The same request before anything was decided about it, for decisions on what holds now. Nothing
   * of it was sent, and its body was read into memory at most, where it still is.
   */
  Exchange anew() {
    memory.endWork();
    Exchange anew = new Exchange(body == null ? call : call.with(body.fromTheBeginning()), memory);
    anew.read = body == null ? Optional.empty() : body.bytes();
    anew.route = route;
    anew.target = target;
    anew.decidedAnew = true;
    return anew;
  }

  /** All of the caller's body, if it is in memory already. */
  Optional<byte[]> read() {
    return read;
  }

  /** Whether what was remembered may not be decided on. */
  boolean isDecidedAnew() {
    return decidedAnew;
  }

  /** Whether all that was decided so far may be outdated, and was not confirmed. */
  boolean isProvisional() {
    return admission != null && admission.isProvisional();
  }

  /** Whether the body of both is held for the same reasons. */
  boolean holdsBodyLike(Exchange other) {
    return admission().transform(TransformKind.REQUEST).isPresent()
        == other.admission().transform(TransformKind.REQUEST).isPresent();
  }

  private Exchange copy() {
    Exchange copy = new Exchange(call, memory);
    copy.decidedAnew = decidedAnew;
    copy.read = read;
    copy.route = route;
    copy.admission = admission;
    copy.destination = destination;
    copy.target = target;
    copy.requested = requested;
    copy.headers = headers;
    copy.body = body;
    copy.recorded = recorded;
    copy.programs = programs;
    copy.answer = answer;
    copy.answeredByTransform = answeredByTransform;
    copy.repetition = repetition;
    return copy;
  }

  /** As it came from the caller. */
  ProxyCall call() {
    return call;
  }

  /** What this invocation may hold of bodies; given back when it ends. */
  HeldBodies.Reservation memory() {
    return memory;
  }

  Route route() {
    return known(route, "route");
  }

  Exchange with(Route found) {
    Exchange next = copy();
    next.route = found;
    return next;
  }

  Admission admission() {
    return known(admission, "admission");
  }

  Exchange with(Admission granted) {
    Exchange next = copy();
    next.admission = granted;
    return next;
  }

  /** Where the request goes; set once. */
  Destination destination() {
    return known(destination, "destination");
  }

  Exchange with(Destination checked) {
    if (destination != null) {
      throw new IllegalStateException("the destination is already checked");
    }
    Exchange next = copy();
    next.destination = checked;
    return next;
  }

  /** Path and query: the caller's at first, joined to the destination's by the final check. */
  Target target() {
    return known(target, "target");
  }

  Exchange with(Target changed) {
    Exchange next = copy();
    next.target = changed;
    return next;
  }

  /** The caller's path and query, before they were joined to the destination's. */
  Target requested() {
    return known(requested, "path that was requested");
  }

  /** What is sent is the destination's path and query and then the caller's. */
  Exchange joined(Target whole) {
    Exchange next = copy();
    next.requested = target;
    next.target = whole;
    return next;
  }

  /** As they are to be sent. */
  List<HeaderField> headers() {
    return known(headers, "headers");
  }

  Exchange with(List<HeaderField> changed) {
    Exchange next = copy();
    next.headers = List.copyOf(changed);
    return next;
  }

  Body body() {
    return known(body, "body");
  }

  Exchange with(Body changed) {
    Exchange next = copy();
    next.body = changed;
    next.read = Optional.empty();
    return next;
  }

  /** Whether the invocation is in the audit log, so that its end belongs there too. */
  boolean isRecorded() {
    return recorded;
  }

  Exchange recorded() {
    Exchange next = copy();
    next.recorded = true;
    return next;
  }

  /** The transforms of the proxy that run, with those that are not there left out. */
  Optional<Program> program(TransformKind kind) {
    return Optional.ofNullable(programs).map(all -> all.get(kind));
  }

  Exchange with(Map<TransformKind, Program> runnable) {
    Exchange next = copy();
    next.programs = Map.copyOf(runnable);
    return next;
  }

  Optional<ProxyAnswer> answer() {
    return Optional.ofNullable(answer);
  }

  Exchange with(ProxyAnswer received) {
    Exchange next = copy();
    next.answer = received;
    return next;
  }

  /** A transform gave the answer itself; no further step is taken. */
  Exchange answeredByTransform(ProxyAnswer given) {
    Exchange next = with(given);
    next.answeredByTransform = true;
    return next;
  }

  boolean isAnsweredByTransform() {
    return answeredByTransform;
  }

  /** What is known of a request that may be sent again. */
  Repetition repetition() {
    return repetition;
  }

  Exchange with(Repetition known) {
    Exchange next = copy();
    next.repetition = known;
    return next;
  }

  private static <T> T known(T value, String what) {
    if (value == null) {
      throw new IllegalStateException("no step has found the " + what + " yet");
    }
    return value;
  }
}
