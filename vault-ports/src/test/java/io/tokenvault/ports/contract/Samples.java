package io.tokenvault.ports.contract;

import io.tokenvault.domain.access.AccessPolicy;
import io.tokenvault.domain.access.AccessRule;
import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.access.TokenSelector.InContainer;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.application.ApplicationSettings;
import io.tokenvault.domain.audit.Actor;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.permission.ApplicationType;
import io.tokenvault.domain.permission.Permission;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.proxy.ProxySettings;
import io.tokenvault.domain.tenant.ResourceName;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenSettings;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.spi.KeyHash;
import io.tokenvault.ports.spi.NewApplication;
import io.tokenvault.ports.spi.NewProxy;
import io.tokenvault.ports.spi.NewTenant;
import io.tokenvault.ports.spi.NewToken;
import io.tokenvault.ports.spi.Sealed;
import io.tokenvault.ports.spi.WrappedKey;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Things to store, each with an id of its own. */
public final class Samples {

  public static final ApplicationSettings SETTINGS = settings("an application");

  private Samples() {}

  public static TenantId tenantId() {
    return new TenantId(UUID.randomUUID());
  }

  /** A hash that nothing else has. */
  public static KeyHash hash() {
    return hash(1);
  }

  public static KeyHash hash(int version) {
    return new KeyHash(version, UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII));
  }

  public static Sealed sealed(String text) {
    return new Sealed(1, text.getBytes(StandardCharsets.UTF_8));
  }

  public static NewTenant tenant(TenantId id) {
    return new NewTenant(
        id,
        new ResourceName("a tenant"),
        new WrappedKey(1, new byte[] {1, 2, 3}),
        application(id, ApplicationType.MANAGEMENT));
  }

  public static ApplicationSettings settings(String name) {
    return settings(name, new AccessPolicy(List.of(Permission.TOKEN_READ), List.of(rule(1))));
  }

  public static ApplicationSettings settings(String name, AccessPolicy policy) {
    return new ApplicationSettings(new ResourceName(name), policy, Optional.empty());
  }

  public static AccessRule rule(int priority) {
    return new AccessRule(
        "rule " + priority,
        priority,
        new InContainer(new Container("/pci/")),
        AccessTransform.REVEAL,
        List.of(Permission.TOKEN_USE, Permission.TOKEN_READ));
  }

  public static NewApplication application(TenantId tenantId) {
    return application(tenantId, ApplicationType.PRIVATE);
  }

  public static NewApplication application(TenantId tenantId, ApplicationType type) {
    return application(tenantId, type, SETTINGS, Optional.empty());
  }

  public static NewApplication application(
      TenantId tenantId,
      ApplicationType type,
      ApplicationSettings settings,
      Optional<Instant> expiresAt) {
    return new NewApplication(
        new ApplicationId(UUID.randomUUID()),
        tenantId,
        type,
        settings,
        expiresAt,
        Optional.empty(),
        Optional.of(UUID.randomUUID()),
        hash());
  }

  public static NewApplication expiring(TenantId tenantId, Instant expiresAt) {
    return application(tenantId, ApplicationType.EXPIRING, SETTINGS, Optional.of(expiresAt));
  }

  public static ProxySettings proxySettings(String name, Optional<ApplicationId> application) {
    return new ProxySettings(
        new ResourceName(name), "https://api.example.com/base?a=b", true, application);
  }

  public static NewProxy proxy(TenantId tenantId, ProxySettings settings) {
    return new NewProxy(
        new ProxyId(UUID.randomUUID()),
        tenantId,
        settings,
        sealed("a key"),
        hash(),
        sealed("a configuration"),
        UUID.randomUUID());
  }

  public static NewProxy proxy(TenantId tenantId) {
    return proxy(tenantId, proxySettings("a proxy", Optional.empty()));
  }

  public static NewToken token(TenantId tenantId) {
    return token(tenantId, UUID.randomUUID().toString(), tokenSettings("/general/"));
  }

  public static NewToken token(TenantId tenantId, String id, TokenSettings settings) {
    return new NewToken(
        new TokenId(id), tenantId, TokenType.TOKEN, settings, sealed("data"), UUID.randomUUID());
  }

  public static TokenSettings tokenSettings(String... containers) {
    return new TokenSettings(
        List.of(containers).stream().map(Container::new).toList(), Map.of(), Optional.empty());
  }

  public static NewToken expiringToken(TenantId tenantId, String id, Instant expiresAt) {
    return token(
        tenantId,
        id,
        new TokenSettings(List.of(new Container("/general/")), Map.of(), Optional.of(expiresAt)));
  }

  public static AuditEntry entry(TenantId tenantId) {
    return entry(tenantId, "an entry");
  }

  public static AuditEntry entry(TenantId tenantId, String message) {
    return entry(tenantId, EntityType.TENANT, tenantId.toString(), message);
  }

  /** What an expired token leaves in the log. */
  public static AuditEntry expiry(Token token) {
    return entry(token.tenantId(), "expired " + token.id());
  }

  public static AuditEntry entry(
      TenantId tenantId, EntityType type, String entityId, String message) {
    return new AuditEntry(tenantId, Actor.system(), type, entityId, Operation.CREATE, message);
  }
}
