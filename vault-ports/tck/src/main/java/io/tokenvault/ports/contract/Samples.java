package io.tokenvault.ports.contract;

import io.tokenvault.domain.access.AccessPolicy;
import io.tokenvault.domain.access.AccessRule;
import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.ApplicationType;
import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.access.TokenSelector.InContainer;
import io.tokenvault.domain.application.ApplicationDraft;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.application.ApplicationSettings;
import io.tokenvault.domain.audit.Actor;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.proxy.ContainerBinding;
import io.tokenvault.domain.proxy.HostPattern;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.proxy.ProxySettings;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.tenant.ResourceName;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenSettings;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.crypto.TokenHash;
import io.tokenvault.ports.crypto.WrappedKey;
import io.tokenvault.ports.store.Preconditions;
import io.tokenvault.ports.store.ProxyStore.NewProxy;
import io.tokenvault.ports.store.TenantStore.NewTenant;
import io.tokenvault.ports.store.TokenStore.NewToken;
import io.tokenvault.ports.store.TokenStore.NewToken.Deduplication;
import io.tokenvault.ports.store.model.EncryptedContent;
import io.tokenvault.ports.store.model.EncryptedContent.ShortLived;
import io.tokenvault.ports.store.model.EncryptedTransform;
import io.tokenvault.ports.store.model.NewApplication;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;

/** Creates test data with unique ids. */
public final class Samples {

  public static final ApplicationSettings SETTINGS = settings("an application");

  private Samples() {}

  public static TenantId tenantId() {
    return new TenantId(UUID.randomUUID());
  }

  /** Returns a unique hash. */
  public static KeyHash hash() {
    return hash(1);
  }

  public static KeyHash hash(int version) {
    return new KeyHash(version, UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII));
  }

  public static EncryptedValue encrypted(String text) {
    return new EncryptedValue(1, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns one key per purpose. These keys cannot decrypt. */
  public static TenantKeys keys(TenantId id) {
    return new TenantKeys(
        id, Arrays.stream(KeyPurpose.values()).map(purpose -> key(purpose, 1)).toList());
  }

  public static WrappedKey key(KeyPurpose purpose, int version) {
    return new WrappedKey(purpose, version, new byte[] {1, (byte) purpose.ordinal(), 3});
  }

  public static NewTenant tenant(TenantId id) {
    return new NewTenant(
        id, new ResourceName("a tenant"), keys(id), application(id, ApplicationType.MANAGEMENT));
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
        new ApplicationDraft.Valid(type, settings, expiresAt, Optional.empty()),
        Optional.of(UUID.randomUUID()),
        hash());
  }

  public static NewApplication expiring(TenantId tenantId, Instant expiresAt) {
    return application(tenantId, ApplicationType.EXPIRING, SETTINGS, Optional.of(expiresAt));
  }

  /** Returns an application that was created by a command and is limited by its delegator. */
  public static NewApplication delegated(
      TenantId tenantId, ApplicationId delegator, Instant expiresAt) {
    return new NewApplication(
        new ApplicationId(UUID.randomUUID()),
        tenantId,
        new ApplicationDraft.Valid(
            ApplicationType.EXPIRING, SETTINGS, Optional.of(expiresAt), Optional.of(delegator)),
        Optional.empty(),
        hash());
  }

  public static ContainerBinding binding(String container, String host) {
    return new ContainerBinding(new Container(container), new HostPattern(host));
  }

  public static ProxySettings proxySettings(String name, Optional<ApplicationId> application) {
    return new ProxySettings(
        new ResourceName(name),
        "https://api.example.com/base?a=b",
        true,
        application,
        Optional.empty(),
        Optional.empty());
  }

  public static NewProxy proxy(TenantId tenantId, ProxySettings settings) {
    return proxy(tenantId, settings, Map.of());
  }

  /** Returns a proxy with a request transform and a response transform. */
  public static NewProxy proxyWithTransforms(TenantId tenantId) {
    return proxy(
        tenantId,
        proxySettings("a proxy", Optional.empty()),
        Map.of(
            TransformKind.REQUEST,
            transform("a request transform", "compiler/1"),
            TransformKind.RESPONSE,
            transform("a response transform", "compiler/2")));
  }

  public static EncryptedTransform transform(String content, String compiler) {
    return new EncryptedTransform(encrypted(content), compiler);
  }

  public static NewProxy proxy(
      TenantId tenantId,
      ProxySettings settings,
      Map<TransformKind, EncryptedTransform> transforms) {
    return new NewProxy(
        new ProxyId(UUID.randomUUID()),
        tenantId,
        settings,
        encrypted("a key"),
        hash(),
        encrypted("a configuration"),
        transforms,
        UUID.randomUUID());
  }

  public static NewProxy proxy(TenantId tenantId) {
    return proxy(tenantId, proxySettings("a proxy", Optional.empty()));
  }

  public static NewToken token(TenantId tenantId) {
    return token(tenantId, UUID.randomUUID().toString(), tokenSettings("/general/"));
  }

  public static NewToken token(TenantId tenantId, String id, TokenSettings settings) {
    return token(tenantId, id, settings, content("data"));
  }

  public static NewToken token(TenantId tenantId, EncryptedContent content) {
    return token(tenantId, UUID.randomUUID().toString(), tokenSettings("/general/"), content);
  }

  public static NewToken token(
      TenantId tenantId, String id, TokenSettings settings, EncryptedContent content) {
    return token(tenantId, TokenType.TOKEN, id, settings, content);
  }

  public static NewToken token(
      TenantId tenantId,
      TokenType type,
      String id,
      TokenSettings settings,
      EncryptedContent content) {
    return new NewToken(
        new TokenId(id),
        tenantId,
        type,
        settings,
        content,
        UUID.randomUUID(),
        entry(tenantId, "token created"),
        Optional.empty());
  }

  /** Returns a copy of a token that allows reusing a usable one of equal fingerprint. */
  public static NewToken deduplicated(NewToken token, Predicate<Token> usable) {
    return deduplicated(
        token,
        new Deduplication(
            Set.of(token.content().fingerprint().hex()),
            usable,
            found -> entry(token.tenantId(), "token found")));
  }

  public static NewToken deduplicated(NewToken token, Deduplication deduplication) {
    return new NewToken(
        token.id(),
        token.tenantId(),
        token.type(),
        token.settings(),
        token.content(),
        token.createdBy(),
        token.entry(),
        Optional.of(deduplication));
  }

  /** Returns content with a unique fingerprint and without optional parts. */
  public static EncryptedContent content(String data) {
    return content(encrypted(data), fingerprint());
  }

  public static EncryptedContent content(EncryptedValue data, TokenHash fingerprint) {
    return new EncryptedContent(data, Optional.empty(), Optional.empty(), fingerprint, List.of());
  }

  /** Returns content with expressions and search indexes. */
  public static EncryptedContent indexed(String data, TokenHash... indexes) {
    return new EncryptedContent(
        encrypted(data),
        Optional.empty(),
        Optional.of(encrypted("expressions of " + data)),
        fingerprint(),
        List.of(indexes));
  }

  /** Returns content with a part that expires. */
  public static EncryptedContent withPart(String part, Duration lifetime) {
    return new EncryptedContent(
        encrypted("data"),
        Optional.of(new ShortLived(encrypted(part), lifetime)),
        Optional.empty(),
        fingerprint(),
        List.of());
  }

  /** Returns a unique fingerprint. */
  public static TokenHash fingerprint() {
    return tokenHash(UUID.randomUUID().toString());
  }

  public static TokenHash tokenHash(String text) {
    return tokenHash(1, text);
  }

  public static TokenHash tokenHash(int keyVersion, String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return new TokenHash(keyVersion, HexFormat.of().formatHex(digest));
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException(missing);
    }
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

  /** Returns the audit entry for the expiry of a token. */
  public static AuditEntry expiry(Token token) {
    return entry(token.tenantId(), "expired " + token.id());
  }

  public static AuditEntry entry(
      TenantId tenantId, EntityType type, String entityId, String message) {
    return new AuditEntry(
        tenantId, Actor.system(), type, entityId, Operation.CREATE, message, Optional.empty());
  }

  /** Returns the precondition that an application has this version. */
  public static Preconditions preconditions(TenantId tenantId, ApplicationId id, long version) {
    return new Preconditions(
        tenantId,
        Map.of(id, version),
        Map.of(),
        Map.of(),
        Optional.empty(),
        false,
        Optional.empty(),
        Optional.empty());
  }
}
