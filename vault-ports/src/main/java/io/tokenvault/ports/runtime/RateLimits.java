package io.tokenvault.ports.runtime;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.KeyHash;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * How many requests an application may send, and how many may come to a proxy without a key. Each
 * is counted for itself. Counts need not be kept over a restart, or be those of other nodes.
 *
 * <p>Only who was found is counted, so that keys that do not exist take neither memory nor what is
 * somebody else's. All threads may share one instance.
 */
public interface RateLimits {

  /** Lets everybody through. */
  RateLimits NONE =
      new RateLimits() {
        @Override
        public Optional<Excess> take(Subject subject, KeyHash key) {
          return Optional.empty();
        }

        @Override
        public Optional<Excess> known(KeyHash key) {
          return Optional.empty();
        }
      };

  /**
   * Counts a request, if there is room for it.
   *
   * @param key by which the subject was found just now
   * @return empty if it may go on
   */
  Optional<Excess> take(Subject subject, KeyHash key);

  /**
   * What {@link #take} would say of a request with this key, if it turned the last one away and
   * would do so again. Counts nothing, and knows no key of whom there is room for. It may take a
   * key for good that has ended since, but not for longer than until there is room.
   */
  Optional<Excess> known(KeyHash key);

  /** Whose requests are counted together. */
  record Subject(Kind kind, TenantId tenantId, UUID id) {
    public Subject {
      Objects.requireNonNull(kind, "kind");
      Objects.requireNonNull(tenantId, "tenantId");
      Objects.requireNonNull(id, "id");
    }

    public static Subject of(TenantId tenantId, ApplicationId id) {
      return new Subject(Kind.APPLICATION, tenantId, id.value());
    }

    /** Those who call a proxy without a key, all together. */
    public static Subject of(TenantId tenantId, ProxyId id) {
      return new Subject(Kind.ANONYMOUS_PROXY, tenantId, id.value());
    }
  }

  /** What there are limits for. */
  enum Kind {
    APPLICATION,
    ANONYMOUS_PROXY
  }

  /**
   * A request too many.
   *
   * @param retryAfter until there is room for one; more than nothing
   * @param isNews whether it is to be recorded: for one request of each subject in a minute
   */
  record Excess(Subject subject, Duration retryAfter, boolean isNews) {
    public Excess {
      Objects.requireNonNull(subject, "subject");
      Objects.requireNonNull(retryAfter, "retryAfter");
    }
  }
}
