package io.tokenvault.server.assembly;

import io.tokenvault.adapters.http.VaultHttpServer;
import io.tokenvault.adapters.http.exchange.HttpLimits;
import io.tokenvault.adapters.http.exchange.Operations;
import io.tokenvault.adapters.http.server.CannotListenException;
import io.tokenvault.adapters.http.server.HttpSettings;
import io.tokenvault.adapters.http.server.TlsFiles;
import io.tokenvault.adapters.http.server.UseCases;
import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.engine.ProxyEngine;
import io.tokenvault.engine.ProxyEngine.Scripts;
import io.tokenvault.engine.expression.LiquidExpressions;
import io.tokenvault.engine.transform.WorkerTransforms;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.crypto.FieldCipher;
import io.tokenvault.ports.crypto.KeyHasher;
import io.tokenvault.ports.crypto.TokenHasher;
import io.tokenvault.ports.runtime.Expressions;
import io.tokenvault.ports.runtime.JsonCodec;
import io.tokenvault.ports.store.RequestJournal;
import io.tokenvault.ports.store.RequestLookup;
import io.tokenvault.ports.usecase.application.ManageApplications;
import io.tokenvault.ports.usecase.audit.ReadLogs;
import io.tokenvault.ports.usecase.authorization.Authenticator;
import io.tokenvault.ports.usecase.authorization.ExplainAccess;
import io.tokenvault.ports.usecase.idempotency.IdempotentInvocations;
import io.tokenvault.ports.usecase.idempotency.IdempotentRequests;
import io.tokenvault.ports.usecase.idempotency.ResponseCipher;
import io.tokenvault.ports.usecase.maintenance.DeleteExpired;
import io.tokenvault.ports.usecase.memory.MemoryBudget;
import io.tokenvault.ports.usecase.proxy.DryRunProxies;
import io.tokenvault.ports.usecase.proxy.ManageProxies;
import io.tokenvault.ports.usecase.proxy.ProxyCipher;
import io.tokenvault.ports.usecase.proxy.ProxyInvocations;
import io.tokenvault.ports.usecase.token.ChangeTokens;
import io.tokenvault.ports.usecase.token.CreateTokens;
import io.tokenvault.ports.usecase.token.ShortLivedData;
import io.tokenvault.ports.usecase.token.TokenContents;
import io.tokenvault.ports.usecase.token.TokenDecryptor;
import io.tokenvault.ports.usecase.token.VaultTokens;
import io.tokenvault.server.audit.LineSink;
import io.tokenvault.server.cache.CaffeineLookupCache;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.config.Configuration.Rates;
import io.tokenvault.server.config.Configuration.Web;
import io.tokenvault.server.config.ConfigurationException;
import io.tokenvault.server.json.JacksonJson;
import io.tokenvault.server.limits.NodeLimits;
import io.tokenvault.server.metrics.VaultMetrics;
import io.tokenvault.server.openapi.ApiDocument;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * A running vault: everything that responds to requests, on top of a {@link Backend}.
 *
 * <p>This is the programmatic entry; {@code serve} uses it as follows:
 *
 * <pre>{@code
 * try (StartPreparation prepared = StartPreparation.of(configuration);
 *     Backend backend = Backend.forServer(configuration, randomness);
 *     Vault vault = Vault.start(prepared, backend)) {
 *   System.out.println(vault.url());
 * }
 * }</pre>
 *
 * <p>Dependencies are passed to constructors in {@link #start}, which connects use cases, the
 * engine and the HTTP adapter.
 */
public final class Vault implements AutoCloseable {

  private static final Duration CERTIFICATE_CHECK = Duration.ofSeconds(2);

  private final WorkerTransforms transforms;
  private final ProxyEngine engine;
  private final Listeners listeners;
  private final VaultMetrics metrics;
  private final Housekeeping housekeeping;
  private final HashChainTask sealing;
  private final KeysetWatch keyset;
  private final Web web;

  private Vault(
      WorkerTransforms transforms,
      ProxyEngine engine,
      Listeners listeners,
      VaultMetrics metrics,
      Housekeeping housekeeping,
      HashChainTask sealing,
      KeysetWatch keyset,
      Web web) {
    this.transforms = transforms;
    this.engine = engine;
    this.listeners = listeners;
    this.metrics = metrics;
    this.housekeeping = housekeeping;
    this.sealing = sealing;
    this.keyset = keyset;
    this.web = web;
  }

  /**
   * Starts responding to requests.
   *
   * @param prepared its workers are stopped with the vault
   * @param backend stays the caller's to close, after the vault
   * @throws ConfigurationException if the settings cannot be used
   * @throws CannotListenException if the port or the certificate cannot be used
   */
  public static Vault start(StartPreparation prepared, Backend backend) {
    return start(prepared, backend, System::nanoTime);
  }

  /**
   * Starts responding to requests, with rate limits that use the given clock.
   *
   * @param prepared its workers are stopped with the vault
   * @param backend stays the caller's to close, after the vault
   * @param nanos a monotonic clock in nanoseconds, as {@link System#nanoTime}
   * @throws ConfigurationException if the settings cannot be used
   * @throws CannotListenException if the port or the certificate cannot be used
   */
  public static Vault start(StartPreparation prepared, Backend backend, LongSupplier nanos) {
    Configuration configuration = prepared.configuration();
    WorkerTransforms transforms = prepared.transforms();
    JdbiStores stores = backend.stores();
    RequestLookup lookup = stores.lookup();
    VaultMetrics metrics = VaultMetrics.of(stores);
    AuditRecorder recorder = metrics.measuredRecorder(stores.recorder());
    FieldCipher cipher = backend.fieldCipher();
    KeyHasher hasher = backend.hasher();
    SecureRandom randomness = backend.randomness();
    JsonCodec json = new JacksonJson();
    // Tenants of an older version may lack a key for a purpose that this version added.
    backend.manageKeys().ensureAllPurposes();

    Rates rates = configuration.web().load().rates();
    Authenticator authenticator =
        new Authenticator(
            lookup,
            new CaffeineLookupCache(lookup),
            hasher,
            stores.credentials(),
            recorder,
            metrics.measuredLimits(new NodeLimits(rates.application(), rates.anonymous(), nanos)));
    Expressions expressions = new LiquidExpressions(randomness);
    TokenHasher tokenHasher = backend.tokenHasher();
    TokenContents contents =
        new TokenContents(
            cipher,
            tokenHasher,
            expressions,
            json,
            new ShortLivedData(configuration.cvcLifetime()));
    // The one place that decrypts token data: it decides, records the access, then decrypts.
    TokenDecryptor tokenDecryptor = new TokenDecryptor(lookup, contents, authenticator, recorder);
    ManageApplications applications =
        new ManageApplications(stores.applications(), hasher, recorder, randomness);
    ProxyCipher proxyCipher = new ProxyCipher(cipher, json, hasher, randomness);
    ManageProxies proxies =
        new ManageProxies(
            stores.proxies(),
            stores.applications(),
            proxyCipher,
            configuration.egress().policy(),
            transforms,
            recorder);
    VaultTokens tokens =
        new VaultTokens(
            stores.tokens(),
            lookup,
            tokenDecryptor,
            authenticator,
            tokenHasher,
            expressions,
            recorder);
    CreateTokens createTokens =
        new CreateTokens(stores.tokens(), contents, tokenDecryptor, authenticator, recorder);
    ChangeTokens changeTokens =
        new ChangeTokens(
            stores.tokens(), lookup, contents, tokenDecryptor, authenticator, recorder);
    ReadLogs logs = new ReadLogs(stores.auditLog(), recorder);
    ProxyInvocations invocations =
        new ProxyInvocations(
            lookup, hasher, authenticator, tokenDecryptor, stores.proxies(), proxyCipher, recorder);
    DryRunProxies rehearse =
        new DryRunProxies(
            stores.proxies(),
            stores.applications(),
            proxyCipher,
            tokenDecryptor,
            authenticator,
            recorder);
    MemoryBudget memory = new MemoryBudget(configuration.web().load().apiMemory());
    Scripts scripts =
        new Scripts(
            metrics.measuredTransforms(transforms),
            transforms,
            VaultHttpServer.client(authenticator, tokens, createTokens, changeTokens, json),
            json,
            configuration.transforms().limits().bodyBytes());

    ResponseCipher responseCipher = new ResponseCipher(cipher, json);
    RequestJournal journal = stores.requestJournal();
    IdempotentInvocations repeatable =
        new IdempotentInvocations(
            journal, tokenHasher, responseCipher, configuration.proxyLimits().keepsAnswers());
    // From here on resources are acquired; a failure releases those that are acquired already.
    ProxyEngine engine = engine(configuration, invocations, repeatable, scripts, transforms);
    VaultHttpServer routes =
        new VaultHttpServer(
            new UseCases(
                authenticator,
                applications,
                new ExplainAccess(lookup, recorder),
                proxies,
                tokens,
                createTokens,
                changeTokens,
                logs,
                metrics.measuredProxy(engine),
                engine.rehearsing(rehearse),
                new IdempotentRequests(
                    journal,
                    tokenHasher,
                    responseCipher,
                    lookup,
                    authenticator,
                    recorder,
                    new ShortLivedData(configuration.cvcLifetime())),
                stores.readiness(),
                memory,
                json),
            httpSettings(configuration.web()),
            operations(configuration, backend, metrics));
    // Registered before the listeners start, so that no request is served by an unknown node.
    KeysetWatch keyset = backend.watchKeyset();
    Listeners listeners = listen(routes, configuration.web(), engine, transforms, keyset, metrics);
    transforms.startSpares();
    Housekeeping housekeeping =
        Housekeeping.start(
            stores.election(),
            new DeleteExpired(stores.applications(), stores.tokens(), journal),
            backend::reencryptFields,
            keyset,
            stores::ensurePartitions);
    housekeeping.storeUses(() -> authenticator.storeUses(stores.applications()));
    housekeeping.showRunning(repeatable);
    if (configuration.auditStream()) {
      housekeeping.stream(backend.streamLog(LineSink.standardOutput()));
    }
    HashChainTask sealing = HashChainTask.start(backend, configuration.checkpoints(), housekeeping);
    return new Vault(
        transforms, engine, listeners, metrics, housekeeping, sealing, keyset, configuration.web());
  }

  /** Creates the engine, or stops the workers if that fails. */
  private static ProxyEngine engine(
      Configuration configuration,
      ProxyInvocations invocations,
      IdempotentInvocations repeatable,
      Scripts scripts,
      WorkerTransforms transforms) {
    try {
      return EngineFactory.engine(configuration, invocations, repeatable, scripts);
    } catch (ConfigurationException refused) {
      transforms.close();
      throw refused;
    }
  }

  /** Starts the listeners, or releases all that was started before them if that fails. */
  private static Listeners listen(
      VaultHttpServer routes,
      Web web,
      ProxyEngine engine,
      WorkerTransforms transforms,
      KeysetWatch keyset,
      VaultMetrics metrics) {
    try {
      return Listeners.start(routes, web);
    } catch (CannotListenException | ConfigurationException refused) {
      engine.close();
      transforms.close();
      keyset.close();
      metrics.close();
      throw refused;
    }
  }

  /** Returns the settings of the HTTP adapter. */
  private static HttpSettings httpSettings(Web web) {
    return new HttpSettings(
        web.headers(),
        web.host(),
        web.port(),
        web.tls().map(tls -> new TlsFiles(tls.certificate(), tls.key(), CERTIFICATE_CHECK)),
        web.corsAllowedOrigins(),
        HttpLimits.DEFAULT.with(web.load().maxRequests(), web.load().minBodyRate()));
  }

  /**
   * Returns the endpoints of the admin listener, and registers the free space of the directories
   * that the vault writes to.
   */
  private static Operations operations(
      Configuration configuration, Backend backend, VaultMetrics metrics) {
    if (backend.isEmbedded()) {
      metrics.disk("database", configuration.dataDirectory());
    }
    configuration
        .checkpoints()
        .file()
        .ifPresent(file -> metrics.disk("checkpoints", file.getParent()));
    ApiDocument document = new ApiDocument(configuration.web().headers());
    return new Operations(
        document::json,
        metrics::scrape,
        metrics.requests(),
        configuration.tracing().toDestinations());
  }

  /** Returns the base URL of the API, with the port that was bound. */
  public String url() {
    return listeners.url();
  }

  /** Returns the base URL of the admin listener; empty if it does not run. */
  public Optional<String> adminUrl() {
    return listeners.adminUrl();
  }

  /**
   * Stops the vault gracefully.
   *
   * <p>It reports that it is not ready and continues to serve for {@link
   * Configuration.Web#shutdownDelay}, so that load balancers notice. Then it finishes the requests
   * in flight and stops.
   */
  @Override
  public void close() {
    listeners.leave();
    metrics.drain();
    pause(web.shutdownDelay());
    listeners.close();
    metrics.close();
    engine.close();
    transforms.close();
    housekeeping.close();
    sealing.close();
    keyset.close();
  }

  /** Waits for load balancers to notice; an interrupt ends the wait early. */
  private static void pause(Duration delay) {
    try {
      Thread.sleep(delay.toMillis());
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
    }
  }
}
