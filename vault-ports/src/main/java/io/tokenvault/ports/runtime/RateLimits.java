package io.tokenvault.ports.runtime;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.failure.RateAllowance;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.tenant.TenantId;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * Limits the requests of an application, and the requests without an API key to a proxy. Each
 * subject is counted separately. Counts may be lost on a restart and may be local to a node.
 *
 * <p>Only subjects that were found are counted, so that unknown keys use neither memory nor another
 * subject's limit. Implementations are thread-safe.
 */
public interface RateLimits {

  /** Limits nothing. */
  RateLimits NONE = subject -> Optional.empty();

  /**
   * Counts a request if the limit permits it.
   *
   * @param subject the application or proxy that the request counts against
   * @return empty if the request may proceed
   */
  Optional<Excess> take(Subject subject);

  /**
   * Returns what the limit leaves to a subject. Counts nothing.
   *
   * @return empty if the subject has no limit, or the limit does not report its state
   */
  default Optional<RateAllowance> allowance(Subject subject) {
    return Optional.empty();
  }

  /** The subject whose requests are counted together. */
  record Subject(Kind kind, TenantId tenantId, UUID id) {
    public static Subject of(TenantId tenantId, ApplicationId id) {
      return new Subject(Kind.APPLICATION, tenantId, id.value());
    }

    /** Returns the subject for all anonymous callers of a proxy together. */
    public static Subject of(TenantId tenantId, ProxyId id) {
      return new Subject(Kind.ANONYMOUS_PROXY, tenantId, id.value());
    }
  }

  /** The kinds of subjects that have limits. */
  enum Kind {
    APPLICATION,
    ANONYMOUS_PROXY
  }

  /**
   * A request over the limit.
   *
   * @param retryAfter the time until another request is permitted; always positive
   * @param shouldRecord whether to record the rejection: true for one request of each subject per
   *     minute
   */
  record Excess(Subject subject, Duration retryAfter, boolean shouldRecord) {
    public Excess {
      Objects.requireNonNull(subject, "subject");
      Objects.requireNonNull(retryAfter, "retryAfter");
    }
  }
}
