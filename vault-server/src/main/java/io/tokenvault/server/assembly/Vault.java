package io.tokenvault.server.assembly;

import io.tokenvault.adapters.http.VaultRoutes;
import io.tokenvault.adapters.http.VaultRoutes.CannotListenException;
import io.tokenvault.adapters.http.VaultRoutes.HttpLimits;
import io.tokenvault.adapters.http.VaultRoutes.HttpSettings;
import io.tokenvault.adapters.http.VaultRoutes.TlsFiles;
import io.tokenvault.adapters.http.VaultRoutes.UseCases;
import io.tokenvault.adapters.jdbi.stores.VaultStores;
import io.tokenvault.engine.ProxyEngine;
import io.tokenvault.engine.ProxyEngine.Scripts;
import io.tokenvault.engine.expression.LiquidExpressions;
import io.tokenvault.engine.transform.WorkerTransforms;
import io.tokenvault.ports.spi.AuditRecorder;
import io.tokenvault.ports.spi.Expressions;
import io.tokenvault.ports.spi.JsonCodec;
import io.tokenvault.ports.spi.KeyHasher;
import io.tokenvault.ports.spi.RequestLookup;
import io.tokenvault.ports.spi.Sealer;
import io.tokenvault.ports.spi.TokenHasher;
import io.tokenvault.ports.usecase.ChangeTokens;
import io.tokenvault.ports.usecase.CreateTokens;
import io.tokenvault.ports.usecase.Gate;
import io.tokenvault.ports.usecase.ManageApplications;
import io.tokenvault.ports.usecase.ManageProxies;
import io.tokenvault.ports.usecase.OpenTokens;
import io.tokenvault.ports.usecase.ProxyInvocations;
import io.tokenvault.ports.usecase.ProxySeals;
import io.tokenvault.ports.usecase.ReadLogs;
import io.tokenvault.ports.usecase.RehearseProxies;
import io.tokenvault.ports.usecase.ShortLivedData;
import io.tokenvault.ports.usecase.SweepExpired;
import io.tokenvault.ports.usecase.TokenContents;
import io.tokenvault.ports.usecase.VaultTokens;
import io.tokenvault.ports.usecase.WorkingMemory;
import io.tokenvault.server.cache.RememberedLookup;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.config.Configuration.Web;
import io.tokenvault.server.feed.LineSink;
import io.tokenvault.server.json.JacksonJson;
import java.security.SecureRandom;
import java.time.Duration;

/** A running vault: everything that answers requests, on top of a {@link Backend}. */
public final class Vault implements AutoCloseable {

  private static final Duration CERTIFICATE_CHECK = Duration.ofSeconds(2);

  private final WorkerTransforms transforms;
  private final ProxyEngine engine;
  private final VaultRoutes.Running server;
  private final Housekeeping housekeeping;
  private final LogSealing sealing;
  private final KeysetWatch keyset;
  private final Web web;

  private Vault(
      WorkerTransforms transforms,
      ProxyEngine engine,
      VaultRoutes.Running server,
      Housekeeping housekeeping,
      LogSealing sealing,
      KeysetWatch keyset,
      Web web) {
    this.transforms = transforms;
    this.engine = engine;
    this.server = server;
    this.housekeeping = housekeeping;
    this.sealing = sealing;
    this.keyset = keyset;
    this.web = web;
  }

  /**
   * Starts answering requests; the backend stays the caller's to close, after this.
   *
   * @throws StartException if the settings cannot be used
   * @throws CannotListenException if the port or the certificate cannot be used
   */
  public static Vault start(Configuration configuration, Backend backend) {
    VaultStores stores = backend.stores();
    RequestLookup lookup = stores.lookup();
    AuditRecorder recorder = stores.recorder();
    Sealer sealer = backend.sealer();
    KeyHasher hasher = backend.hasher();
    SecureRandom randomness = backend.randomness();
    JsonCodec json = new JacksonJson();
    backend.ensureAllPurposes();

    Gate gate =
        new Gate(lookup, new RememberedLookup(lookup), hasher, stores.credentials(), recorder);
    Expressions expressions = new LiquidExpressions(randomness);
    TokenHasher tokenHasher = backend.tokenHasher();
    TokenContents contents =
        new TokenContents(
            sealer,
            tokenHasher,
            expressions,
            json,
            new ShortLivedData(configuration.cvcLifetime()));
    OpenTokens door = new OpenTokens(lookup, contents, gate, recorder);
    ManageApplications applications =
        new ManageApplications(stores.applications(), hasher, recorder, randomness);
    ProxySeals seals = new ProxySeals(sealer, json, hasher, randomness);
    WorkerTransforms transforms = TransformWorkers.start(configuration.transforms());
    ManageProxies proxies =
        new ManageProxies(
            stores.proxies(),
            stores.applications(),
            seals,
            configuration.egress().policy(),
            transforms,
            recorder);
    VaultTokens tokens =
        new VaultTokens(stores.tokens(), lookup, door, gate, tokenHasher, expressions, recorder);
    CreateTokens createTokens = new CreateTokens(stores.tokens(), contents, door, gate, recorder);
    ChangeTokens changeTokens =
        new ChangeTokens(stores.tokens(), lookup, contents, door, gate, recorder);
    ReadLogs logs = new ReadLogs(stores.auditLog(), recorder);
    ProxyInvocations invocations =
        new ProxyInvocations(lookup, hasher, gate, door, stores.proxies(), seals, recorder);
    RehearseProxies rehearse =
        new RehearseProxies(stores.proxies(), stores.applications(), seals, door, gate, recorder);
    WorkingMemory memory = new WorkingMemory(configuration.web().load().apiMemory());
    Scripts scripts =
        new Scripts(
            transforms,
            transforms,
            VaultRoutes.client(gate, tokens, createTokens, changeTokens, memory, json),
            json,
            configuration.transforms().limits().bodyBytes());

    ProxyEngine engine = engine(configuration, invocations, scripts, transforms);
    VaultRoutes routes =
        new VaultRoutes(
            new UseCases(
                gate,
                applications,
                proxies,
                tokens,
                createTokens,
                changeTokens,
                logs,
                engine,
                engine.rehearsing(rehearse),
                stores.readiness(),
                memory,
                json),
            httpSettings(configuration.web()));
    KeysetWatch keyset = backend.watchKeyset();
    VaultRoutes.Running server = listen(routes, engine, transforms, keyset);
    transforms.startSpares();
    Housekeeping housekeeping =
        Housekeeping.start(
            stores.election(),
            new SweepExpired(stores.applications(), stores.tokens()),
            backend::reencryptFields,
            keyset,
            stores::ensurePartitions);
    if (configuration.auditStream()) {
      LineSink output = LineSink.standardOutput();
      housekeeping.stream(() -> backend.streamLogs(output));
    }
    LogSealing sealing = LogSealing.start(backend, configuration.checkpoints(), housekeeping);
    return new Vault(
        transforms, engine, server, housekeeping, sealing, keyset, configuration.web());
  }

  private static ProxyEngine engine(
      Configuration configuration,
      ProxyInvocations invocations,
      Scripts scripts,
      WorkerTransforms transforms) {
    try {
      return OutgoingRequests.engine(configuration, invocations, scripts);
    } catch (StartException refused) {
      transforms.close();
      throw refused;
    }
  }

  private static VaultRoutes.Running listen(
      VaultRoutes routes, ProxyEngine engine, WorkerTransforms transforms, KeysetWatch keyset) {
    try {
      return routes.start();
    } catch (CannotListenException refused) {
      engine.close();
      transforms.close();
      keyset.close();
      throw refused;
    }
  }

  private static HttpSettings httpSettings(Web web) {
    return new HttpSettings(
        web.headers(),
        web.host(),
        web.port(),
        web.tls().map(tls -> new TlsFiles(tls.certificate(), tls.key(), CERTIFICATE_CHECK)),
        web.corsAllowedOrigins(),
        HttpLimits.DEFAULT.with(web.load().maxRequests(), web.load().minBodyRate()));
  }

  /** The base URL under which it answers. */
  public String url() {
    String host = web.host().contains(":") ? "[" + web.host() + "]" : web.host();
    return (web.tls().isPresent() ? "https://" : "http://") + host + ":" + server.port();
  }

  /**
   * Says that it is not ready and goes on serving for as long as the settings say, lets requests in
   * flight finish, then stops.
   */
  @Override
  public void close() {
    server.leave();
    pause(web.shutdownDelay());
    server.close();
    engine.close();
    transforms.close();
    housekeeping.close();
    sealing.close();
    keyset.close();
  }

  /** Who is in a hurry interrupts it. */
  private static void pause(Duration delay) {
    try {
      Thread.sleep(delay.toMillis());
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
    }
  }
}
