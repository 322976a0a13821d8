package io.tokenvault.ports.usecase.authorization;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.audit.Actor;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.RateLimitedException;
import io.tokenvault.domain.proxy.Proxy;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.runtime.RateLimits;
import io.tokenvault.ports.runtime.RateLimits.Excess;
import io.tokenvault.ports.runtime.RateLimits.Kind;
import io.tokenvault.ports.runtime.RateLimits.Subject;
import java.util.List;

/**
 * Rejects requests over the operator's rate limits.
 *
 * <p>A request is counted once its key was found, before any other part of it is examined. One
 * rejection per minute and subject is recorded before it is reported; otherwise a flood would fill
 * the log. Nothing depends on a rejected request, so the rejection may be based on cached data.
 */
public final class RequestRates {

  private final RateLimits limits;
  private final AuditTrail trail;

  RequestRates(RateLimits limits, AuditRecorder recorder) {
    this.limits = limits;
    this.trail = new AuditTrail(recorder);
  }

  /**
   * Rejects a request without a look-up if its subject was just rejected.
   *
   * @param hashes of a key, the current one first; empty for none
   * @throws RateLimitedException if the limit is still exceeded
   */
  public void turnAwayKnown(List<KeyHash> hashes) {
    hashes.stream().findFirst().flatMap(limits::known).ifPresent(this::turnAway);
  }

  /**
   * Counts a request of an application.
   *
   * @throws RateLimitedException if the limit is exceeded
   */
  public void count(Caller caller) {
    limits.take(caller.subject(), caller.identity().apiKey().get(0)).ifPresent(this::turnAway);
  }

  /**
   * Counts an invocation without an API key.
   *
   * @param hashes of the proxy's key
   * @throws RateLimitedException if the limit is exceeded
   */
  public void count(Proxy proxy, List<KeyHash> hashes) {
    Subject subject = Subject.of(proxy.tenantId(), proxy.id());
    limits.take(subject, hashes.get(0)).ifPresent(this::turnAway);
  }

  private void turnAway(Excess excess) {
    if (excess.isNews()) {
      trail.record(List.of(entry(excess.subject())));
    }
    throw new RateLimitedException(
        excess.subject().kind() == Kind.APPLICATION
            ? "The application has sent more requests than it may; try again later."
            : "More requests without an API key came to this proxy than may; try again later.",
        excess.retryAfter());
  }

  private static AuditEntry entry(Subject subject) {
    boolean known = subject.kind() == Kind.APPLICATION;
    return new AuditEntry(
        subject.tenantId(),
        known ? Actor.application(new ApplicationId(subject.id())) : Actor.anonymous(),
        known ? EntityType.APPLICATION : EntityType.PROXY,
        subject.id().toString(),
        known ? Operation.READ : Operation.INVOKE,
        (known ? "Requests" : "Invocations without a key") + " over the rate limit denied");
  }
}
