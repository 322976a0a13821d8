package io.tokenvault.engine;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.proxy.EgressPolicy;
import io.tokenvault.domain.proxy.TransformCode;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.engine.dryrun.DryRun;
import io.tokenvault.engine.dryrun.DryRuns;
import io.tokenvault.engine.dryrun.FileDryRun;
import io.tokenvault.engine.dryrun.Sample;
import io.tokenvault.engine.dryrun.SampleReader;
import io.tokenvault.engine.exchange.BodyMemoryBudget;
import io.tokenvault.engine.exchange.HeaderRules;
import io.tokenvault.engine.exchange.InvocationRecorder;
import io.tokenvault.engine.expression.template.TokenValues;
import io.tokenvault.engine.forward.ClientCertificates;
import io.tokenvault.engine.forward.ForwardTimeouts;
import io.tokenvault.engine.forward.Forwarder;
import io.tokenvault.engine.forward.NetworkAccess;
import io.tokenvault.engine.forward.TrustedAuthorities;
import io.tokenvault.engine.forward.egress.HostResolver;
import io.tokenvault.engine.forward.tunnel.ForwardProxy;
import io.tokenvault.engine.pipeline.AnnounceRequest;
import io.tokenvault.engine.pipeline.AuthorizeCaller;
import io.tokenvault.engine.pipeline.CheckDestination;
import io.tokenvault.engine.pipeline.Detokenize;
import io.tokenvault.engine.pipeline.Forward;
import io.tokenvault.engine.pipeline.HoldBody;
import io.tokenvault.engine.pipeline.Pipeline;
import io.tokenvault.engine.pipeline.ResponseRecorder;
import io.tokenvault.engine.pipeline.ReturnResponse;
import io.tokenvault.engine.pipeline.Step;
import io.tokenvault.engine.pipeline.TransformRequest;
import io.tokenvault.engine.pipeline.TransformResponse;
import io.tokenvault.engine.transform.ClientJson;
import io.tokenvault.engine.transform.Programs;
import io.tokenvault.engine.transform.TransformFetch;
import io.tokenvault.engine.transform.TransformHost.InvocationHosts;
import io.tokenvault.engine.transform.TransformRunner;
import io.tokenvault.engine.transform.Transforms;
import io.tokenvault.ports.api.InvokeProxy;
import io.tokenvault.ports.api.ProxyAnswer;
import io.tokenvault.ports.api.ProxyCall;
import io.tokenvault.ports.api.RehearseProxy;
import io.tokenvault.ports.api.ServiceClient;
import io.tokenvault.ports.api.ServiceHeaders;
import io.tokenvault.ports.runtime.JsonCodec;
import io.tokenvault.ports.runtime.TransformRuntime;
import io.tokenvault.ports.usecase.idempotency.IdempotentInvocations;
import io.tokenvault.ports.usecase.proxy.DryRunProxies;
import io.tokenvault.ports.usecase.proxy.ProxyInvocations;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The proxy, as a list of steps. */
public final class ProxyEngine implements InvokeProxy, AutoCloseable {

  private final Pipeline pipeline;
  private final Forwarder forwarder;
  private final DryRuns.Shop shop;

  /**
   * @throws IllegalArgumentException if the file of extra authorities cannot be used
   */
  public ProxyEngine(
      ProxyInvocations invocations,
      IdempotentInvocations repeatable,
      EgressPolicy policy,
      Settings settings,
      Scripts scripts) {
    this(invocations, repeatable, policy, settings, scripts, HostResolver.system());
  }

  ProxyEngine(
      ProxyInvocations invocations,
      IdempotentInvocations repeatable,
      EgressPolicy policy,
      Settings settings,
      Scripts scripts,
      HostResolver resolver) {
    // What does not fit into the budget could never be held.
    int limit = (int) Math.min(scripts.maxBody(), settings.heldBodiesBudget());
    InvocationRecorder ends = new InvocationRecorder(invocations);
    this.forwarder =
        new Forwarder(
            policy,
            new NetworkAccess(
                resolver.overriddenBy(settings.hostOverrides()),
                TrustedAuthorities.load(settings.extraAuthorities()),
                settings.clientCertificates(),
                settings.forwardProxy()),
            new ForwardTimeouts(
                settings.connectTimeout(), settings.firstByteTimeout(), settings.idleTimeout()),
            settings.maxPerDestination());
    ServiceHeaders names = settings.headers();
    HeaderRules rules = new HeaderRules(names);
    Programs programs = new Programs(invocations, scripts.runtime());
    TransformFetch fetches = new TransformFetch(invocations, ends, policy, forwarder, rules, limit);
    Transforms transforms = transforms(scripts, invocations, fetches);
    ResponseRecorder kept = new ResponseRecorder(names, repeatable.keepsBodies());
    List<Step> steps =
        List.of(
            new AuthorizeCaller(invocations),
            new CheckDestination(invocations, policy, names),
            new HoldBody(settings.maxHeldBody(), limit, names),
            new Detokenize(access(invocations), rules),
            new AnnounceRequest(repeatable, kept),
            new TransformRequest(
                exchange -> programs.of(exchange.admission()), transforms, rules, limit),
            new Forward(forwarder::send, proxy -> Forward.clientCertificate(proxy, policy), rules),
            new TransformResponse(transforms, rules, limit),
            new ReturnResponse(rules, names));
    BodyMemoryBudget bodies = new BodyMemoryBudget(settings.heldBodiesBudget());
    this.pipeline = new Pipeline(steps, names, bodies, ends, kept);
    this.shop =
        new DryRuns.Shop(
            new CheckDestination(invocations, policy, names),
            new HoldBody(settings.maxHeldBody(), limit, names),
            programs,
            scripts.client(),
            bodies,
            new DryRun.Bench(scripts.runner(), names, scripts.json(), limit));
  }

  private static Detokenize.TokenAccess access(ProxyInvocations invocations) {
    return (exchange, ids) ->
        new TokenValues(
            invocations.begin(exchange.admission(), exchange.destination(), ids, exchange.memory()),
            exchange.memory());
  }

  private static Transforms transforms(
      Scripts scripts, ProxyInvocations invocations, TransformFetch fetches) {
    return new Transforms(
        scripts.runner(),
        new InvocationHosts(invocations, scripts.client(), new ClientJson(scripts.json()), fetches),
        scripts.maxBody());
  }

  @Override
  public ProxyAnswer invoke(ProxyCall call) {
    return pipeline.run(call);
  }

  /** Tries proxies out, with everything that invocations run with. */
  public RehearseProxy rehearsing(DryRunProxies rehearse) {
    return new DryRuns(rehearse, shop);
  }

  /**
   * Runs a file's code on a sample, without a vault: what it asks for comes from mocks only.
   *
   * @return what came of it; where it failed, {@code error} under the kind's property
   * @throws io.tokenvault.domain.failure.ValidationException naming all that is wrong with the
   *     sample
   */
  public static JsonObject tryOut(Workshop workshop, Draft draft) {
    Sample sample = new SampleReader(workshop.json(), workshop.maxBody()).ofFile(draft.sample());
    if (draft.kind() == TransformKind.RESPONSE && sample.response().isEmpty()) {
      throw ValidationException.of("response", "is required");
    }
    DryRun.Bench bench =
        new DryRun.Bench(
            workshop.runner(), ServiceHeaders.DEFAULT, workshop.json(), workshop.maxBody());
    return new FileDryRun(workshop.runtime(), bench).run(draft.kind(), draft.code(), sample);
  }

  /** Ends idle connections. */
  @Override
  public void close() {
    forwarder.close();
  }

  /**
   * What transforms of proxies are compiled and run with.
   *
   * @param client acts as the proxies' applications
   * @param json reads and writes its arguments and results
   * @param maxBody of what goes into a transform and comes out of it, and of what it fetches, in
   *     bytes
   */
  public record Scripts(
      TransformRunner runner,
      TransformRuntime runtime,
      ServiceClient client,
      JsonCodec json,
      int maxBody) {

    public Scripts {
      Objects.requireNonNull(runner, "runner");
      Objects.requireNonNull(runtime, "runtime");
      Objects.requireNonNull(client, "client");
      Objects.requireNonNull(json, "json");
      if (maxBody < 1) {
        throw new IllegalArgumentException("a body has at least a byte");
      }
    }
  }

  /**
   * What code that belongs to no proxy is compiled and run with.
   *
   * @param maxBody of what goes into a transform and comes out of it, in bytes
   */
  public record Workshop(
      TransformRunner runner, TransformRuntime runtime, JsonCodec json, int maxBody) {
    public Workshop {
      Objects.requireNonNull(runner, "runner");
      Objects.requireNonNull(runtime, "runtime");
      Objects.requireNonNull(json, "json");
    }
  }

  /** Code that belongs to no proxy, and what to run it on. */
  public record Draft(TransformKind kind, TransformCode code, JsonValue sample) {
    public Draft {
      Objects.requireNonNull(kind, "kind");
      Objects.requireNonNull(code, "code");
      Objects.requireNonNull(sample, "sample");
    }
  }

  /**
   * What the operator can choose.
   *
   * @param hostOverrides addresses by host name, in place of what DNS says; the egress policy
   *     applies to them too
   * @param extraAuthorities a PEM file of certificate authorities, trusted in addition to the
   *     system's
   * @param clientCertificates which proxies may name, for destinations to ask for
   * @param forwardProxy through which destinations are reached; empty: directly
   * @param connectTimeout for a connection: finding addresses, dialling and the TLS handshake
   *     together
   * @param firstByteTimeout from the end of the request to the answer
   * @param idleTimeout without a byte, once the answer has begun
   * @param maxHeldBody how many bytes of a body are held to find expressions in it
   * @param heldBodiesBudget how many bytes all bodies held at the same time may have
   * @param maxPerDestination how many exchanges with one destination may go on at the same time
   */
  public record Settings(
      ServiceHeaders headers,
      Map<String, List<InetAddress>> hostOverrides,
      Optional<Path> extraAuthorities,
      ClientCertificates clientCertificates,
      Optional<ForwardProxy> forwardProxy,
      Duration connectTimeout,
      Duration firstByteTimeout,
      Duration idleTimeout,
      int maxHeldBody,
      long heldBodiesBudget,
      int maxPerDestination) {

    public Settings {
      Objects.requireNonNull(headers, "headers");
      hostOverrides = Map.copyOf(hostOverrides);
      Objects.requireNonNull(extraAuthorities, "extraAuthorities");
      Objects.requireNonNull(clientCertificates, "clientCertificates");
      Objects.requireNonNull(forwardProxy, "forwardProxy");
      if (maxHeldBody < 1 || heldBodiesBudget < maxHeldBody) {
        throw new IllegalArgumentException("one held body must fit into the budget of all");
      }
      if (maxPerDestination < 1) {
        throw new IllegalArgumentException("a destination takes at least one request at a time");
      }
    }
  }
}
