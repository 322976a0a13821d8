package io.tokenvault.ports.usecase.authorization;

import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.Authority;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.audit.Actor;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.runtime.RateLimits.Subject;
import io.tokenvault.ports.store.LookupRequest;
import io.tokenvault.ports.store.LookupResult.LoadedCaller;
import io.tokenvault.ports.store.Preconditions;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * An application whose key was checked for this request. Made by {@link Authenticator} only; good
 * for one request, since rights may change before the next.
 */
public final class Caller implements AuthenticatedCaller {

  private final LoadedCaller loaded;
  private final LookupRequest identity;
  private final Bounds bounds;
  private final Instant now;
  private final DecisionState standing;

  /**
   * @param identity by which the same caller is found again
   * @param standing provisional if this may be outdated
   */
  Caller(
      LoadedCaller loaded,
      LookupRequest identity,
      Bounds bounds,
      Instant now,
      DecisionState standing) {
    this.loaded = loaded;
    this.identity = identity;
    this.bounds = bounds;
    this.now = now;
    this.standing = standing;
  }

  /**
   * What bounds an application that acts without its key, beyond its own rights.
   *
   * @param towards where what it sees could go; empty if it goes to whoever asks
   * @param ceiling the most that it is shown; empty if that is not bounded
   */
  public record Bounds(
      Optional<RevealedTokens.Towards> towards, Optional<AccessTransform> ceiling) {
    public static final Bounds NONE = new Bounds(Optional.empty(), Optional.empty());
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

  public Authority authority() {
    Authority own = loaded.authority();
    return bounds.ceiling().map(own::atMost).orElse(own);
  }

  /**
   * @throws RefusedException if the tenant was shredded
   */
  public TenantKeys keys() {
    if (loaded.keys().areDestroyed()) {
      throw RefusedException.tenantShredded();
    }
    return loaded.keys();
  }

  /** Where the operator lets the tenant's tokens go. */
  public TenantEgress egress() {
    return loaded.egress();
  }

  Bounds bounds() {
    return bounds;
  }

  /** The invocation that this caller is part of; empty if it is none's. */
  public Optional<RevealedTokens.Towards> towards() {
    return bounds.towards();
  }

  /** Finds the same caller again. */
  public LookupRequest identity() {
    return identity;
  }

  /** The same, and tokens of its tenant. */
  public LookupRequest with(Set<TokenId> tokens) {
    return new LookupRequest(identity.apiKey(), identity.acting(), List.of(), tokens);
  }

  /** The store's clock when the key was checked. */
  public Instant now() {
    return now;
  }

  /** Returns whether what is decided about this caller may be outdated. */
  public DecisionState standing() {
    return standing;
  }

  @Override
  public Subject subject() {
    return Subject.of(tenantId(), application().id());
  }

  public UUID id() {
    return application().id().value();
  }

  public Optional<UUID> optionalId() {
    return Optional.of(id());
  }

  public Actor actor() {
    return Actor.application(application().id());
  }

  /** What every decision about this caller is based on. */
  public Preconditions versions() {
    Preconditions unbounded = Preconditions.none(tenantId()).with(application());
    Preconditions own = loaded.keyEnds().map(unbounded::until).orElse(unbounded);
    Preconditions decided = loaded.delegator().map(own::with).orElse(own);
    return bounds.towards().map(unused -> decided.with(egress())).orElse(decided);
  }

  /** The same, where tokens go to a destination. */
  public Preconditions versionsOfUse() {
    return versions().with(egress());
  }

  /**
   * The same, where something of the tenant is going to be opened.
   *
   * @throws RefusedException if the tenant was shredded
   */
  public Preconditions versionsWithKeys() {
    keys();
    return versions().withKeys();
  }

  @Override
  public String toString() {
    return "Caller[" + application().id() + "]";
  }
}
