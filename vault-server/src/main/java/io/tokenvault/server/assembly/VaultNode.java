package io.tokenvault.server.assembly;

import io.tokenvault.adapters.http.exchange.Operations;
import io.tokenvault.adapters.http.exchange.RequestObserver.RequestWatch;
import io.tokenvault.adapters.http.server.CannotListenException;
import io.tokenvault.adapters.http.server.UseCases;
import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.engine.ProxyEngine;
import io.tokenvault.engine.transform.TransformService;
import io.tokenvault.ports.VaultStores;
import io.tokenvault.ports.usecase.audit.StreamLog;
import io.tokenvault.ports.usecase.authorization.Authenticator;
import io.tokenvault.ports.usecase.idempotency.IdempotentInvocations;
import io.tokenvault.ports.usecase.key.ReencryptFields;
import io.tokenvault.ports.usecase.maintenance.DeleteExpired;
import io.tokenvault.ports.usecase.proxy.CompiledModules;
import io.tokenvault.server.assembly.HostParts.AuditFeed;
import io.tokenvault.server.audit.LineSink;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.config.Configuration.Rates;
import io.tokenvault.server.config.ConfigurationException;
import io.tokenvault.server.crypto.CurrentKeys;
import io.tokenvault.server.files.StandardOutput;
import io.tokenvault.server.limits.NodeRateLimits;
import io.tokenvault.server.logging.AccessLog;
import io.tokenvault.server.metrics.Measured;
import io.tokenvault.server.metrics.VaultMetrics;
import io.tokenvault.server.openapi.ApiDocument;
import io.tokenvault.server.tracing.Tracing;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A running node: everything that responds to requests and runs in the background, on top of a
 * {@link Backend}. {@link UseCaseAssembly} connects the use cases, {@code
 * io.tokenvault.server.Vault} builds a node with its backend.
 */
public final class VaultNode implements AutoCloseable {

  /** The name under which the position of standard output in the log is stored. */
  public static final String STANDARD_OUTPUT = "stdout";

  private final Configuration configuration;
  private final HostParts parts;
  private final Backend backend;
  private final TransformService transforms;
  private final VaultMetrics metrics;
  private final RequestWatch requestMetrics;
  private final Tracing tracing;
  private final KeysetWatch keyset;
  private final Housekeeping housekeeping;
  private final Authenticator authenticator;
  private final IdempotentInvocations idempotentInvocations;
  private final UseCases useCases;

  /** Stops each part that was started, the last one first. */
  private final Deque<Runnable> stops;

  /** Assigned before the node is returned to its users. */
  private Optional<Listeners> listeners = Optional.empty();

  /**
   * Starts responding to requests after a warm-up, with rate limits that use the given clock.
   *
   * @param prepared its workers are stopped with the vault
   * @param backend stays the caller's to close, after the vault
   * @param nanos a monotonic clock in nanoseconds, as {@link System#nanoTime}
   * @param warmUp is called with the duration in the settings before the ports open, while
   *     transform workers start; not called for zero
   * @throws ConfigurationException if the settings cannot be used
   * @throws CannotListenException if the port or the certificate cannot be used
   */
  public static VaultNode start(
      StartPreparation prepared, Backend backend, LongSupplier nanos, Consumer<Duration> warmUp) {
    Deque<Runnable> stops = new ArrayDeque<>();
    try {
      VaultNode node = new VaultNode(prepared, backend, nanos, stops);
      node.serve(warmUp);
      node.startTasks();
      return node;
    } catch (RuntimeException | Error failed) {
      stopAll(stops);
      throw failed;
    }
  }

  /** Creates the parts of the node, without serving requests yet; see {@link #stops}. */
  private VaultNode(
      StartPreparation prepared, Backend backend, LongSupplier nanos, Deque<Runnable> stops) {
    this.backend = backend;
    this.stops = stops;
    configuration = prepared.configuration();
    parts = prepared.parts();
    transforms = prepared.transforms();
    stops.push(transforms::close);
    VaultStores stores = backend.stores();
    Optional<JdbiStores> database = backend.databaseIfAny();
    metrics = new VaultMetrics(stores.readiness(), database, parts.registry());
    stops.push(metrics::close);
    requestMetrics = new Measured.Requests(metrics.registry());
    CurrentKeys keys = backend.keys();
    // Tenants of an older version may lack a key for a purpose that this version added.
    backend.manageKeys().ensureAllPurposes();
    // Registered before the listeners start, so that no request is served by an unknown node.
    keyset = new KeysetWatch(backend.keysetFile(), keys, backend.keysetGuard());
    stops.push(keyset::close);
    // Stopped after the listeners, since it adds the last requests to the log's hash chains.
    housekeeping = new Housekeeping(database.map(JdbiStores::election).orElse(Housekeeping.ALONE));
    stops.push(housekeeping::close);
    tracing = Tracing.ofProcess();
    transforms.cacheModules(new CompiledModules(stores.compiledModules(), keys, keys));
    Rates rates = configuration.web().rates();
    UseCaseAssembly assembly =
        new UseCaseAssembly(
            configuration,
            backend,
            transforms,
            new NodeRateLimits(rates.application(), rates.anonymous(), nanos),
            metrics.registry(),
            tracing.tracer());
    authenticator = assembly.authenticator();
    idempotentInvocations = assembly.idempotentInvocations();
    ProxyEngine engine = assembly.engine(idempotentInvocations);
    stops.push(engine::close);
    useCases = assembly.useCases(engine);
  }

  /** Warms up, opens the ports if there are any, and starts workers ahead of requests. */
  private void serve(Consumer<Duration> warmUp) {
    boolean warmsUp = !configuration.warmUp().isZero();
    if (warmsUp) {
      // Started later, the workers would take the processors from the first requests.
      transforms.startSpares();
      warmUp.accept(configuration.warmUp());
    }
    if (parts.listens()) {
      measureDisks();
      Operations operations =
          new Operations(
              new ApiDocument(configuration.web().http().headers())::json,
              metrics::scrape,
              startRequestWatch(),
              configuration.tracing().toDestinations(),
              transforms::modules,
              tracing.tracer());
      Listeners running = Listeners.start(useCases, configuration.web(), operations);
      stops.push(running::close);
      listeners = Optional.of(running);
    }
    if (!warmsUp) {
      // Started earlier, they would delay the first request.
      transforms.startSpares();
    }
  }

  /** Starts what observes requests: the metrics, the access log if it is on, and traces. */
  private RequestWatch startRequestWatch() {
    List<RequestWatch> watches = new ArrayList<>();
    watches.add(requestMetrics);
    if (configuration.tracing().accessLog()) {
      AccessLog log = AccessLog.to(InstantSource.system(), StandardOutput::write);
      stops.push(log::close);
      watches.add(log);
    }
    tracing.requests().ifPresent(watches::add);
    return RequestWatch.all(watches);
  }

  /** Starts the tasks that run in the background. */
  private void startTasks() {
    VaultStores stores = backend.stores();
    Optional<JdbiStores> database = backend.databaseIfAny();
    housekeeping.start(
        new DeleteExpired(stores.applications(), stores.tokens(), stores.requestJournal()),
        () -> new ReencryptFields(stores.keys(), stores.encryptedFields(), backend.keys()),
        keyset,
        () -> database.ifPresent(JdbiStores::ensurePartitions));
    housekeeping.storeUses(() -> authenticator.storeUses(stores.applications()));
    // Other nodes treat a request as abandoned if its journal entry is not refreshed in time.
    housekeeping.repeat(
        "mark running requests",
        idempotentInvocations::prolongRunning,
        IdempotentInvocations.PROLONG_PERIOD);
    sendLog();
    if (database.isPresent()) {
      HashChainTask.start(backend, configuration.checkpoints(), housekeeping);
    }
    // Not before: a start that fails has nothing that load balancers should notice.
    listeners.ifPresent(running -> stops.push(() -> drain(running)));
  }

  /** Sends the log to standard output, if the settings ask for it, and to the host's feeds. */
  private void sendLog() {
    if (configuration.auditStream()) {
      housekeeping.stream(
          new StreamLog(
              backend.database().logFeed(), STANDARD_OUTPUT, new LineSink(StandardOutput::write)));
    }
    for (AuditFeed feed : parts.feeds()) {
      housekeeping.feed(
          feed.name(), new StreamLog(backend.database().logFeed(), feed.name(), feed.sink()));
    }
  }

  /** Registers the free space of the directories that the vault writes to. */
  private void measureDisks() {
    if (backend.isEmbedded()) {
      metrics.disk("database", configuration.dataDirectory());
    }
    configuration
        .checkpoints()
        .file()
        .ifPresent(file -> metrics.disk("checkpoints", file.getParent()));
  }

  /** Returns the use cases, which record and decide as they do for HTTP requests. */
  public UseCases useCases() {
    return useCases;
  }

  /**
   * Returns the base URL of the API, with the port that was bound.
   *
   * @throws IllegalStateException if there is no HTTP listener
   */
  public String url() {
    return listeners
        .map(Listeners::url)
        .orElseThrow(() -> new IllegalStateException("the vault has no HTTP listener"));
  }

  /** Returns the base URL of the admin listener; empty if it does not run. */
  public Optional<String> adminUrl() {
    return listeners.flatMap(Listeners::adminUrl);
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
    stopAll(stops);
  }

  /** Stops each part, the last one first, even if another one fails to stop. */
  private static void stopAll(Deque<Runnable> stops) {
    if (!stops.isEmpty()) {
      try {
        stops.pop().run();
      } finally {
        stopAll(stops);
      }
    }
  }

  private void drain(Listeners running) {
    running.startDraining();
    metrics.drain();
    pause(configuration.web().shutdownDelay());
  }

  /** Waits for load balancers to notice; an interrupt ends the wait early. */
  private static void pause(Duration delay) {
    try {
      Thread.sleep(delay.toMillis());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
