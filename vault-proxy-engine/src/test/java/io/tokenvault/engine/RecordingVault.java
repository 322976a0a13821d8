package io.tokenvault.engine;

import io.tokenvault.domain.access.AccessPolicy;
import io.tokenvault.domain.access.AccessRule;
import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.access.TokenSelector;
import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.application.ApplicationSettings;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.permission.ApplicationType;
import io.tokenvault.domain.permission.Permission;
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
import io.tokenvault.ports.memory.FakeTokenHasher;
import io.tokenvault.ports.memory.InMemoryStores;
import io.tokenvault.ports.memory.SmallJsonCodec;
import io.tokenvault.ports.spi.ActingApplication;
import io.tokenvault.ports.spi.AuditRecorder;
import io.tokenvault.ports.spi.CredentialStore;
import io.tokenvault.ports.spi.KeyHash;
import io.tokenvault.ports.spi.KeyHasher;
import io.tokenvault.ports.spi.KeyPurpose;
import io.tokenvault.ports.spi.Loaded;
import io.tokenvault.ports.spi.Loaded.LoadedCaller;
import io.tokenvault.ports.spi.Loaded.LoadedProxy;
import io.tokenvault.ports.spi.Lookup;
import io.tokenvault.ports.spi.MemoryReservation;
import io.tokenvault.ports.spi.RequestLookup;
import io.tokenvault.ports.spi.Sealed;
import io.tokenvault.ports.spi.SealedField;
import io.tokenvault.ports.spi.SealedTransform;
import io.tokenvault.ports.spi.Sealer;
import io.tokenvault.ports.spi.StoredProxy;
import io.tokenvault.ports.spi.StoredToken;
import io.tokenvault.ports.spi.TenantKeys;
import io.tokenvault.ports.spi.Versions;
import io.tokenvault.ports.spi.WrappedKey;
import io.tokenvault.ports.usecase.AnswerSeals;
import io.tokenvault.ports.usecase.Gate;
import io.tokenvault.ports.usecase.OpenTokens;
import io.tokenvault.ports.usecase.ProxyInvocations;
import io.tokenvault.ports.usecase.ProxySeals;
import io.tokenvault.ports.usecase.RepeatableInvocations;
import io.tokenvault.ports.usecase.ShortLivedData;
import io.tokenvault.ports.usecase.TokenContents;
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

/** The ports behind {@link ProxyInvocations}, in memory, which note the order of what is asked. */
final class RecordingVault implements RequestLookup, AuditRecorder {

  static final TenantId TENANT = new TenantId(new UUID(1, 1));
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Provenance PROVENANCE =
      new Provenance(Optional.empty(), NOW, Optional.empty(), Optional.empty());
  private static final TenantKeys KEYS =
      new TenantKeys(
          TENANT,
          List.of(
              new WrappedKey(KeyPurpose.DATA, 1, new byte[] {1}),
              new WrappedKey(KeyPurpose.FINGERPRINT, 1, new byte[] {2})));

  private final Random random = new Random(7);
  private final Map<KeyHash, Application> callers = new ConcurrentHashMap<>();
  private final Map<KeyHash, StoredProxy> proxies = new ConcurrentHashMap<>();
  private final Map<TokenId, StoredToken> tokens = new ConcurrentHashMap<>();
  private final List<String> events = new CopyOnWriteArrayList<>();
  private final List<Set<TokenId>> lookedFor = new CopyOnWriteArrayList<>();
  private volatile String code = "the code";
  private volatile boolean auditLogDown;
  private volatile Error error;
  private volatile TenantEgress egress = TenantEgress.initial();

  ProxyInvocations invocations() {
    CredentialStore credentials = (tenantId, from, to) -> {};
    Gate gate = new Gate(this, new TextHasher(), credentials, this);
    TokenContents contents =
        new TokenContents(
            new TextSealer(),
            new FakeTokenHasher(),
            new LiquidExpressions(random),
            new SmallJsonCodec(),
            new ShortLivedData(Optional.empty()));
    OpenTokens door = new OpenTokens(this, contents, gate, this);
    return new ProxyInvocations(
        this,
        new TextHasher(),
        gate,
        door,
        new InMemoryStores(Clock.systemUTC()).proxies(),
        new ProxySeals(new TextSealer(), new SmallJsonCodec(), new TextHasher(), random),
        this);
  }

  RepeatableInvocations repeatable() {
    return new RepeatableInvocations(
        new InMemoryStores(Clock.systemUTC()).requestJournal(),
        new FakeTokenHasher(),
        new AnswerSeals(new TextSealer(), new SmallJsonCodec()),
        false);
  }

  /** What was asked of the ports, and what else a test notes, in order. */
  List<String> events() {
    return events;
  }

  /** The tokens that each look-up was for, in order. */
  List<Set<TokenId>> lookedFor() {
    return lookedFor;
  }

  void note(String event) {
    events.add(event);
  }

  /** Tokens under the container may go to this host only. */
  void bind(String container, String host) {
    egress = egress.with(new ContainerBinding(new Container(container), new HostPattern(host)));
  }

  /** Recording ends with this from now on. */
  void breakAuditLogBy(Error next) {
    error = next;
  }

  void breakAuditLog() {
    auditLogDown = true;
  }

  /** A private application's key, with {@code token:use} on everything. */
  String callerKey() {
    return callerKey(new AccessPolicy(List.of(Permission.TOKEN_USE), List.of()));
  }

  /** A private application's key, with {@code token:use} under one container only. */
  String callerKeyFor(String container) {
    return callerKey(
        new AccessPolicy(
            List.of(),
            List.of(
                new AccessRule(
                    "some",
                    1,
                    new TokenSelector.InContainer(new Container(container)),
                    AccessTransform.REDACT,
                    List.of(Permission.TOKEN_USE)))));
  }

  String callerKey(AccessPolicy policy) {
    ApiKey key = ApiKey.generate(random);
    callers.put(
        hashOf(key.value()),
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

  String proxyKey(String destination, boolean requireAuth) {
    return proxyKey(TENANT, destination, requireAuth);
  }

  String proxyKey(TenantId tenant, String destination, boolean requireAuth) {
    return proxyKey(
        tenant,
        new ProxySettings(
            new ResourceName("proxy"),
            destination,
            requireAuth,
            Optional.empty(),
            Optional.empty(),
            Optional.empty()));
  }

  /** Of a proxy that sets how long it waits and what it shows. */
  String proxyKey(
      String destination, Optional<Duration> timeout, Optional<String> clientCertificate) {
    return proxyKey(
        TENANT,
        new ProxySettings(
            new ResourceName("proxy"),
            destination,
            false,
            Optional.empty(),
            timeout,
            clientCertificate));
  }

  private String proxyKey(TenantId tenant, ProxySettings settings) {
    return proxyKey(tenant, settings, Map.of());
  }

  private String proxyKey(
      TenantId tenant, ProxySettings settings, Map<TransformKind, SealedTransform> transforms) {
    ProxyKey key = ProxyKey.generate(random);
    proxies.put(
        hashOf(key.value()),
        new StoredProxy(
            new Proxy(new ProxyId(UUID.randomUUID()), tenant, settings, PROVENANCE, 1),
            new Sealed(1, new byte[0]),
            new Sealed(1, "{\"name\":\"value\"}".getBytes(StandardCharsets.UTF_8)),
            transforms));
    return text(key.value());
  }

  /** The code of the transforms of proxies that come after. */
  void code(String next) {
    code = next;
  }

  /** Of a proxy that runs transforms, and lets anybody in. */
  String transformingKey(String destination, TransformKind... kinds) {
    return transformingKey(destination, Optional.empty(), "small/1", kinds);
  }

  /**
   * @param application as which the transforms act
   * @param compiler what compiled them
   */
  String transformingKey(
      String destination,
      Optional<ApplicationId> application,
      String compiler,
      TransformKind... kinds) {
    String content =
        "{\"code\":\"%s\",\"compiler\":\"%s\",\"program\":\"a program\",\"requires\":[]}"
            .formatted(code, compiler);
    Map<TransformKind, SealedTransform> transforms = new EnumMap<>(TransformKind.class);
    for (TransformKind kind : kinds) {
      transforms.put(
          kind,
          new SealedTransform(new Sealed(1, content.getBytes(StandardCharsets.UTF_8)), compiler));
    }
    return proxyKey(
        TENANT,
        new ProxySettings(
            new ResourceName("proxy"),
            destination,
            false,
            application,
            Optional.empty(),
            Optional.empty()),
        transforms);
  }

  /** The application of a key. */
  ApplicationId applicationOf(String apiKey) {
    return callers.get(new KeyHash(1, apiKey.getBytes(StandardCharsets.UTF_8))).id();
  }

  /**
   * @param json what the token stands for
   */
  void token(String id, String json) {
    token(id, json, "/general/");
  }

  void token(String id, String json, String container) {
    TokenSettings settings =
        new TokenSettings(List.of(new Container(container)), Map.of(), Optional.empty());
    TokenId tokenId = new TokenId(id);
    tokens.put(
        tokenId,
        new StoredToken(
            new Token(tokenId, TENANT, TokenType.TOKEN, settings, Optional.empty(), PROVENANCE, 1),
            new Sealed(1, json.getBytes(StandardCharsets.UTF_8)),
            Optional.empty(),
            Optional.empty()));
  }

  @Override
  public Loaded load(Lookup lookup, MemoryReservation room) {
    lookedFor.add(lookup.tokens());
    Map<TokenId, StoredToken> found = new HashMap<>(tokens);
    found.keySet().retainAll(lookup.tokens());
    room.take(found.values().stream().mapToLong(StoredToken::size).sum());
    return new Loaded(
        NOW,
        first(lookup.apiKey(), callers)
            .map(hash -> loaded(callers.get(hash), Optional.of(hash)))
            .or(() -> lookup.acting().flatMap(this::acting)),
        first(lookup.proxyKey(), proxies)
            .map(hash -> new LoadedProxy(proxies.get(hash), KEYS, hash)),
        new LinkedHashMap<>(found));
  }

  private Optional<LoadedCaller> acting(ActingApplication application) {
    return callers.values().stream()
        .filter(each -> each.id().equals(application.id()))
        .findFirst()
        .map(each -> loaded(each, Optional.empty()));
  }

  private LoadedCaller loaded(Application application, Optional<KeyHash> matched) {
    return new LoadedCaller(application, false, Optional.empty(), KEYS, egress, matched);
  }

  private static Optional<KeyHash> first(List<KeyHash> hashes, Map<KeyHash, ?> known) {
    return hashes.stream().filter(known::containsKey).findFirst();
  }

  @Override
  public Outcome record(List<AuditEntry> entries, Versions versions) {
    if (error != null) {
      throw error;
    }
    if (auditLogDown) {
      throw RefusedException.unavailable(null);
    }
    entries.forEach(entry -> events.add("recorded: " + entry.message()));
    return Outcome.RECORDED;
  }

  private static KeyHash hashOf(SensitiveValue key) {
    return new KeyHash(1, key.open());
  }

  private static String text(SensitiveValue value) {
    return new String(value.open(), StandardCharsets.UTF_8);
  }

  private static final class TextHasher implements KeyHasher {
    @Override
    public List<KeyHash> hashes(ApiKey key) {
      return List.of(hashOf(key.value()));
    }

    @Override
    public List<KeyHash> hashes(ProxyKey key) {
      return List.of(hashOf(key.value()));
    }
  }

  private final class TextSealer implements Sealer {
    @Override
    public Sealed seal(TenantKeys keys, SealedField field, SensitiveValue value) {
      events.add("sealed: " + text(value));
      return new Sealed(1, value.open());
    }

    @Override
    public SensitiveValue open(TenantKeys keys, SealedField field, Sealed sealed) {
      events.add("opened: " + field.recordId());
      return SensitiveValue.of(sealed.ciphertext());
    }

    @Override
    public Sealed reseal(TenantKeys keys, SealedField field, Sealed sealed) {
      throw new UnsupportedOperationException();
    }
  }
}
