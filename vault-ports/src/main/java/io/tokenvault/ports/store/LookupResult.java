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
 * The records that {@link RequestLookup} found, all from one snapshot.
 *
 * @param now the store's clock
 * @param caller the application with the key, or the one that acts without a key, even if it has
 *     expired
 * @param proxy the proxy with the proxy key, of any tenant
 * @param tokens the tokens that exist in the caller's tenant and have not expired
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

  /** Returns the total size of the tokens, as {@link StoredToken#size} measures it. */
  public long size() {
    return tokens.values().stream().mapToLong(StoredToken::size).sum();
  }

  /**
   * The application that a key belongs to.
   *
   * @param expired whether its {@code expires_at} or the end of the matched key has passed
   * @param delegator the application that created it, if that limits its permissions and still
   *     exists
   * @param keys the tenant's keys
   * @param egress the tenant's egress policy
   * @param matched the hash by which it was found; empty if it was not looked up by a key
   * @param keyEnds the end of the matched key, if that is an earlier key in its grace period; it
   *     changes only together with the version of the application
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

    /**
     * Returns the current permissions of the application, limited by those of its creator. If the
     * creator no longer exists, nothing is permitted.
     */
    public Authority authority() {
      Authority own = Authority.of(application.policy());
      return application.delegatedBy().isEmpty()
          ? own
          : own.limitedBy(delegator.map(Application::policy).orElseGet(AccessPolicy::none));
    }
  }

  /**
   * A proxy and the keys of its tenant.
   *
   * @param keys the keys that decrypt its fields
   * @param matched the hash by which it was found
   */
  public record LoadedProxy(StoredProxy proxy, TenantKeys keys, KeyHash matched) {
    public LoadedProxy {
      Objects.requireNonNull(proxy, "proxy");
      Objects.requireNonNull(keys, "keys");
      Objects.requireNonNull(matched, "matched");
    }
  }
}
