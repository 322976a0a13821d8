package io.tokenvault.domain.application;

import io.tokenvault.domain.access.AccessPolicy;
import io.tokenvault.domain.access.AccessPolicyDraft;
import io.tokenvault.domain.access.ApplicationType;
import io.tokenvault.domain.access.Authority;
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
 * A new application as a client wrote it; any part may be null or invalid. {@link #parse} returns a
 * valid draft or all violations.
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
   * A draft without violations.
   *
   * @param expiresAt present for an expiring application only
   * @param delegatedBy the application that creates this expiring one and limits its permissions
   */
  public record Valid(
      ApplicationType type,
      ApplicationSettings settings,
      Optional<Instant> expiresAt,
      Optional<ApplicationId> delegatedBy) {}

  /**
   * Returns the valid draft of an application of any type, or adds a violation for everything
   * invalid.
   *
   * @param now by the database's clock
   * @param violations may contain violations already found elsewhere in the request
   * @return empty if there is any violation
   */
  public Optional<Valid> parse(Instant now, Violations violations) {
    return parse(now, permission -> true, Optional.empty(), violations);
  }

  /**
   * Returns the valid draft of an application whose creator may create only expiring ones, with
   * permissions that it holds itself. Otherwise as {@link #parse}.
   *
   * @param creator the application that creates it
   * @param held the current permissions of the creator
   */
  public Optional<Valid> parseDelegated(
      Instant now, ApplicationId creator, Authority held, Violations violations) {
    return parse(now, held::grants, Optional.of(creator), violations);
  }

  private Optional<Valid> parse(
      Instant now,
      Predicate<Permission> grantable,
      Optional<ApplicationId> delegatedBy,
      Violations violations) {
    ResourceName.check(name, violations);
    Optional<ApplicationType> known = Optional.ofNullable(type).flatMap(ApplicationType::of);
    violations.checkRequired(
        "type",
        type,
        given -> known.isPresent(),
        unknown -> ShownName.noneOf(ApplicationType.choices(), unknown));
    Optional<AccessPolicy> granted = policy.parse(new GrantLimits(known, grantable), violations);
    known.ifPresent(
        present -> {
          checkDelegation(present, canCreateExpiring, violations);
          checkExpiry(present, now, violations);
        });
    if (delegatedBy.isPresent() && type != null && !ApplicationType.EXPIRING.value().equals(type)) {
      violations.add("type", "must be expiring; this API key cannot create other types");
    }
    return granted
        .filter(valid -> violations.isEmpty())
        .flatMap(valid -> known.map(present -> valid(present, valid, now, delegatedBy)));
  }

  private Valid valid(
      ApplicationType present,
      AccessPolicy granted,
      Instant now,
      Optional<ApplicationId> delegatedBy) {
    Optional<Instant> end =
        present == ApplicationType.EXPIRING
            ? Optional.of(Objects.requireNonNullElse(expiresAt, now.plus(DEFAULT_LIFETIME)))
            : Optional.empty();
    return new Valid(present, settings(name, granted, canCreateExpiring), end, delegatedBy);
  }

  static ApplicationSettings settings(String name, AccessPolicy policy, Boolean canCreateExpiring) {
    return new ApplicationSettings(
        new ResourceName(name), policy, Optional.ofNullable(canCreateExpiring));
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

  /** Returns no content, because an invalid request can contain secrets by mistake. */
  @Override
  public String toString() {
    return "ApplicationDraft[redacted]";
  }
}
