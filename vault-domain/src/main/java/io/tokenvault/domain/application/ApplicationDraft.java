package io.tokenvault.domain.application;

import io.tokenvault.domain.access.AccessPolicyDraft;
import io.tokenvault.domain.access.ApplicationType;
import io.tokenvault.domain.access.GrantLimits;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.failure.ShownName;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.tenant.ResourceName;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A new application as a client wrote it; any part may be null or invalid. Call {@link #check}
 * before the methods that convert it.
 *
 * @param expiresAt null for the default of one minute from now, and for other types than expiring
 * @param canCreateExpiring null for other types than private
 */
public record ApplicationDraft(
    String name,
    String type,
    AccessPolicyDraft policy,
    Instant expiresAt,
    Boolean canCreateExpiring) {

  /** The maximum lifetime of an expiring application (interface, section 8). */
  public static final Duration MAX_LIFETIME = Duration.ofDays(1);

  public static final Duration DEFAULT_LIFETIME = Duration.ofMinutes(1);

  public ApplicationDraft {
    policy = Objects.requireNonNullElseGet(policy, AccessPolicyDraft::empty);
  }

  /**
   * Adds a violation for everything invalid.
   *
   * @param now by the database's clock
   * @param grantable accepts the permissions that the creator may pass on
   */
  public void check(Instant now, Predicate<Permission> grantable, Violations violations) {
    ResourceName.check(name, violations);
    Optional<ApplicationType> known = Optional.ofNullable(type).flatMap(ApplicationType::of);
    if (type == null) {
      violations.add("type", "is required");
    } else if (known.isEmpty()) {
      violations.add("type", ShownName.noneOf(ApplicationType.choices(), type));
    }
    policy.check(new GrantLimits(known, grantable), violations);
    known.ifPresent(
        present -> {
          checkDelegation(present, canCreateExpiring, violations);
          checkExpiry(present, now, violations);
        });
  }

  static void checkDelegation(ApplicationType type, Boolean flag, Violations violations) {
    if (flag != null && type != ApplicationType.PRIVATE) {
      violations.add("can_create_expiring_applications", "is for private applications only");
    }
  }

  private void checkExpiry(ApplicationType type, Instant now, Violations violations) {
    if (expiresAt == null) {
      return;
    }
    if (type != ApplicationType.EXPIRING) {
      violations.add("expires_at", "is for expiring applications only");
    } else if (!expiresAt.isAfter(now) || expiresAt.isAfter(now.plus(MAX_LIFETIME))) {
      violations.add("expires_at", "must be in the future and at most one day from now");
    }
  }

  /** Returns the type of a valid draft. */
  public ApplicationType knownType() {
    return ApplicationType.of(type).orElseThrow();
  }

  /** Returns the expiry of a valid draft; empty unless it is an expiring application. */
  public Optional<Instant> expiry(Instant now) {
    return knownType() == ApplicationType.EXPIRING
        ? Optional.of(Optional.ofNullable(expiresAt).orElseGet(() -> now.plus(DEFAULT_LIFETIME)))
        : Optional.empty();
  }

  /** Converts a valid draft. */
  public ApplicationSettings toSettings() {
    return new ApplicationSettings(
        new ResourceName(name), policy.toPolicy(), Optional.ofNullable(canCreateExpiring));
  }

  /** Returns no content, because an invalid request can contain secrets by mistake. */
  @Override
  public String toString() {
    return "ApplicationDraft[redacted]";
  }
}
