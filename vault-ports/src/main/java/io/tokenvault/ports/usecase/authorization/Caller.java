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
 * An application whose key was verified for this request. Only {@link Authenticator} creates
 * instances; each is valid for one request, since permissions may change before the next. Not
 * thread-safe.
 */
public final class Caller implements AuthenticatedCaller {

  private final LoadedCaller loaded;
  private final LookupRequest identity;
  private final Bounds bounds;
  private final Instant now;
  private boolean provisional;

  /**
   * Creates a caller.
   *
   * @param identity the look-up that finds it again
   * @param provisional whether the data is cached and may be outdated
   */
  Caller(
      LoadedCaller loaded,
      LookupRequest identity,
      Bounds bounds,
      Instant now,
      boolean provisional) {
    this.loaded = loaded;
    this.identity = identity;
    this.bounds = bounds;
    this.now = now;
    this.provisional = provisional;
  }

  /**
   * Limits on an application in addition to its own permissions: one that acts without its key, or
   * one whose requests arrive where no plaintext is returned.
   *
   * @param target the destination to which data that it sees could be sent; empty if it is returned
   *     to the requester
   * @param ceiling the strongest transform under which it sees data; empty for no limit
   */
  public record Bounds(
      Optional<InvocationDisclosure.Target> target, Optional<AccessTransform> ceiling) {
    public static final Bounds NONE = new Bounds(Optional.empty(), Optional.empty());

    /** Responses show at most masks, whatever the permissions allow. */
    public static final Bounds MASKED =
        new Bounds(Optional.empty(), Optional.of(AccessTransform.MASK));
  }

  public Application application() {
    return loaded.application();
  }

  public TenantId tenantId() {
    return application().tenantId();
  }

  /** Returns whether a permission is granted on any token or resource at all. */
  public boolean may(Permission permission) {
    return authority().grants(permission);
  }

  /** Returns the current permissions, limited by the creator's and by the ceiling. */
  public Authority authority() {
    Authority own = loaded.authority();
    return bounds.ceiling().map(own::atMost).orElse(own);
  }

  /**
   * Returns the keys of the tenant.
   *
   * @throws RefusedException if the tenant was shredded
   */
  public TenantKeys keys() {
    if (loaded.keys().areDestroyed()) {
      throw RefusedException.tenantShredded();
    }
    return loaded.keys();
  }

  /** Returns the egress policy of the tenant. */
  public TenantEgress egress() {
    return loaded.egress();
  }

  Bounds bounds() {
    return bounds;
  }

  /**
   * Returns the destination and disclosure of the invocation that this caller is part of, if any.
   */
  public Optional<InvocationDisclosure.Target> target() {
    return bounds.target();
  }

  /** Returns the look-up that finds this caller again. */
  public LookupRequest identity() {
    return identity;
  }

  /** Returns the look-up of this caller and of tokens of its tenant. */
  public LookupRequest with(Set<TokenId> tokens) {
    return new LookupRequest(identity.apiKey(), identity.acting(), List.of(), tokens);
  }

  /** Returns the store's clock when the key was checked. */
  public Instant now() {
    return now;
  }

  /**
   * Returns whether this caller is based on cached data that was not confirmed yet. While it is,
   * decisions about it may be recorded only on condition of their versions, and all of them may be
   * repeated.
   */
  public boolean isProvisional() {
    return provisional;
  }

  /**
   * Ends the provisional state: entries were recorded, or it is unknown whether they were. Nothing
   * is repeated after that.
   */
  public void endProvisional() {
    provisional = false;
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

  /** Returns the preconditions of every decision about this caller. */
  public Preconditions versions() {
    Preconditions unbounded = Preconditions.none(tenantId()).with(application());
    Preconditions own = loaded.keyEnds().map(unbounded::until).orElse(unbounded);
    Preconditions decided = loaded.delegator().map(own::with).orElse(own);
    return bounds.target().map(unused -> decided.with(egress())).orElse(decided);
  }

  /** Returns the preconditions of a decision to send tokens to a destination. */
  public Preconditions versionsOfUse() {
    return versions().with(egress());
  }

  /**
   * Returns the preconditions of a decision to decrypt data of the tenant.
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
