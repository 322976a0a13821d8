package io.tokenvault.domain.application;

import io.tokenvault.domain.access.AccessPolicy;
import io.tokenvault.domain.access.AccessPolicyDraft;
import io.tokenvault.domain.access.ApplicationType;
import io.tokenvault.domain.access.GrantLimits;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.request.UnchangedFields;
import io.tokenvault.domain.tenant.ResourceName;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * New settings of an application as a client wrote them; any part may be null or invalid.
 *
 * @param unchanged read-only properties that the client sent back
 */
public record ApplicationUpdate(
    String name, AccessPolicyDraft policy, Boolean canCreateExpiring, UnchangedFields unchanged) {

  public ApplicationUpdate {
    policy = Objects.requireNonNullElseGet(policy, AccessPolicyDraft::empty);
    Objects.requireNonNull(unchanged, "unchanged");
  }

  /** Creates an update without read-only properties. */
  public ApplicationUpdate(String name, AccessPolicyDraft policy, Boolean canCreateExpiring) {
    this(name, policy, canCreateExpiring, UnchangedFields.NONE);
  }

  /**
   * Returns the new settings of an application, or adds a violation for everything invalid.
   *
   * @param violations may contain violations already found elsewhere in the request
   * @return empty if there is any violation
   */
  public Optional<ApplicationSettings> parse(Application known, Violations violations) {
    Optional<ApplicationSettings> settings = parse(known.type(), violations);
    Map<String, Object> stored = known.provenance().creation();
    stored.put("id", known.id().value());
    stored.put("tenant_id", known.tenantId().value());
    stored.put("type", known.type().value());
    known.expiresAt().ifPresent(end -> stored.put("expires_at", end));
    unchanged.check(stored, violations);
    return settings.filter(valid -> violations.isEmpty());
  }

  /** Parses everything except read-only properties. */
  Optional<ApplicationSettings> parse(ApplicationType type, Violations violations) {
    ResourceName.check(name, violations);
    Optional<AccessPolicy> granted = policy.parse(GrantLimits.of(type), violations);
    ApplicationDraft.checkDelegation(type, canCreateExpiring, violations);
    return granted
        .filter(valid -> violations.isEmpty())
        .map(valid -> ApplicationDraft.settings(name, valid, canCreateExpiring));
  }

  /** Returns no content, because an invalid request can contain secrets by mistake. */
  @Override
  public String toString() {
    return "ApplicationUpdate[redacted]";
  }
}
