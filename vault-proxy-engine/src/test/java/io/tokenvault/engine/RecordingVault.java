package io.tokenvault.engine;

import io.tokenvault.domain.access.AccessPolicy;
import io.tokenvault.domain.access.ApplicationType;
import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.application.ApplicationSettings;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.proxy.ContainerBinding;
import io.tokenvault.domain.proxy.HostPattern;
import io.tokenvault.domain.proxy.Proxy;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.proxy.ProxySettings;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.domain.secret.ProxyKey;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.tenant.Provenance;
import io.tokenvault.domain.tenant.ResourceName;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenSettings;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.engine.expression.LiquidExpressions;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.FieldBinding;
import io.tokenvault.ports.crypto.FieldCipher;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.crypto.KeyHasher;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.crypto.WrappedKey;
import io.tokenvault.ports.memory.FakeKeyHasher;
import io.tokenvault.ports.memory.FakeTokenHasher;
import io.tokenvault.ports.memory.InMemoryStores;
import io.tokenvault.ports.memory.SmallJsonCodec;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.CredentialStore;
import io.tokenvault.ports.store.LookupRequest;
import io.tokenvault.ports.store.LookupResult;
import io.tokenvault.ports.store.LookupResult.LoadedCaller;
import io.tokenvault.ports.store.LookupResult.LoadedProxy;
import io.tokenvault.ports.store.Preconditions;
import io.tokenvault.ports.store.RequestLookup;
import io.tokenvault.ports.store.model.ActingApplication;
import io.tokenvault.ports.store.model.EncryptedTransform;
import io.tokenvault.ports.store.model.StoredProxy;
import io.tokenvault.ports.store.model.StoredToken;
import io.tokenvault.ports.usecase.authorization.Authenticator;
import io.tokenvault.ports.usecase.idempotency.IdempotentInvocations;
import io.tokenvault.ports.usecase.idempotency.ResponseCipher;
import io.tokenvault.ports.usecase.proxy.ProxyCipher;
import io.tokenvault.ports.usecase.proxy.ProxyInvocations;
import io.tokenvault.ports.usecase.token.ShortLivedData;
import io.tokenvault.ports.usecase.token.TokenContents;
import io.tokenvault.ports.usecase.token.TokenDecryptor;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** In-memory ports behind {@link ProxyInvocations} that record the order of their calls. */
public final class RecordingVault implements RequestLookup, AuditRecorder {

  public static final TenantId TENANT = new TenantId(new UUID(1, 1));
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Provenance PROVENANCE =
      new Provenance(Optional.empty(), NOW, Optional.empty(), Optional.empty());
  private static final TenantKeys TENANT_KEYS =
      new TenantKeys(
          TENANT,
          List.of(
              new WrappedKey(KeyPurpose.DATA, 1, new byte[] {1}),
              new WrappedKey(KeyPurpose.FINGERPRINT, 1, new byte[] {2})));

  private static final KeyHasher HASHER = new FakeKeyHasher();

  private final Random random = new Random(7);
  private final Map<KeyHash, Application> callers = new ConcurrentHashMap<>();
  private final Map<KeyHash, StoredProxy> proxies = new ConcurrentHashMap<>();
  private final Map<TokenId, StoredToken> tokens = new ConcurrentHashMap<>();
  private final List<String> events = new CopyOnWriteArrayList<>();
  private final List<Set<TokenId>> lookedUpTokens = new CopyOnWriteArrayList<>();
  private volatile String transformCode = "the code";
  private volatile boolean auditLogDown;
  private volatile Error auditLogError;
  private volatile TenantEgress egress = TenantEgress.initial();

  public ProxyInvocations invocations() {
    CredentialStore credentials = (tenantId, from, to) -> {};
    Authenticator authenticator = new Authenticator(this, HASHER, credentials, this);
    TokenContents contents =
        new TokenContents(
            new PlaintextCipher(),
            new FakeTokenHasher(),
            new LiquidExpressions(random),
            new SmallJsonCodec(),
            new ShortLivedData(Optional.empty()));
    TokenDecryptor tokenDecryptor = new TokenDecryptor(this, contents, authenticator, this);
    return new ProxyInvocations(
        this,
        HASHER,
        authenticator,
        tokenDecryptor,
        new InMemoryStores(Clock.systemUTC()).stores().proxies(),
        new ProxyCipher(new PlaintextCipher(), new SmallJsonCodec(), HASHER, random),
        this);
  }

  public IdempotentInvocations idempotentInvocations() {
    return new IdempotentInvocations(
        new InMemoryStores(Clock.systemUTC()).stores().requestJournal(),
        new FakeTokenHasher(),
        new ResponseCipher(new PlaintextCipher(), new SmallJsonCodec()),
        false);
  }

  /** Returns the calls of the ports and the events that a test added, in order. */
  public List<String> events() {
    return events;
  }

  /** Returns the token ids of each lookup, in order. */
  List<Set<TokenId>> lookedUpTokens() {
    return lookedUpTokens;
  }

  public void note(String event) {
    events.add(event);
  }

  /** Restricts the tokens of a container to one destination. */
  public void bind(String container, String host) {
    egress = egress.with(new ContainerBinding(new Container(container), new HostPattern(host)));
  }

  /** Throws this error instead of recording audit entries. */
  public void failAuditLogWith(Error next) {
    auditLogError = next;
  }

  public void breakAuditLog() {
    auditLogDown = true;
  }

  /** Creates an application with {@code token:use} on all tokens, and returns its API key. */
  public String callerKey() {
    return callerKey(new AccessPolicy(List.of(Permission.TOKEN_USE), List.of()));
  }

  public String callerKey(AccessPolicy policy) {
    ApiKey key = ApiKey.generate(random);
    callers.put(
        HASHER.hashes(key).get(0),
        new Application(
            new ApplicationId(UUID.randomUUID()),
            TENANT,
            ApplicationType.PRIVATE,
            new ApplicationSettings(new ResourceName("app"), policy, Optional.empty()),
            Optional.empty(),
            Optional.empty(),
            PROVENANCE,
            1));
    return text(key.value());
  }

  public String proxyKey(String destination, boolean requireAuth) {
    return proxyKey(
        settings(destination, requireAuth, Optional.empty(), Optional.empty()), Map.of());
  }

  /** Creates a proxy with a timeout, and returns its key. */
  public String proxyKey(String destination, Duration timeout) {
    return proxyKey(settings(destination, false, Optional.empty(), Optional.of(timeout)), Map.of());
  }

  private static ProxySettings settings(
      String destination,
      boolean requireAuth,
      Optional<ApplicationId> application,
      Optional<Duration> timeout) {
    return new ProxySettings(
        new ResourceName("proxy"),
        destination,
        requireAuth,
        application,
        timeout,
        Optional.empty());
  }

  private String proxyKey(
      ProxySettings settings, Map<TransformKind, EncryptedTransform> transforms) {
    ProxyKey key = ProxyKey.generate(random);
    proxies.put(
        HASHER.hashes(key).get(0),
        new StoredProxy(
            new Proxy(new ProxyId(UUID.randomUUID()), TENANT, settings, PROVENANCE, 1),
            new EncryptedValue(1, new byte[0]),
            new EncryptedValue(1, "{\"name\":\"value\"}".getBytes(StandardCharsets.UTF_8)),
            transforms));
    return text(key.value());
  }

  /** Sets the transform code of the proxies that are created next. */
  public void setTransformCode(String next) {
    transformCode = next;
  }

  /** Creates a proxy with transforms that requires no API key, and returns its key. */
  public String transformProxyKey(String destination, TransformKind... kinds) {
    return transformProxyKey(destination, Optional.empty(), "small/1", kinds);
  }

  /**
   * Creates a proxy with transforms that requires no API key, and returns its key.
   *
   * @param application the application as which the transforms act
   * @param compiler the compiler that compiled the transforms
   */
  public String transformProxyKey(
      String destination,
      Optional<ApplicationId> application,
      String compiler,
      TransformKind... kinds) {
    String content =
        "{\"code\":\"%s\",\"compiler\":\"%s\",\"program\":\"a program\",\"requires\":[]}"
            .formatted(transformCode, compiler);
    Map<TransformKind, EncryptedTransform> transforms = new EnumMap<>(TransformKind.class);
    for (TransformKind kind : kinds) {
      transforms.put(
          kind,
          new EncryptedTransform(
              new EncryptedValue(1, content.getBytes(StandardCharsets.UTF_8)), compiler));
    }
    return proxyKey(settings(destination, false, application, Optional.empty()), transforms);
  }

  /** Returns the id of the application that owns an API key. */
  public ApplicationId applicationOf(String apiKey) {
    return callers.get(HASHER.hashes(ApiKey.parse(apiKey).orElseThrow()).get(0)).id();
  }

  /** Creates a token for this JSON. */
  public void token(String id, String json) {
    token(id, json, "/general/");
  }

  public void token(String id, String json, String container) {
    TokenSettings settings =
        new TokenSettings(List.of(new Container(container)), Map.of(), Optional.empty());
    TokenId tokenId = new TokenId(id);
    tokens.put(
        tokenId,
        new StoredToken(
            new Token(tokenId, TENANT, TokenType.TOKEN, settings, Optional.empty(), PROVENANCE, 1),
            new EncryptedValue(1, json.getBytes(StandardCharsets.UTF_8)),
            Optional.empty(),
            Optional.empty()));
  }

  @Override
  public LookupResult load(LookupRequest lookup, MemoryReservation reservation) {
    lookedUpTokens.add(lookup.tokens());
    Map<TokenId, StoredToken> found = new HashMap<>(tokens);
    found.keySet().retainAll(lookup.tokens());
    reservation.take(found.values().stream().mapToLong(StoredToken::size).sum());
    return new LookupResult(
        NOW,
        first(lookup.apiKey(), callers)
            .map(hash -> loaded(callers.get(hash), Optional.of(hash)))
            .or(() -> lookup.acting().flatMap(this::acting)),
        first(lookup.proxyKey(), proxies)
            .map(hash -> new LoadedProxy(proxies.get(hash), TENANT_KEYS, hash)),
        new LinkedHashMap<>(found));
  }

  private Optional<LoadedCaller> acting(ActingApplication application) {
    return callers.values().stream()
        .filter(each -> each.id().equals(application.id()))
        .findFirst()
        .map(each -> loaded(each, Optional.empty()));
  }

  private LoadedCaller loaded(Application application, Optional<KeyHash> matched) {
    return new LoadedCaller(
        application, false, Optional.empty(), TENANT_KEYS, egress, matched, Optional.empty());
  }

  private static Optional<KeyHash> first(List<KeyHash> hashes, Map<KeyHash, ?> known) {
    return hashes.stream().filter(known::containsKey).findFirst();
  }

  @Override
  public Outcome record(List<AuditEntry> entries, Preconditions versions) {
    if (auditLogError != null) {
      throw auditLogError;
    }
    if (auditLogDown) {
      throw RefusedException.unavailable(null);
    }
    entries.forEach(entry -> events.add("recorded: " + entry.message()));
    return Outcome.RECORDED;
  }

  private static String text(SensitiveValue value) {
    return new String(value.open(), StandardCharsets.UTF_8);
  }

  private final class PlaintextCipher implements FieldCipher {
    @Override
    public EncryptedValue encrypt(TenantKeys keys, FieldBinding field, SensitiveValue value) {
      events.add("encrypted: " + text(value));
      return new EncryptedValue(1, value.open());
    }

    @Override
    public SensitiveValue decrypt(TenantKeys keys, FieldBinding field, EncryptedValue encrypted) {
      events.add("decrypted: " + field.recordId());
      return SensitiveValue.of(encrypted.ciphertext());
    }

    @Override
    public EncryptedValue reencrypt(TenantKeys keys, FieldBinding field, EncryptedValue encrypted) {
      throw new UnsupportedOperationException();
    }
  }
}
