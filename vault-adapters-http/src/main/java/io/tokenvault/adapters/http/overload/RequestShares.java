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
 * Counts the concurrent requests of each caller and limits them to a share of all slots: half for a
 * tenant, a quarter for an application or for a proxy called without an API key.
 *
 * <p>Thus slow bodies or slow destinations of one caller do not block the others. Thread-safe.
 */
final class RequestShares {

  private final int ofTenant;
  private final int ofSubject;
  private final RequestWatch watch;
  private final Map<Object, Integer> inProgress = new ConcurrentHashMap<>();

  /**
   * Creates the shares; each allows at least one request.
   *
   * @param slots the number of concurrent requests of all callers
   * @param watch is notified of requests that are rejected
   */
  RequestShares(int slots, RequestWatch watch) {
    this.ofTenant = Math.max(1, slots / 2);
    this.ofSubject = Math.max(1, slots / 4);
    this.watch = watch;
  }

  /**
   * Takes a slot, which must be {@linkplain #release released} exactly once.
   *
   * @throws RefusedException if the share of the subject or its tenant is used up
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

  /** Releases a slot that was taken for the subject. */
  void release(Subject subject) {
    remove(subject.tenantId());
    remove(subject);
  }

  /** Counts one more request, unless there are as many as allowed. */
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
