package io.tokenvault.ports.usecase.proxy;

import io.tokenvault.domain.audit.Actor;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.proxy.Proxy;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.runtime.RateLimits.Subject;
import io.tokenvault.ports.store.LookupRequest;
import io.tokenvault.ports.store.LookupResult.LoadedProxy;
import io.tokenvault.ports.store.Preconditions;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.DecisionState;
import io.tokenvault.ports.usecase.authorization.RevealedTokens;
import java.util.Optional;

/**
 * A proxy invocation that may go on: somebody may use tokens, or a proxy lets anybody in. Made by
 * {@link ProxyInvocations} only; good for one request.
 */
public final class Admission implements InvokedProxy {

  private final Optional<Caller> caller;
  private final Optional<LoadedProxy> proxy;
  private final ProxyCipher seals;
  private final RevealedTokens disclosure = new RevealedTokens();

  private final LookupRequest identity;
  private final DecisionState standing;

  /**
   * @param identity by which caller and proxy were found
   */
  Admission(
      Optional<Caller> caller,
      Optional<LoadedProxy> proxy,
      ProxyCipher seals,
      LookupRequest identity,
      DecisionState standing) {
    this.caller = caller;
    this.proxy = proxy;
    this.seals = seals;
    this.identity = identity;
    this.standing = standing;
  }

  /**
   * Whether it came from memory and was not confirmed yet by {@link ProxyInvocations#begin}. A
   * failure of whatever kind means then that all is to be decided anew, on {@link
   * ProxyInvocations#admitAnew}.
   */
  public boolean isProvisional() {
    return standing.isProvisional();
  }

  /** Finds the same caller and proxy again. */
  LookupRequest identity() {
    return identity;
  }

  DecisionState standing() {
    return standing;
  }

  /** Whose requests are counted together with this one: the caller's, or the proxy's. */
  public Subject subject() {
    return caller
        .map(Caller::subject)
        .or(() -> proxy().map(anonymous -> Subject.of(anonymous.tenantId(), anonymous.id())))
        .orElseThrow();
  }

  /** Returns true for a caller with a key only. */
  @Override
  public boolean mayUseTokens() {
    return caller.isPresent();
  }

  @Override
  public Optional<Proxy> proxy() {
    return proxy.map(loaded -> loaded.proxy().proxy());
  }

  @Override
  public Optional<ProxyTransform> transform(TransformKind kind) {
    return proxy
        .filter(loaded -> loaded.proxy().transforms().containsKey(kind))
        .map(this::transforms)
        .flatMap(transforms -> transforms.get(kind));
  }

  @Override
  public SensitiveValue configuration() {
    return proxy.map(this::transforms).map(StoredTransforms::configuration).orElseThrow();
  }

  private StoredTransforms transforms(LoadedProxy loaded) {
    return new StoredTransforms(loaded.proxy(), this::keys, seals);
  }

  /**
   * With which the proxy's fields open.
   *
   * @throws RefusedException if the tenant was shredded
   */
  TenantKeys keys() {
    TenantKeys keys = proxy.orElseThrow().keys();
    if (keys.areDestroyed()) {
      throw RefusedException.tenantShredded();
    }
    return keys;
  }

  /** The tokens that the invocation has seen. */
  RevealedTokens disclosure() {
    return disclosure;
  }

  public Optional<Caller> caller() {
    return caller;
  }

  TenantId tenantId() {
    return caller.map(Caller::tenantId).or(() -> proxy().map(Proxy::tenantId)).orElseThrow();
  }

  Actor actor() {
    return caller.map(Caller::actor).orElseGet(Actor::anonymous);
  }

  /** With the tenant's keys, where they open what the proxy runs. */
  Preconditions proxyVersions() {
    Preconditions none = Preconditions.none(tenantId());
    Preconditions decided = proxy().map(none::with).orElse(none);
    return opensTransforms() ? decided.withKeys() : decided;
  }

  private boolean opensTransforms() {
    return proxy
        .filter(loaded -> !loaded.proxy().transforms().isEmpty())
        .filter(loaded -> !loaded.keys().areDestroyed())
        .isPresent();
  }
}
