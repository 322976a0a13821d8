package io.tokenvault.server.assembly;

import io.micrometer.core.instrument.MeterRegistry;
import io.tokenvault.adapters.http.resource.InProcessClient;
import io.tokenvault.adapters.http.response.JsonRenderer;
import io.tokenvault.adapters.http.server.UseCases;
import io.tokenvault.engine.ProxyEngine;
import io.tokenvault.engine.ProxyEngine.Scripts;
import io.tokenvault.engine.expression.LiquidExpressions;
import io.tokenvault.engine.transform.TransformService;
import io.tokenvault.ports.VaultStores;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.runtime.Expressions;
import io.tokenvault.ports.runtime.JsonCodec;
import io.tokenvault.ports.runtime.MemoryBudget;
import io.tokenvault.ports.runtime.RateLimits;
import io.tokenvault.ports.runtime.Tracer;
import io.tokenvault.ports.store.RequestLookup;
import io.tokenvault.ports.usecase.application.ManageApplications;
import io.tokenvault.ports.usecase.audit.ReadLogs;
import io.tokenvault.ports.usecase.authorization.Authenticator;
import io.tokenvault.ports.usecase.authorization.ExplainAccess;
import io.tokenvault.ports.usecase.idempotency.IdempotentInvocations;
import io.tokenvault.ports.usecase.idempotency.IdempotentRequests;
import io.tokenvault.ports.usecase.idempotency.ResponseCipher;
import io.tokenvault.ports.usecase.proxy.DryRunProxies;
import io.tokenvault.ports.usecase.proxy.ManageProxies;
import io.tokenvault.ports.usecase.proxy.ProxyCipher;
import io.tokenvault.ports.usecase.proxy.ProxyInvocations;
import io.tokenvault.ports.usecase.tenant.ReadTenant;
import io.tokenvault.ports.usecase.token.ChangeTokens;
import io.tokenvault.ports.usecase.token.CreateTokens;
import io.tokenvault.ports.usecase.token.ShortLivedData;
import io.tokenvault.ports.usecase.token.TokenContents;
import io.tokenvault.ports.usecase.token.TokenDecryptor;
import io.tokenvault.ports.usecase.token.VaultTokens;
import io.tokenvault.server.cache.CaffeineLookupCache;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.crypto.CurrentKeys;
import io.tokenvault.server.json.JacksonJson;
import io.tokenvault.server.metrics.Measured;
import java.security.SecureRandom;

/**
 * Connects the use cases and the proxy engine with the stores, the keys, and each other.
 * Dependencies are passed to constructors, without a framework.
 */
final class UseCaseAssembly {

  private final Configuration configuration;
  private final VaultStores stores;
  private final CurrentKeys keys;
  private final SecureRandom randomness;
  private final TransformService transforms;
  private final MeterRegistry meters;
  private final Tracer tracer;
  private final AuditRecorder recorder;
  private final RequestLookup lookup;
  private final JsonCodec json = new JacksonJson();
  private final Authenticator authenticator;
  private final ProxyCipher proxyCipher;
  private final ResponseCipher responseCipher;
  private final ShortLivedData shortLivedData;

  /** The one place that decrypts token data: it decides, records the access, then decrypts. */
  private final TokenDecryptor tokenDecryptor;

  private final VaultTokens tokens;
  private final CreateTokens createTokens;
  private final ChangeTokens changeTokens;

  UseCaseAssembly(
      Configuration configuration,
      Backend backend,
      TransformService transforms,
      RateLimits rateLimits,
      MeterRegistry meters,
      Tracer tracer) {
    this.configuration = configuration;
    this.stores = backend.stores();
    this.keys = backend.keys();
    this.randomness = backend.randomness();
    this.transforms = transforms;
    this.meters = meters;
    this.tracer = tracer;
    recorder = new Measured.Recorder(stores.recorder(), meters, tracer);
    lookup = stores.lookup();
    authenticator =
        new Authenticator(
            lookup,
            new CaffeineLookupCache(lookup),
            keys,
            stores.credentials(),
            recorder,
            new Measured.Limits(rateLimits, meters));
    proxyCipher = new ProxyCipher(keys, json, keys, randomness);
    responseCipher = new ResponseCipher(keys, json);
    shortLivedData = new ShortLivedData(configuration.cvcLifetime());
    Expressions expressions = new LiquidExpressions(randomness);
    TokenContents contents = new TokenContents(keys, keys, expressions, json, shortLivedData);
    tokenDecryptor = new TokenDecryptor(lookup, contents, authenticator, recorder);
    tokens =
        new VaultTokens(
            stores.tokens(), lookup, tokenDecryptor, authenticator, keys, expressions, recorder);
    createTokens =
        new CreateTokens(stores.tokens(), contents, tokenDecryptor, authenticator, recorder);
    changeTokens =
        new ChangeTokens(
            stores.tokens(), lookup, contents, tokenDecryptor, authenticator, recorder);
  }

  Authenticator authenticator() {
    return authenticator;
  }

  IdempotentInvocations idempotentInvocations() {
    return new IdempotentInvocations(
        stores.requestJournal(), keys, responseCipher, configuration.keepsResponses());
  }

  /**
   * Returns the engine behind {@code /proxy}.
   *
   * @param idempotency executes proxied requests with an idempotency key
   */
  ProxyEngine engine(IdempotentInvocations idempotency) {
    ProxyInvocations invocations =
        new ProxyInvocations(
            lookup, keys, authenticator, tokenDecryptor, stores.proxies(), proxyCipher, recorder);
    Scripts scripts =
        new Scripts(
            new Measured.Transforms(transforms, meters, tracer),
            transforms,
            new InProcessClient(
                authenticator, tokens, createTokens, changeTokens, new JsonRenderer(json)),
            json,
            configuration.transforms().limits().maxOutput());
    return new ProxyEngine(
        invocations,
        idempotency,
        configuration.egressPolicy(),
        configuration.proxy(),
        scripts,
        tracer);
  }

  /** Returns all use cases that the HTTP routes call. */
  UseCases useCases(ProxyEngine engine) {
    return new UseCases(
        authenticator,
        new ManageApplications(stores.applications(), keys, recorder, randomness),
        new ExplainAccess(lookup, recorder),
        new ReadTenant(stores.tenants(), recorder),
        new ManageProxies(
            stores.proxies(),
            stores.applications(),
            proxyCipher,
            configuration.egressPolicy(),
            transforms,
            recorder),
        tokens,
        createTokens,
        changeTokens,
        new ReadLogs(stores.auditLog(), recorder),
        new Measured.Proxy(engine, meters),
        engine.dryRuns(dryRuns()),
        new IdempotentRequests(
            stores.requestJournal(),
            keys,
            responseCipher,
            lookup,
            authenticator,
            recorder,
            shortLivedData),
        stores.readiness(),
        new MemoryBudget(configuration.web().apiMemory()),
        json);
  }

  private DryRunProxies dryRuns() {
    return new DryRunProxies(
        stores.proxies(),
        stores.applications(),
        proxyCipher,
        tokenDecryptor,
        authenticator,
        recorder);
  }
}
