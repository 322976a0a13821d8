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
import io.tokenvault.ports.usecase.authorization.InvocationDisclosure;
import java.util.Optional;

/**
 * A proxy invocation that may proceed: its caller may use tokens, or its proxy requires no key.
 * Only {@link ProxyInvocations} creates instances; each is valid for one request.
 */
public final class Admission implements InvokedProxy {

  private final Optional<Caller> caller;
  private final Optional<LoadedProxy> proxy;
  private final ProxyCipher proxyCipher;
  private final InvocationDisclosure disclosure = new InvocationDisclosure();

  private final LookupRequest identity;
  private boolean provisional;

  /**
   * Creates an admission.
   *
   * @param identity the look-up by which caller and proxy were found
   * @param provisional whether that look-up was served from the cache
   */
  Admission(
      Optional<Caller> caller,
      Optional<LoadedProxy> proxy,
      ProxyCipher proxyCipher,
      LookupRequest identity,
      boolean provisional) {
    this.caller = caller;
    this.proxy = proxy;
    this.proxyCipher = proxyCipher;
    this.identity = identity;
    this.provisional = provisional;
  }

  /**
   * Returns whether the admission is based on cached data that {@link ProxyInvocations#begin} has
   * not confirmed yet. While it is, any failure means that everything must be decided again with
   * {@link ProxyInvocations#readmit}.
   */
  public boolean isProvisional() {
    return caller.map(Caller::isProvisional).orElse(provisional);
  }

  /** Returns the look-up that finds caller and proxy again. */
  LookupRequest identity() {
    return identity;
  }

  /** Ends the provisional state: entries were recorded, or it is unknown whether they were. */
  void endProvisional() {
    caller.ifPresent(Caller::endProvisional);
    provisional = false;
  }

  /** Returns the subject of the rate limit: the caller, or the proxy for an anonymous caller. */
  public Subject subject() {
    return caller
        .map(Caller::subject)
        .or(() -> proxy().map(anonymous -> Subject.of(anonymous.tenantId(), anonymous.id())))
        .orElseThrow();
  }

  /** Returns true only for a caller with an API key. */
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
        .map(LoadedProxy::proxy)
        .filter(stored -> stored.transforms().containsKey(kind))
        .map(stored -> new ProxyTransform(stored, kind, this::keys, proxyCipher));
  }

  @Override
  public SensitiveValue configuration() {
    return proxyCipher.decryptConfiguration(keys(), proxy.orElseThrow().proxy());
  }

  /**
   * Returns the keys that decrypt the proxy's fields.
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

  /** Returns the tokens revealed to the invocation. */
  InvocationDisclosure disclosure() {
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

  /**
   * Returns the preconditions on the proxy, and on the tenant's keys if they decrypt its
   * transforms.
   */
  Preconditions proxyVersions() {
    Preconditions none = Preconditions.none(tenantId());
    Preconditions decided = proxy().map(none::with).orElse(none);
    return opensTransforms() ? decided.withKeys() : decided;
  }

  /** Returns the preconditions of a decision to send data, for this user of tokens if any. */
  Preconditions versionsOfUse(Optional<Caller> user) {
    return user.map(caller -> caller.versionsOfUse().and(proxyVersions()))
        .orElseGet(this::proxyVersions);
  }

  private boolean opensTransforms() {
    return proxy
        .filter(loaded -> !loaded.proxy().transforms().isEmpty())
        .filter(loaded -> !loaded.keys().areDestroyed())
        .isPresent();
  }
}
