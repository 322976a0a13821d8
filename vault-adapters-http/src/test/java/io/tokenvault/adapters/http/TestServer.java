package io.tokenvault.adapters.http;

import io.tokenvault.adapters.http.exchange.HttpLimits;
import io.tokenvault.adapters.http.exchange.Operations;
import io.tokenvault.adapters.http.resource.InProcessClient;
import io.tokenvault.adapters.http.response.JsonRenderer;
import io.tokenvault.adapters.http.server.HttpSettings;
import io.tokenvault.adapters.http.server.HttpSettings.TlsFiles;
import io.tokenvault.adapters.http.server.UseCases;
import io.tokenvault.adapters.http.server.VaultHttpServer;
import io.tokenvault.domain.access.AccessPolicyDraft;
import io.tokenvault.domain.access.ApplicationType;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.application.ApplicationDraft;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.RecordedEntry;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.proxy.EgressPolicy;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.tenant.ResourceName;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.VaultStores;
import io.tokenvault.ports.api.InvokeProxy;
import io.tokenvault.ports.api.ServiceClient;
import io.tokenvault.ports.api.ServiceHeaders;
import io.tokenvault.ports.audit.LogFilter;
import io.tokenvault.ports.memory.FakeFieldCipher;
import io.tokenvault.ports.memory.FakeKeyHasher;
import io.tokenvault.ports.memory.FakeKeyWrapper;
import io.tokenvault.ports.memory.FakeTokenHasher;
import io.tokenvault.ports.memory.InMemoryStores;
import io.tokenvault.ports.memory.SmallExpressions;
import io.tokenvault.ports.memory.SmallJsonCodec;
import io.tokenvault.ports.memory.SmallTransformRuntime;
import io.tokenvault.ports.runtime.MemoryBudget;
import io.tokenvault.ports.runtime.Tracer;
import io.tokenvault.ports.store.Readiness;
import io.tokenvault.ports.usecase.application.ManageApplications;
import io.tokenvault.ports.usecase.audit.ReadLogs;
import io.tokenvault.ports.usecase.authorization.Authenticator;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.ExplainAccess;
import io.tokenvault.ports.usecase.authorization.Requirement;
import io.tokenvault.ports.usecase.idempotency.IdempotentRequests;
import io.tokenvault.ports.usecase.idempotency.ResponseCipher;
import io.tokenvault.ports.usecase.proxy.ManageProxies;
import io.tokenvault.ports.usecase.proxy.ProxyCipher;
import io.tokenvault.ports.usecase.tenant.ManageTenants;
import io.tokenvault.ports.usecase.tenant.ReadTenant;
import io.tokenvault.ports.usecase.token.ChangeTokens;
import io.tokenvault.ports.usecase.token.CreateTokens;
import io.tokenvault.ports.usecase.token.ShortLivedData;
import io.tokenvault.ports.usecase.token.TokenContents;
import io.tokenvault.ports.usecase.token.TokenDecryptor;
import io.tokenvault.ports.usecase.token.VaultTokens;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** A server on a free port with in-memory stores and one management application. */
public final class TestServer implements AutoCloseable {

  static final int MAX_HEAD = 32 << 10;

  private static final Operations OPERATIONS =
      new Operations(
          () -> "{}".getBytes(StandardCharsets.UTF_8),
          () -> "",
          request -> {},
          false,
          Optional::empty,
          Tracer.NONE);

  /** Enough for a body of the maximum length, unless it consists of many small values. */
  private static final long MEMORY = 32 << 20;

  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private final VaultHttpServer server;
  private final AtomicReference<InvokeProxy> proxy;
  private final UseCases useCases;
  private final InMemoryStores fixture;
  private final String key;

  private TestServer(
      VaultHttpServer server,
      AtomicReference<InvokeProxy> proxy,
      UseCases useCases,
      InMemoryStores fixture,
      String key) {
    this.server = server;
    this.proxy = proxy;
    this.useCases = useCases;
    this.fixture = fixture;
    this.key = key;
  }

  private static final class Shared {
    static final TestServer SERVER = start(new RecordingProxy());
  }

  /** Returns the server with default settings that all tests share; it must not be closed. */
  public static TestServer shared() {
    return Shared.SERVER;
  }

  /** Directs subsequent requests to this proxy and returns it. */
  public <P extends InvokeProxy> P useProxy(P newProxy) {
    proxy.set(newProxy);
    return newProxy;
  }

  public static TestServer start(InvokeProxy proxy) {
    return start(proxy, settings());
  }

  public static TestServer start(InvokeProxy proxy, HttpSettings settings) {
    return start(proxy, settings, () -> true);
  }

  public static TestServer start(InvokeProxy proxy, HttpSettings settings, Readiness readiness) {
    InMemoryStores fixture = new InMemoryStores(InstantSource.system());
    VaultStores stores = fixture.stores();
    AtomicReference<InvokeProxy> current = new AtomicReference<>(proxy);
    UseCases useCases = useCases(stores, call -> current.get().invoke(call), readiness);
    VaultHttpServer server =
        VaultHttpServer.start(VaultHttpServer.ListenerRole.MAIN, useCases, settings, OPERATIONS);
    return new TestServer(server, current, useCases, fixture, createTenantKey(stores));
  }

  private static String createTenantKey(VaultStores stores) {
    return text(
        new ManageTenants(
                stores.tenants(),
                stores.applications(),
                new FakeKeyWrapper(),
                new FakeKeyHasher(),
                stores.recorder(),
                new Random())
            .create(new ResourceName("Test tenant"))
            .key()
            .value());
  }

  private static String text(SensitiveValue key) {
    return new String(key.open(), StandardCharsets.US_ASCII);
  }

  private static UseCases useCases(VaultStores stores, InvokeProxy proxy, Readiness readiness) {
    FakeKeyHasher hasher = new FakeKeyHasher();
    FakeFieldCipher cipher = new FakeFieldCipher();
    SmallJsonCodec json = new SmallJsonCodec();
    Random randomness = new Random();
    Authenticator authenticator =
        new Authenticator(stores.lookup(), hasher, stores.credentials(), stores.recorder());
    FakeTokenHasher tokenHasher = new FakeTokenHasher();
    SmallExpressions expressions = new SmallExpressions();
    TokenContents contents =
        new TokenContents(
            cipher, tokenHasher, expressions, json, new ShortLivedData(Optional.empty()));
    TokenDecryptor tokenDecryptor =
        new TokenDecryptor(stores.lookup(), contents, authenticator, stores.recorder());
    return new UseCases(
        authenticator,
        new ManageApplications(stores.applications(), hasher, stores.recorder(), randomness),
        new ExplainAccess(stores.lookup(), stores.recorder()),
        new ReadTenant(stores.tenants(), stores.recorder()),
        new ManageProxies(
            stores.proxies(),
            stores.applications(),
            new ProxyCipher(cipher, json, hasher, randomness),
            EgressPolicy.publicHosts(),
            new SmallTransformRuntime(),
            stores.recorder()),
        new VaultTokens(
            stores.tokens(),
            stores.lookup(),
            tokenDecryptor,
            authenticator,
            tokenHasher,
            expressions,
            stores.recorder()),
        new CreateTokens(
            stores.tokens(), contents, tokenDecryptor, authenticator, stores.recorder()),
        new ChangeTokens(
            stores.tokens(),
            stores.lookup(),
            contents,
            tokenDecryptor,
            authenticator,
            stores.recorder()),
        new ReadLogs(stores.auditLog(), stores.recorder()),
        proxy,
        (caller, id, sample) -> sample,
        new IdempotentRequests(
            stores.requestJournal(),
            tokenHasher,
            new ResponseCipher(cipher, json),
            stores.lookup(),
            authenticator,
            stores.recorder(),
            new ShortLivedData(Optional.empty())),
        readiness,
        new MemoryBudget(MEMORY),
        json);
  }

  /** Returns settings for plain HTTP on a free port. */
  static HttpSettings settings() {
    return settings(Optional.empty(), Set.of(), limits(TIMEOUT, TIMEOUT, TIMEOUT));
  }

  public static HttpSettings tls(TlsFiles files) {
    return settings(Optional.of(files), Set.of(), limits(TIMEOUT, TIMEOUT, TIMEOUT));
  }

  public static HttpSettings allowedOrigins(String... origins) {
    return settings(Optional.empty(), Set.of(origins), limits(TIMEOUT, TIMEOUT, TIMEOUT));
  }

  /** Returns settings with a limit of concurrent requests and without a minimum data rate. */
  public static HttpSettings maxRequests(int maxRequests) {
    HttpLimits limits = limits(TIMEOUT, TIMEOUT, TIMEOUT).with(maxRequests, 0);
    return settings(Optional.empty(), Set.of(), limits);
  }

  static HttpSettings idleTimeout(Duration time) {
    return settings(Optional.empty(), Set.of(), limits(time, TIMEOUT, TIMEOUT));
  }

  static HttpSettings stopTimeout(Duration time) {
    return settings(Optional.empty(), Set.of(), limits(TIMEOUT, time, TIMEOUT));
  }

  static HttpSettings bodyGrace(Duration time) {
    return settings(Optional.empty(), Set.of(), limits(TIMEOUT, TIMEOUT, time));
  }

  private static HttpLimits limits(Duration idle, Duration stop, Duration bodyGrace) {
    return new HttpLimits(1 << 20, MAX_HEAD, idle, stop, 100, 240, bodyGrace);
  }

  private static HttpSettings settings(
      Optional<TlsFiles> tls, Set<String> origins, HttpLimits limits) {
    return new HttpSettings(ServiceHeaders.DEFAULT, "127.0.0.1", 0, tls, origins, limits);
  }

  public int port() {
    return server.port();
  }

  /** Returns the key of an application with all management permissions. */
  public String managementKey() {
    return key;
  }

  /** Creates another tenant and returns its management key. */
  public String managementKeyOfAnotherTenant() {
    return createTenantKey(fixture.stores());
  }

  /** Creates a private application with all token permissions except use; returns its key. */
  String tokenKey() {
    return privateKey(
        Permission.TOKEN_CREATE,
        Permission.TOKEN_READ,
        Permission.TOKEN_UPDATE,
        Permission.TOKEN_DELETE,
        Permission.TOKEN_SEARCH);
  }

  /** Creates a private application of the same tenant and returns its key. */
  public String privateKey(Permission... permissions) {
    ApplicationDraft draft =
        new ApplicationDraft(
            "private",
            ApplicationType.PRIVATE.value(),
            new AccessPolicyDraft(Stream.of(permissions).map(Permission::type).toList(), null),
            null,
            null);
    return text(useCases.applications().create(caller(key), draft, new Violations()).key().value());
  }

  /** Returns a client that calls the service in-process. */
  public ServiceClient client() {
    return new InProcessClient(
        useCases.authenticator(),
        useCases.tokens(),
        useCases.createTokens(),
        useCases.changeTokens(),
        new JsonRenderer(useCases.json()));
  }

  /** Returns the caller whom this key authenticates. */
  public Caller caller(String presentedKey) {
    return useCases.authenticator().authenticate(Optional.of(presentedKey), Requirement.VALID_KEY);
  }

  /** Returns a tenant's audit log, newest entry first. */
  public List<AuditEntry> auditLog(TenantId tenantId) {
    return fixture
        .stores()
        .auditLog()
        .walk(tenantId, LogFilter.all(), Optional.empty(), Integer.MAX_VALUE)
        .stream()
        .map(RecordedEntry::entry)
        .toList();
  }

  public RawConnection connect() {
    return RawConnection.open(port());
  }

  /** Sends one request over a new connection. */
  public RawResponse send(String... lines) {
    try (RawConnection connection = connect()) {
      return connection.send(lines).readResponse();
    }
  }

  /** Sends a request over a new connection, with a JSON body that has ' instead of ". */
  public RawResponse sendJson(
      String presentedKey, String request, String contentType, String body) {
    byte[] bytes = body.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    try (RawConnection connection = connect()) {
      return connection
          .send(
              request + " HTTP/1.1",
              "Host: vault.example",
              "SVC-API-KEY: " + presentedKey,
              "Content-Type: " + contentType,
              "Content-Length: " + bytes.length)
          .write(bytes)
          .readResponse(request.split(" ")[0]);
    }
  }

  void startDraining() {
    server.startDraining();
  }

  @Override
  public void close() {
    server.close();
  }
}
