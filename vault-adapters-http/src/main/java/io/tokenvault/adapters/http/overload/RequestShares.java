package io.tokenvault.adapters.http.overload;

import io.tokenvault.adapters.http.operations.RequestWatch;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.runtime.RateLimits.Kind;
import io.tokenvault.ports.runtime.RateLimits.Subject;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How many requests of each are in progress: at most half of all slots for a tenant, and a quarter
 * for an application, or for a proxy without an API key. Slow bodies and silent destinations of one
 * leave room for the others.
 */
final class RequestShares {

  private final int ofTenant;
  private final int ofSubject;
  private final RequestWatch watch;
  private final Map<Object, Integer> inProgress = new ConcurrentHashMap<>();

  /**
   * @param slots for all requests
   * @param watch is told of requests that are refused
   */
  RequestShares(int slots, RequestWatch watch) {
    this.ofTenant = Math.max(1, slots / 2);
    this.ofSubject = Math.max(1, slots / 4);
    this.watch = watch;
  }

  /**
   * Takes a slot, to be {@linkplain #release released} once.
   *
   * @throws RefusedException if the subject or its tenant has all that it may have
   */
  void take(Subject subject) {
    if (!add(subject, ofSubject)) {
      throw refusal(subject, whose(subject), ofSubject);
    }
    if (!add(subject.tenantId(), ofTenant)) {
      remove(subject);
      throw refusal(subject, "The tenant", ofTenant);
    }
  }

  void release(Subject subject) {
    remove(subject.tenantId());
    remove(subject);
  }

  private boolean add(Object whose, int most) {
    if (inProgress.merge(whose, 1, Integer::sum) <= most) {
      return true;
    }
    remove(whose);
    return false;
  }

  private void remove(Object whose) {
    inProgress.computeIfPresent(whose, (same, count) -> count == 1 ? null : count - 1);
  }

  private RefusedException refusal(Subject subject, String whose, int most) {
    boolean known = subject.kind() == Kind.APPLICATION;
    watch.overShare(known ? Optional.of(subject.id()) : Optional.empty());
    return new RefusedException(
        FailureCause.TOO_MANY_IN_PROGRESS,
        whose + " has " + most + " requests in progress, which is the limit; try again.");
  }

  private static String whose(Subject subject) {
    return subject.kind() == Kind.APPLICATION ? "The application" : "The proxy without an API key";
  }
}
