package io.tokenvault.ports.store;

import io.tokenvault.domain.access.AccessPolicy;
import io.tokenvault.domain.access.Authority;
import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.store.model.StoredProxy;
import io.tokenvault.ports.store.model.StoredToken;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What {@link RequestLookup} found, all of it as of one moment.
 *
 * @param now the store's clock
 * @param caller the application with the key, or the one that acts without, even if it has expired
 * @param proxy the proxy with the proxy key, of whichever tenant
 * @param tokens those that exist in the caller's tenant and have not expired
 */
public record LookupResult(
    Instant now,
    Optional<LoadedCaller> caller,
    Optional<LoadedProxy> proxy,
    Map<TokenId, StoredToken> tokens) {

  public LookupResult {
    Objects.requireNonNull(now, "now");
    Objects.requireNonNull(caller, "caller");
    Objects.requireNonNull(proxy, "proxy");
    tokens = Map.copyOf(tokens);
  }

  /** Of all tokens together. */
  public long size() {
    return tokens.values().stream().mapToLong(StoredToken::size).sum();
  }

  /**
   * The application that a key belongs to.
   *
   * @param expired whether its {@code expires_at} has come, or the end of the key that it was found
   *     by
   * @param delegator the application that made it, if that bounds it and still exists
   * @param keys the tenant's keys
   * @param egress where the operator lets the tenant's tokens go
   * @param matched the hash that it was found by; empty if it was not looked for by a key
   * @param keyEnds when the key that it was found by ends, if that is an earlier key in its time of
   *     grace; only another version of the application changes it
   */
  public record LoadedCaller(
      Application application,
      boolean expired,
      Optional<Application> delegator,
      TenantKeys keys,
      TenantEgress egress,
      Optional<KeyHash> matched,
      Optional<Instant> keyEnds) {

    public LoadedCaller {
      Objects.requireNonNull(application, "application");
      Objects.requireNonNull(delegator, "delegator");
      Objects.requireNonNull(keys, "keys");
      Objects.requireNonNull(egress, "egress");
      Objects.requireNonNull(matched, "matched");
      Objects.requireNonNull(keyEnds, "keyEnds");
    }

    /** By a key that does not end, or by none. */
    public LoadedCaller(
        Application application,
        boolean expired,
        Optional<Application> delegator,
        TenantKeys keys,
        TenantEgress egress,
        Optional<KeyHash> matched) {
      this(application, expired, delegator, keys, egress, matched, Optional.empty());
    }

    /** What the application may do now. */
    public Authority authority() {
      Optional<AccessPolicy> bound =
          application
              .delegatedBy()
              .map(unused -> delegator.map(Application::policy).orElseGet(AccessPolicy::none));
      return new Authority(application.policy(), bound);
    }
  }

  /**
   * A proxy and the keys of its tenant.
   *
   * @param keys the keys that its sealed fields open with
   * @param matched the hash that it was found by
   */
  public record LoadedProxy(StoredProxy proxy, TenantKeys keys, KeyHash matched) {
    public LoadedProxy {
      Objects.requireNonNull(proxy, "proxy");
      Objects.requireNonNull(keys, "keys");
      Objects.requireNonNull(matched, "matched");
    }
  }
}
