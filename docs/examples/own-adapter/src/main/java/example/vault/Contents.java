package example.vault;

import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.tenant.Tenant;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.store.Page;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.store.Preconditions;
import io.tokenvault.ports.store.model.ApplicationUse;
import io.tokenvault.ports.store.model.StoredProxy;
import io.tokenvault.ports.store.model.StoredToken;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** All that a vault keeps, for the stores, which use it within their transactions. */
final class Contents {

  /** The id of what a tenant has one of. */
  static final String ONLY = "";

  final Database database;
  final Documents<Tenant> tenants;
  final Documents<TenantKeys> keys;
  final Documents<TenantEgress> egress;
  final Documents<Application> applications;
  final Documents<ApplicationUse> uses;
  final Documents<StoredProxy> proxies;
  final Documents<KeptToken> tokens;
  final Credentials credentials;
  final Entries entries;

  Contents(Database database) {
    this.database = database;
    this.tenants = documents("tenant", Tenant.class, each -> Optional.empty());
    this.keys = documents("keys", TenantKeys.class, each -> Optional.empty());
    this.egress = documents("egress", TenantEgress.class, each -> Optional.empty());
    this.applications = documents("application", Application.class, Application::expiresAt);
    this.uses = documents("use", ApplicationUse.class, each -> Optional.empty());
    this.proxies = documents("proxy", StoredProxy.class, each -> Optional.empty());
    this.tokens = documents("token", KeptToken.class, KeptToken::due);
    this.credentials = new Credentials(database);
    this.entries = new Entries(database);
  }

  private <T> Documents<T> documents(
      String kind, Class<T> type, Function<T, Optional<Instant>> due) {
    return new Documents<>(database, kind, type, due);
  }

  /** Unless its time has come. */
  Optional<Application> application(TenantId tenantId, ApplicationId id) {
    return applications
        .find(tenantId, id.toString())
        .filter(each -> !database.isOver(each.expiresAt()));
  }

  Optional<StoredProxy> proxy(TenantId tenantId, ProxyId id) {
    return proxies.find(tenantId, id.toString());
  }

  /** Unless its time has come. */
  Optional<KeptToken> token(TenantId tenantId, TokenId id) {
    return tokens.find(tenantId, id.value()).filter(each -> !isOver(each.token()));
  }

  boolean isOver(Token token) {
    return database.isOver(token.settings().expiresAt());
  }

  /** As it is now: without the part of its data whose time has come. */
  StoredToken present(KeptToken kept) {
    return (database.isOver(kept.partExpiresAt()) ? kept.withoutPart() : kept).stored();
  }

  /**
   * @throws RefusedException if there is no such tenant
   */
  void requireTenant(TenantId tenantId) {
    if (tenants.find(tenantId, ONLY).isEmpty()) {
      throw RefusedException.notFound();
    }
  }

  /**
   * @throws RefusedException if its keys are destroyed
   */
  void requireKeys(TenantId tenantId) {
    if (keys.find(tenantId, ONLY).map(TenantKeys::areDestroyed).orElse(false)) {
      throw RefusedException.tenantShredded();
    }
  }

  /** No two tokens that have had one id ever share a version. */
  long nextTokenVersion() {
    database.update("UPDATE token_version SET last = last + 1");
    return database.query(row -> row.getLong(1), "SELECT last FROM token_version").get(0);
  }

  /** Whether all that a decision was based on is still as it was. */
  boolean hold(Preconditions versions) {
    return !database.isOver(versions.until())
        && keysHold(versions)
        && versions.egress().map(version -> isEgress(versions.tenantId(), version)).orElse(true)
        && versions.applications().entrySet().stream()
            .allMatch(
                each ->
                    application(versions.tenantId(), each.getKey())
                        .filter(known -> known.version() == each.getValue())
                        .isPresent())
        && versions.proxies().entrySet().stream()
            .allMatch(
                each ->
                    proxy(versions.tenantId(), each.getKey())
                        .filter(known -> known.proxy().version() == each.getValue())
                        .isPresent())
        && versions.tokens().entrySet().stream()
            .allMatch(
                each ->
                    token(versions.tenantId(), each.getKey())
                        .filter(known -> known.token().version() == each.getValue())
                        .isPresent());
  }

  private boolean keysHold(Preconditions versions) {
    if (!versions.keys() && versions.keyCount().isEmpty()) {
      return true;
    }
    Optional<TenantKeys> known = keys.find(versions.tenantId(), ONLY);
    return known.isPresent()
        && !known.get().areDestroyed()
        && versions.keyCount().map(count -> count == known.get().keys().size()).orElse(true);
  }

  private boolean isEgress(TenantId tenantId, long version) {
    return egress.find(tenantId, ONLY).map(known -> known.version() == version).orElse(false);
  }

  static <T> Page<T> page(List<T> matching, PageRequest request) {
    List<T> items = matching.stream().skip(request.offset()).limit(request.size()).toList();
    return new Page<>(items, matching.size(), request);
  }
}
