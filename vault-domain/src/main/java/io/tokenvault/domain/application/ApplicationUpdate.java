package io.tokenvault.domain.application;

import io.tokenvault.domain.access.AccessPolicyDraft;
import io.tokenvault.domain.access.GrantLimits;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.permission.ApplicationType;
import io.tokenvault.domain.tenant.ResourceName;
import java.util.Objects;
import java.util.Optional;

/** The new settings of an application as a client wrote them; any part may be null or wrong. */
public record ApplicationUpdate(String name, AccessPolicyDraft policy, Boolean canCreateExpiring) {

  public ApplicationUpdate {
    policy = Objects.requireNonNullElseGet(policy, AccessPolicyDraft::empty);
  }

  /** Notes everything that is wrong for an application of this type. */
  public void check(ApplicationType type, Violations violations) {
    ResourceName.check(name, violations);
    if (policy.permissions() != null && policy.permissions().isEmpty()) {
      violations.add("permissions", "must not be empty; leave it out to grant none");
    }
    policy.check(GrantLimits.of(type), violations);
    ApplicationDraft.checkDelegation(type, canCreateExpiring, violations);
  }

  /** Only for an update that was checked. */
  public ApplicationSettings toSettings() {
    return new ApplicationSettings(
        new ResourceName(name), policy.toPolicy(), Optional.ofNullable(canCreateExpiring));
  }

  /** Nothing: what a client wrote by mistake can be secret. */
  @Override
  public String toString() {
    return "ApplicationUpdate[redacted]";
  }
}
