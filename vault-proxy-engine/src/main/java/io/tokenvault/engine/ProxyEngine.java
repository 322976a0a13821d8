package io.tokenvault.engine;

import io.tokenvault.domain.proxy.EgressPolicy;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.engine.dryrun.DryRun;
import io.tokenvault.engine.dryrun.DryRuns;
import io.tokenvault.engine.exchange.BodyMemoryBudget;
import io.tokenvault.engine.exchange.HeaderRules;
import io.tokenvault.engine.exchange.InvocationRecorder;
import io.tokenvault.engine.exchange.Program;
import io.tokenvault.engine.expression.template.TokenValues;
import io.tokenvault.engine.forward.ClientCertificates;
import io.tokenvault.engine.forward.ForwardProxy;
import io.tokenvault.engine.forward.ForwardTimeouts;
import io.tokenvault.engine.forward.Forwarder;
import io.tokenvault.engine.forward.Forwarder.NetworkAccess;
import io.tokenvault.engine.forward.TrustedAuthorities;
import io.tokenvault.engine.forward.egress.HostResolver;
import io.tokenvault.engine.pipeline.AuthorizeCaller;
import io.tokenvault.engine.pipeline.BufferBody;
import io.tokenvault.engine.pipeline.CheckDestination;
import io.tokenvault.engine.pipeline.Detokenize;
import io.tokenvault.engine.pipeline.Forward;
import io.tokenvault.engine.pipeline.PipelineRunner;
import io.tokenvault.engine.pipeline.ResponseRecorder;
import io.tokenvault.engine.pipeline.Step;
import io.tokenvault.engine.pipeline.TransformRequest;
import io.tokenvault.engine.pipeline.TransformResponse;
import io.tokenvault.engine.transform.Programs;
import io.tokenvault.engine.transform.TransformFetch;
import io.tokenvault.engine.transform.TransformHost.ClientJson;
import io.tokenvault.engine.transform.TransformHost.InvocationHosts;
import io.tokenvault.engine.transform.TransformRunner;
import io.tokenvault.engine.transform.Transforms;
import io.tokenvault.ports.api.InvokeProxy;
import io.tokenvault.ports.api.ProxyCall;
import io.tokenvault.ports.api.ProxyDryRun;
import io.tokenvault.ports.api.ProxyResponse;
import io.tokenvault.ports.api.ServiceClient;
import io.tokenvault.ports.api.ServiceHeaders;
import io.tokenvault.ports.runtime.JsonCodec;
import io.tokenvault.ports.runtime.Tracer;
import io.tokenvault.ports.runtime.TransformRuntime;
import io.tokenvault.ports.usecase.idempotency.IdempotentInvocations;
import io.tokenvault.ports.usecase.proxy.Admission;
import io.tokenvault.ports.usecase.proxy.DryRunProxies;
import io.tokenvault.ports.usecase.proxy.ProxyInvocations;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The forwarding proxy: authorizes a request, replaces its token expressions, runs its transforms,
 * and sends it to its destination.
 *
 * <p>The constructor lists the steps of an invocation in order. One instance serves all threads; it
 * lives as long as the server and is closed with it.
 *
 * <pre>{@code
 * try (ProxyEngine engine =
 *     new ProxyEngine(invocations, idempotent, policy, settings, scripts, Tracer.NONE)) {
 *   ProxyResponse response = engine.invoke(call);
 * }
 * }</pre>
 */
public final class ProxyEngine implements InvokeProxy, AutoCloseable {

  private static final List<TransformKind> KINDS = List.of(TransformKind.values());

  private final PipelineRunner pipeline;
  private final Forwarder forwarder;
  private final DryRuns.Dependencies dryRuns;

  /**
   * Creates an engine that resolves host names through the operating system.
   *
   * @param invocations authorizes invocations, records them and decrypts the tokens they name
   * @param idempotentInvocations records the requests that carry an idempotency key
   * @param policy the operator's rules for destinations
   * @param tracer shows the steps of invocations
   * @throws IllegalArgumentException if the file of extra certificate authorities cannot be used
   */
  public ProxyEngine(
      ProxyInvocations invocations,
      IdempotentInvocations idempotentInvocations,
      EgressPolicy policy,
      Settings settings,
      Scripts scripts,
      Tracer tracer) {
    this(
        invocations,
        idempotentInvocations,
        policy,
        settings,
        scripts,
        HostResolver.system(),
        tracer);
  }

  ProxyEngine(
      ProxyInvocations invocations,
      IdempotentInvocations idempotentInvocations,
      EgressPolicy policy,
      Settings settings,
      Scripts scripts,
      HostResolver resolver,
      Tracer tracer) {
    // A body larger than the budget of all bodies could never be buffered.
    int limit = (int) Math.min(scripts.maxBody(), settings.bodyMemoryBudget());
    InvocationRecorder ends = new InvocationRecorder(invocations);
    this.forwarder = settings.forwarder(policy, resolver);
    ServiceHeaders names = settings.headers();
    HeaderRules rules = new HeaderRules(names);
    Programs programs = new Programs(invocations, scripts.runtime());
    TransformFetch fetches = new TransformFetch(invocations, ends, policy, forwarder, rules, limit);
    ClientJson json = new ClientJson(scripts.json());
    InvocationHosts hosts = new InvocationHosts(invocations, scripts.client(), json, fetches);
    Transforms transforms = new Transforms(scripts.runner(), hosts, scripts.maxBody());
    ResponseRecorder recorder = new ResponseRecorder(names, idempotentInvocations);
    CheckDestination checkDestination =
        new CheckDestination(
            exchange -> invocations.requireUrlHeader(exchange.admission()), policy, names);
    BufferBody bufferBody = new BufferBody(settings.maxBufferedBody(), limit, names);
    List<Step> steps =
        List.of(
            Step.traced("AuthorizeCaller", Tracer.DECISION, new AuthorizeCaller(invocations)),
            Step.of("CheckDestination", checkDestination),
            Step.readingBody("BufferBody", bufferBody),
            Step.traced(
                "Detokenize",
                Tracer.DECISION,
                new Detokenize(access(invocations), rules, recorder::announce)),
            Step.of(
                "TransformRequest",
                new TransformRequest(
                    exchange -> programs(programs, exchange.admission()),
                    transforms,
                    rules,
                    limit)),
            Step.sending(
                "Forward",
                Tracer.DESTINATION,
                new Forward(
                    forwarder::send, proxy -> Forward.clientCertificate(proxy, policy), rules)),
            Step.of("TransformResponse", new TransformResponse(transforms, rules, names, limit)));
    BodyMemoryBudget bodies = new BodyMemoryBudget(settings.bodyMemoryBudget());
    this.pipeline =
        new PipelineRunner(steps, names, bodies, ends::record, recorder::record, tracer);
    this.dryRuns =
        new DryRuns.Dependencies(
            checkDestination,
            bufferBody,
            programs,
            scripts.client(),
            bodies,
            new DryRun.Dependencies(scripts.runner(), names, scripts.json(), limit));
  }

  /** Returns token access that records the invocation before it decrypts a token. */
  private static Detokenize.TokenAccess access(ProxyInvocations invocations) {
    return (exchange, ids) ->
        new TokenValues(
            invocations.begin(exchange.admission(), exchange.destination(), ids, exchange.memory()),
            exchange.memory());
  }

  /** Returns the programs of a proxy; most proxies have no transform. */
  private static Map<TransformKind, Program> programs(Programs programs, Admission admission) {
    for (TransformKind kind : KINDS) {
      if (admission.transform(kind).isPresent()) {
        return programs.of(admission);
      }
    }
    return Map.of();
  }

  /**
   * Runs one invocation to its response. The caller closes the response, which records how the
   * invocation ended.
   *
   * @throws io.tokenvault.domain.failure.VaultException if the request is refused or fails
   */
  @Override
  public ProxyResponse invoke(ProxyCall call) {
    return pipeline.run(call);
  }

  /**
   * Returns the dry run of proxies, which shares steps, programs and memory budget with
   * invocations.
   */
  public ProxyDryRun dryRuns(DryRunProxies proxies) {
    return new DryRuns(proxies, dryRuns);
  }

  /** Closes idle connections; exchanges in flight continue to their end. */
  @Override
  public void close() {
    forwarder.close();
  }

  /**
   * Dependencies that compile and run the transforms of proxies.
   *
   * @param runner runs compiled transforms in isolation
   * @param runtime compiles transforms
   * @param client acts as the application of a proxy
   * @param json reads and writes the client's arguments and results
   * @param maxBody limit in bytes of a transform's input, its output, and each body that it fetches
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
        throw new IllegalArgumentException("a body has at least one byte");
      }
    }
  }

  /**
   * Settings that the operator chooses.
   *
   * @param headers names of the headers that belong to the service
   * @param hostOverrides addresses by host name, used instead of DNS; the egress policy still
   *     applies
   * @param extraAuthorities a PEM file of certificate authorities, trusted in addition to the
   *     system's
   * @param clientCertificates certificates that a proxy may name and its destination may request
   * @param forwardProxy proxy that connections are made through; empty for direct connections
   * @param connectTimeout limit for a connection: DNS lookup, TCP connect and TLS handshake
   *     together
   * @param firstByteTimeout limit from the end of the request to the first byte of the response
   * @param idleTimeout limit for each pause once the response has begun
   * @param maxBufferedBody largest body, in bytes, that is buffered to find expressions in it
   * @param bodyMemoryBudget bytes that all buffered bodies may occupy at one time
   * @param maxPerDestination largest number of concurrent exchanges with one destination
   */
  public record Settings(
      ServiceHeaders headers,
      Map<String, List<InetAddress>> hostOverrides,
      Optional<Path> extraAuthorities,
      ClientCertificates clientCertificates,
      Optional<ForwardProxy> forwardProxy,
      boolean http2,
      Duration connectTimeout,
      Duration firstByteTimeout,
      Duration idleTimeout,
      int maxBufferedBody,
      long bodyMemoryBudget,
      int maxPerDestination) {

    /** Largest textual body that is buffered by default, in bytes. */
    private static final int MAX_BUFFERED_BODY = 10 * 1024 * 1024;

    /**
     * Returns the default settings. Public DNS names and certificate authorities; HTTP/1.1 only; 10
     * s to connect, 30 s to the first byte of the response, and 60 s for each pause after that;
     * bodies of up to 10 MiB, and a quarter of the heap for all of them; 384 concurrent exchanges
     * per destination.
     */
    public static Settings defaults() {
      return new Settings(
          ServiceHeaders.DEFAULT,
          Map.of(),
          Optional.empty(),
          ClientCertificates.none(),
          Optional.empty(),
          false,
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofSeconds(60),
          MAX_BUFFERED_BODY,
          Math.max(MAX_BUFFERED_BODY, Runtime.getRuntime().maxMemory() / 4),
          384);
    }

    public Settings {
      Objects.requireNonNull(headers, "headers");
      hostOverrides = Map.copyOf(hostOverrides);
      Objects.requireNonNull(extraAuthorities, "extraAuthorities");
      Objects.requireNonNull(clientCertificates, "clientCertificates");
      Objects.requireNonNull(forwardProxy, "forwardProxy");
      if (maxBufferedBody < 1 || bodyMemoryBudget < maxBufferedBody) {
        throw new IllegalArgumentException(
            "the limit of one buffered body must not exceed the budget of all");
      }
      if (maxPerDestination < 1) {
        throw new IllegalArgumentException("a destination allows at least one request at a time");
      }
    }

    /**
     * Returns the part that sends requests.
     *
     * @throws IllegalArgumentException if the file of extra authorities cannot be used
     */
    Forwarder forwarder(EgressPolicy policy, HostResolver resolver) {
      return new Forwarder(
          policy,
          new NetworkAccess(
              resolver.overriddenBy(hostOverrides),
              TrustedAuthorities.load(extraAuthorities),
              clientCertificates,
              forwardProxy,
              http2),
          new ForwardTimeouts(connectTimeout, firstByteTimeout, idleTimeout),
          maxPerDestination);
    }
  }
}
