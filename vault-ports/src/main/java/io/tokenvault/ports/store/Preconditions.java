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
import java.util.stream.Collectors;

/**
 * What a decision was based on. It still holds if each of these exists at this version and has not
 * expired, and the key that let the caller in has not ended.
 *
 * @param egress of the tenant's {@link TenantEgress}, if the decision was based on it
 * @param keys whether the tenant has to have its keys still
 * @param keyCount how many of them there are, if a newer one matters: they are only ever added to,
 *     or all destroyed
 * @param until when the caller's key ends, if it does: it holds before that moment only, by the
 *     store's clock
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

  /** Where it does not matter whether there are newer keys, and the caller's own does not end. */
  public Preconditions(
      TenantId tenantId,
      Map<ApplicationId, Long> applications,
      Map<ProxyId, Long> proxies,
      Map<TokenId, Long> tokens,
      Optional<Long> egress,
      boolean keys) {
    this(tenantId, applications, proxies, tokens, egress, keys, Optional.empty(), Optional.empty());
  }

  /** Based on nothing that could change. */
  public static Preconditions none(TenantId tenantId) {
    return new Preconditions(tenantId, Map.of(), Map.of(), Map.of(), Optional.empty(), false);
  }

  public Preconditions with(Application application) {
    return new Preconditions(
        tenantId,
        plus(applications, application.id(), application.version()),
        proxies,
        tokens,
        egress,
        keys,
        keyCount,
        until);
  }

  public Preconditions with(Proxy proxy) {
    return new Preconditions(
        tenantId,
        applications,
        plus(proxies, proxy.id(), proxy.version()),
        tokens,
        egress,
        keys,
        keyCount,
        until);
  }

  public Preconditions with(Collection<Token> more) {
    Map<TokenId, Long> added = more.stream().collect(Collectors.toMap(Token::id, Token::version));
    return new Preconditions(
        tenantId, applications, proxies, union(tokens, added), egress, keys, keyCount, until);
  }

  public Preconditions with(TenantEgress decidedOn) {
    return new Preconditions(
        tenantId,
        applications,
        proxies,
        tokens,
        Optional.of(decidedOn.version()),
        keys,
        keyCount,
        until);
  }

  /** Based on the tenant's keys as well. */
  public Preconditions withKeys() {
    return new Preconditions(
        tenantId, applications, proxies, tokens, egress, true, keyCount, until);
  }

  /** Based on a key that ends, as well. */
  public Preconditions until(Instant end) {
    return new Preconditions(
        tenantId, applications, proxies, tokens, egress, keys, keyCount, Optional.of(earlier(end)));
  }

  private Instant earlier(Instant end) {
    return until.filter(known -> known.isBefore(end)).orElse(end);
  }

  /** The same, where something is sealed by the newest of these. */
  public Preconditions withNewest(TenantKeys known) {
    return new Preconditions(
        tenantId,
        applications,
        proxies,
        tokens,
        egress,
        true,
        Optional.of(known.keys().size()),
        until);
  }

  /** Based on both. */
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

  /** How many things it names, of those that there can be many of. */
  public int size() {
    return applications.size() + proxies.size() + tokens.size();
  }

  private static <K> Map<K, Long> union(Map<K, Long> some, Map<K, Long> more) {
    Map<K, Long> all = new HashMap<>(some);
    all.putAll(more);
    return all;
  }

  private static <K> Map<K, Long> plus(Map<K, Long> known, K key, long version) {
    return union(known, Map.of(key, version));
  }
}
