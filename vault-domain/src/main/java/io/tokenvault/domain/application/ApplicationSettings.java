package io.tokenvault.domain.application;

import io.tokenvault.domain.access.AccessPolicy;
import io.tokenvault.domain.tenant.ResourceName;
import java.util.Objects;
import java.util.Optional;

/**
 * The properties of an application that an update replaces.
 *
 * @param canCreateExpiring whether a private application may create expiring ones; empty if it was
 *     never specified
 */
public record ApplicationSettings(
    ResourceName name, AccessPolicy policy, Optional<Boolean> canCreateExpiring) {
  public ApplicationSettings {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(policy, "policy");
    Objects.requireNonNull(canCreateExpiring, "canCreateExpiring");
  }
}
