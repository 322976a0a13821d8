package io.tokenvault.domain.application;

import io.tokenvault.domain.access.AccessPolicy;
import io.tokenvault.domain.access.ApplicationType;
import io.tokenvault.domain.tenant.Provenance;
import io.tokenvault.domain.tenant.TenantId;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * An API client, the holder of an API key (interface, section 2). The key itself is not part of it.
 *
 * @param expiresAt present on expiring applications only
 * @param delegatedBy the private application that created this expiring one and limits its
 *     permissions; empty for all others
 * @param version incremented by every change, including one of the key
 */
public record Application(
    ApplicationId id,
    TenantId tenantId,
    ApplicationType type,
    ApplicationSettings settings,
    Optional<Instant> expiresAt,
    Optional<ApplicationId> delegatedBy,
    Provenance provenance,
    long version) {

  public Application {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(tenantId, "tenantId");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(settings, "settings");
    Objects.requireNonNull(expiresAt, "expiresAt");
    Objects.requireNonNull(delegatedBy, "delegatedBy");
    Objects.requireNonNull(provenance, "provenance");
  }

  /**
   * Creates an application at version 1.
   *
   * @param createdBy empty if a command creates it
   * @param now by the database's clock
   */
  public static Application create(
      ApplicationId id,
      TenantId tenantId,
      ApplicationDraft.Valid draft,
      Optional<UUID> createdBy,
      Instant now) {
    return new Application(
        id,
        tenantId,
        draft.type(),
        draft.settings(),
        draft.expiresAt(),
        draft.delegatedBy(),
        Provenance.created(createdBy, now),
        1);
  }

  /** Returns this application with other settings, at the next version. */
  public Application update(ApplicationSettings changed, Optional<UUID> by, Instant now) {
    return new Application(
        id,
        tenantId,
        type,
        changed,
        expiresAt,
        delegatedBy,
        provenance.modified(by, now),
        version + 1);
  }

  /** Returns this application after its key was replaced, which is a change: the next version. */
  public Application regenerate(Optional<UUID> by, Instant now) {
    return update(settings, by, now);
  }

  /** Returns whether its keys are invalid because its end is now or has passed. */
  public boolean isExpired(Instant now) {
    return expiresAt.isPresent() && !expiresAt.get().isAfter(now);
  }

  public AccessPolicy policy() {
    return settings.policy();
  }

  /** Returns whether it may create expiring applications without {@code application:create}. */
  public boolean mayDelegate() {
    return type == ApplicationType.PRIVATE && settings.canCreateExpiring().orElse(false);
  }
}
