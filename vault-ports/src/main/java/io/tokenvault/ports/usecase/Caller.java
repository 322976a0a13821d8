package io.tokenvault.ports.usecase;

import io.tokenvault.domain.access.Authority;
import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.audit.Actor;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.permission.Permission;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.spi.KeyHash;
import io.tokenvault.ports.spi.Loaded.LoadedCaller;
import io.tokenvault.ports.spi.TenantKeys;
import io.tokenvault.ports.spi.Versions;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * An application whose key was checked for this request. Made by {@link Gate} only; good for one
 * request, since rights may change before the next.
 */
public final class Caller {

  private final LoadedCaller loaded;
  private final List<KeyHash> keyHashes;
  private final Instant now;

  Caller(LoadedCaller loaded, List<KeyHash> keyHashes, Instant now) {
    this.loaded = loaded;
    this.keyHashes = List.copyOf(keyHashes);
    this.now = now;
  }

  public Application application() {
    return loaded.application();
  }

  public TenantId tenantId() {
    return application().tenantId();
  }

  public boolean may(Permission permission) {
    return authority().grants(permission);
  }

  Authority authority() {
    return loaded.authority();
  }

  /**
   * @throws RefusedException if the tenant was shredded
   */
  TenantKeys keys() {
    if (loaded.keys().areDestroyed()) {
      throw RefusedException.tenantShredded();
    }
    return loaded.keys();
  }

  /** Where the operator lets the tenant's tokens go. */
  TenantEgress egress() {
    return loaded.egress();
  }

  /** By which the same caller is found again. */
  List<KeyHash> keyHashes() {
    return keyHashes;
  }

  /** The store's clock when the key was checked. */
  Instant now() {
    return now;
  }

  UUID id() {
    return application().id().value();
  }

  Optional<UUID> optionalId() {
    return Optional.of(id());
  }

  Actor actor() {
    return Actor.application(application().id());
  }

  /** What every decision about this caller is based on. */
  Versions versions() {
    Versions own = Versions.none(tenantId()).with(application());
    return loaded.delegator().map(own::with).orElse(own);
  }

  /** The same, where tokens go to a destination. */
  Versions versionsOfUse() {
    return versions().with(egress());
  }

  /**
   * The same, where something of the tenant is going to be opened.
   *
   * @throws RefusedException if the tenant was shredded
   */
  Versions versionsWithKeys() {
    keys();
    return versions().withKeys();
  }

  @Override
  public String toString() {
    return "Caller[" + application().id() + "]";
  }
}
