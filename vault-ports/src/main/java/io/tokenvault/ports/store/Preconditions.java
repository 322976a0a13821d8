package io.tokenvault.ports.store;

import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.proxy.Proxy;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.crypto.TenantKeys;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The revisions that a decision depends on.
 *
 * <p>The decision is still valid if each record exists at its version and has not expired, and the
 * key that authenticated the caller has not ended. Instances are immutable; methods return copies
 * with added preconditions.
 *
 * @param tenantId the tenant of all records
 * @param applications expected versions of applications
 * @param proxies expected versions of proxies
 * @param tokens expected versions of tokens
 * @param egress the expected version of the {@link TenantEgress}, if the decision depends on it
 * @param keys whether the tenant must still have its keys
 * @param keyCount the expected number of keys, if a newer one matters; keys are only added, or all
 *     destroyed
 * @param until the end of the caller's key, exclusive and by the store's clock, if it has one
 */
public record Preconditions(
    TenantId tenantId,
    Map<ApplicationId, Long> applications,
    Map<ProxyId, Long> proxies,
    Map<TokenId, Long> tokens,
    Optional<Long> egress,
    boolean keys,
    Optional<Integer> keyCount,
    Optional<Instant> until) {

  public Preconditions {
    Objects.requireNonNull(tenantId, "tenantId");
    applications = Map.copyOf(applications);
    proxies = Map.copyOf(proxies);
    tokens = Map.copyOf(tokens);
    Objects.requireNonNull(egress, "egress");
    Objects.requireNonNull(keyCount, "keyCount");
    Objects.requireNonNull(until, "until");
  }

  /** Returns preconditions that always hold. */
  public static Preconditions none(TenantId tenantId) {
    return new Preconditions(
        tenantId,
        Map.of(),
        Map.of(),
        Map.of(),
        Optional.empty(),
        false,
        Optional.empty(),
        Optional.empty());
  }

  /** Returns preconditions that also depend on an application's version. */
  public Preconditions with(Application application) {
    return with(Map.of(application.id(), application.version()), Map.of(), Map.of());
  }

  /** Returns preconditions that also depend on a proxy's version. */
  public Preconditions with(Proxy proxy) {
    return with(Map.of(), Map.of(proxy.id(), proxy.version()), Map.of());
  }

  /** Returns preconditions that also depend on the versions of tokens. */
  public Preconditions with(Collection<Token> more) {
    Map<TokenId, Long> versions = new HashMap<>();
    more.forEach(token -> versions.put(token.id(), token.version()));
    return with(Map.of(), Map.of(), versions);
  }

  private Preconditions with(
      Map<ApplicationId, Long> moreApplications,
      Map<ProxyId, Long> moreProxies,
      Map<TokenId, Long> moreTokens) {
    return new Preconditions(
        tenantId,
        union(applications, moreApplications),
        union(proxies, moreProxies),
        union(tokens, moreTokens),
        egress,
        keys,
        keyCount,
        until);
  }

  /** Returns preconditions that also depend on the version of the egress policy. */
  public Preconditions with(TenantEgress decidedOn) {
    return with(Optional.of(decidedOn.version()), keys, keyCount, until);
  }

  /** Returns preconditions that also require the tenant's keys. */
  public Preconditions withKeys() {
    return with(egress, true, keyCount, until);
  }

  /** Returns preconditions that also end at this time; the earlier of two ends applies. */
  public Preconditions until(Instant end) {
    return with(egress, keys, keyCount, Optional.of(earlier(end)));
  }

  private Instant earlier(Instant end) {
    return until.filter(known -> known.isBefore(end)).orElse(end);
  }

  /**
   * Returns preconditions that also fail if the tenant gets a newer key. They apply where a value
   * is encrypted under the newest of the known keys.
   */
  public Preconditions withNewest(TenantKeys known) {
    return with(egress, true, Optional.of(known.keys().size()), until);
  }

  private Preconditions with(
      Optional<Long> newEgress,
      boolean newKeys,
      Optional<Integer> newKeyCount,
      Optional<Instant> newEnd) {
    return new Preconditions(
        tenantId, applications, proxies, tokens, newEgress, newKeys, newKeyCount, newEnd);
  }

  /** Returns preconditions that combine both; for a record in both, the other version applies. */
  public Preconditions and(Preconditions other) {
    return new Preconditions(
        tenantId,
        union(applications, other.applications),
        union(proxies, other.proxies),
        union(tokens, other.tokens),
        egress.or(other::egress),
        keys || other.keys,
        keyCount.or(other::keyCount),
        other.until.map(this::earlier).or(() -> until));
  }

  /** Returns the number of applications, proxies and tokens. */
  public int size() {
    return applications.size() + proxies.size() + tokens.size();
  }

  private static <K> Map<K, Long> union(Map<K, Long> some, Map<K, Long> more) {
    if (some.isEmpty() || more.isEmpty()) {
      return some.isEmpty() ? more : some;
    }
    Map<K, Long> all = new HashMap<>(some);
    all.putAll(more);
    return all;
  }
}
