package io.tokenvault.ports.usecase.proxy;

import io.tokenvault.domain.audit.Actor;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.proxy.Delivery;
import io.tokenvault.domain.proxy.Destination;
import io.tokenvault.ports.store.model.ActingApplication;
import io.tokenvault.ports.usecase.authorization.AuditTrail;
import io.tokenvault.ports.usecase.authorization.Authenticator;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.Caller.Bounds;
import io.tokenvault.ports.usecase.authorization.InvocationDisclosure.Towards;
import io.tokenvault.ports.usecase.authorization.OptimisticExecutor;
import io.tokenvault.ports.usecase.authorization.TokenDecisions;
import io.tokenvault.ports.usecase.token.TokenContents;
import java.util.List;
import java.util.Optional;

/**
 * Determines the application that the transforms of an invocation act as, and the destinations to
 * which they may send requests.
 */
final class TransformIdentity {

  private static final int MAX_SHOWN_HOST = 200;

  /** A prefix that keeps hashes of hosts distinct from those of idempotent requests. */
  private static final String FETCHED_HOST = "fetched host ";

  private final Authenticator authenticator;
  private final TokenContents contents;
  private final TokenDecisions decisions;
  private final OptimisticExecutor attempts;

  TransformIdentity(
      Authenticator authenticator,
      TokenContents contents,
      TokenDecisions decisions,
      OptimisticExecutor attempts) {
    this.authenticator = authenticator;
    this.contents = contents;
    this.decisions = decisions;
    this.attempts = attempts;
  }

  /** Implements {@link ProxyInvocations#acting}. */
  Optional<Caller> acting(Admission admission, Destination destination) {
    Towards towards =
        new Towards(admission.disclosure(), ProxyInvocations.delivery(admission, destination));
    return admission
        .proxy()
        .flatMap(proxy -> proxy.settings().applicationId())
        .map(id -> new ActingApplication(admission.tenantId(), id))
        .map(
            application ->
                authenticator.acting(
                    application, new Bounds(Optional.of(towards), Optional.empty())));
  }

  /** Implements {@link ProxyInvocations#beginFetch}. */
  void beginFetch(Admission admission, Destination destination, Destination target) {
    Optional<Caller> sender =
        acting(admission, destination).or(() -> admission.caller().map(authenticator::reload));
    sender.ifPresent(
        caller ->
            decisions.requireFetchable(
                caller,
                admission.disclosure(),
                new Delivery(target.host(), false),
                () -> denial(admission, caller, target.host())));
    attempts.confirmOrRefuse(
        admission::settle,
        List.of(
            entry(
                admission,
                sender.map(Caller::actor).orElseGet(admission::actor),
                "Transform fetches from " + shown(admission, sender, target.host()))),
        sender
            .map(Caller::versionsOfUse)
            .map(versions -> versions.and(admission.proxyVersions()))
            .orElseGet(admission::proxyVersions));
  }

  private AuditEntry denial(Admission admission, Caller caller, String host) {
    return entry(
        admission,
        caller.actor(),
        "Transform fetch denied after use of bound tokens, from " + hashed(caller, host));
  }

  /**
   * Returns the host for the log. If bound tokens were revealed, a host that no binding names is
   * hashed, because the transform could have put token data into it.
   */
  private String shown(Admission admission, Optional<Caller> sender, String host) {
    return sender
        .filter(caller -> !admission.disclosure().bound(caller.egress()).isEmpty())
        .filter(caller -> !caller.egress().names(host))
        .map(caller -> hashed(caller, host))
        .orElseGet(() -> shortened(host));
  }

  private String hashed(Caller caller, String host) {
    return "the host with the hash " + contents.hashed(caller.keys(), FETCHED_HOST + host);
  }

  private static AuditEntry entry(Admission admission, Actor actor, String message) {
    return AuditTrail.entry(
        admission.tenantId(),
        actor,
        EntityType.PROXY,
        admission.proxy().orElseThrow().id(),
        Operation.INVOKE,
        message);
  }

  /** Shortens a host to fit into a message. */
  private static String shortened(String host) {
    return host.length() <= MAX_SHOWN_HOST ? host : host.substring(0, MAX_SHOWN_HOST) + "...";
  }
}
