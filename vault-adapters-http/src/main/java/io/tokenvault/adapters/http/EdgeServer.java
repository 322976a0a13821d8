package io.tokenvault.adapters.http;

import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.http.MethodNotAllowedResponse;
import io.javalin.http.NotFoundResponse;
import io.javalin.util.JavalinException;
import io.tokenvault.adapters.http.operations.Operations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A listening server: Jetty, with {@link EdgeHandler} in front of Javalin's routes. Javalin ends
 * with it.
 */
final class EdgeServer implements RunningServer {

  /** In bytes; room for the largest head that the proxy takes from a destination. */
  private static final int MAX_ANSWER_HEAD = 512 * 1024;

  private static final Logger LOG = LoggerFactory.getLogger(EdgeServer.class);
  private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

  private static final int MIN_THREADS = 8;

  /** For connections, health checks, refusals, and those who read on after an early answer. */
  private static final int SPARE_THREADS = 64;

  private final Face face;
  private final UseCases useCases;
  private final HttpSettings settings;
  private final Operations operations;
  private final Problems problems;
  private final AnswerWriter writer;
  private final Listener listener;
  private final Departure departure = new Departure();
  private final Javalin javalin;

  private EdgeServer(Face face, UseCases useCases, HttpSettings settings, Operations operations) {
    this.face = face;
    this.useCases = useCases;
    this.settings = settings;
    this.operations = operations;
    this.problems = new Problems(useCases.json());
    this.writer = new AnswerWriter(problems, settings.headers(), settings.limits().minBodyRate());
    this.listener = new Listener(settings);
    this.javalin = Javalin.create(this::configure);
  }

  static RunningServer start(
      Face face, UseCases useCases, HttpSettings settings, Operations operations) {
    EdgeServer server = new EdgeServer(face, useCases, settings, operations);
    server.start();
    return server;
  }

  private void start() {
    try {
      javalin.start();
    } catch (RuntimeException failed) {
      close();
      throw new CannotListenException(settings.host(), settings.port());
    }
  }

  private void configure(JavalinConfig config) {
    config.startup.showJavalinBanner = false;
    config.startup.showOldJavalinVersionWarning = false;
    config.startup.startupWatcherEnabled = false;
    config.http.compressionStrategy = CompressionStrategy.NONE;
    config.http.prefer405over404 = true;
    config.concurrency.useVirtualThreads =
        Runtime.version().feature() >= FIRST_WITH_VIRTUAL_THREADS;
    if (!config.concurrency.useVirtualThreads) {
      config.jetty.threadPool = threadPool();
    }
    config.jetty.modifyHttpConfiguration(this::configure);
    config.jetty.addConnector(listener::connector);
    config.jetty.modifyServer(this::configure);
    addRoutes(config.routes);
    addRefusals(config.routes);
  }

  /** With more threads than requests that are worked on, so that the rest can be turned away. */
  private QueuedThreadPool threadPool() {
    QueuedThreadPool threads =
        new QueuedThreadPool(settings.limits().maxRequests() + SPARE_THREADS, MIN_THREADS);
    threads.setName(face.isAdmin() ? "vault-admin" : "vault-http");
    return threads;
  }

  private void configure(HttpConfiguration http) {
    http.setSendServerVersion(false);
    http.setSendDateHeader(false);
    http.setRequestHeaderSize(settings.limits().maxRequestHead());
    http.setMaxResponseHeaderSize(MAX_ANSWER_HEAD);
    // What may not stand in a path is looked at by EdgeHandler: the proxy takes more than the API.
    http.setUriCompliance(UriCompliance.UNSAFE);
  }

  private void configure(Server server) {
    Cors cors = new Cors(settings.allowedOrigins(), settings.headers());
    server.setErrorHandler(new EdgeErrorHandler(problems, settings.headers()));
    server.setStopTimeout(settings.limits().stopTimeout().toMillis());
    server.setHandler(
        new RequestCount(
            face,
            operations.watch(),
            new GracefulHandler(new LingeringClose(limited(cors, edge(cors))))));
  }

  private Handler edge(Cors cors) {
    EdgeHandler edge = new EdgeHandler(proxy(cors), cors, problems, settings.headers(), departure);
    return face.isAdmin() && isOnLoopback()
        ? new LocalNames(settings.host(), problems, settings.headers(), edge)
        : edge;
  }

  private Optional<ProxyHandler> proxy(Cors cors) {
    return face.isAdmin()
        ? Optional.empty()
        : Optional.of(
            new ProxyHandler(
                useCases.proxy(),
                problems,
                settings.headers(),
                cors,
                settings.limits().minBodyRate(),
                operations.passTraceContext()));
  }

  private boolean isOnLoopback() {
    return new InetSocketAddress(settings.host(), settings.port()).getAddress().isLoopbackAddress();
  }

  private Handler limited(Cors cors, Handler handler) {
    return new RequestLimit(
        settings.limits().maxRequests(),
        operations.watch(),
        problems,
        settings.headers(),
        cors,
        handler);
  }

  private void addRoutes(RoutesConfig routes) {
    Shapes shapes = new Shapes();
    Requests requests =
        new Requests(
            useCases.json(), settings.limits(), new RequestMemory(useCases.memory()), shapes);
    OnceOnly once = new OnceOnly(useCases.repeatable(), settings.headers(), requests);
    Router router = new Router(routes, useCases.gate(), settings.headers(), writer, once);
    TokenWrites writes = new TokenWrites(useCases.createTokens(), useCases.changeTokens(), shapes);
    Renderer renderer = new Renderer(useCases.json());
    new PermissionRoutes(renderer).addTo(router);
    new ApplicationRoutes(useCases.applications(), requests, renderer).addTo(router);
    new AccessRoutes(useCases.access(), requests, renderer).addTo(router);
    if (face.isAdmin()) {
      new OperatorPages(operations.metrics()).addTo(router);
    } else {
      new TokenRoutes(useCases.tokens(), writes, requests, renderer).addTo(router);
      new TokenizationRoutes(useCases.tokens(), writes, requests, renderer).addTo(router);
    }
    new ProxyRoutes(useCases.proxies(), useCases.rehearsals(), requests, renderer).addTo(router);
    new LogRoutes(useCases.logs(), requests, renderer).addTo(router);
    new HealthRoutes(useCases.readiness(), departure, renderer).addTo(router);
    router.open("/openapi.json", () -> Answer.ok(operations.openApi().get()));
  }

  private void addRefusals(RoutesConfig routes) {
    routes.exception(
        MethodNotAllowedResponse.class,
        (refused, context) -> refuse(context, Refusals.wrongMethod(allowed(refused))));
    routes.exception(
        NotFoundResponse.class, (refused, context) -> refuse(context, Refusals.unknownPath()));
    routes.exception(Exception.class, (fault, context) -> refuse(context, fault));
  }

  /**
   * Javalin gives the methods as its only detail, whose name depends on what the caller accepts.
   */
  private static List<String> allowed(HttpResponseException refused) {
    return refused.getDetails().values().stream()
        .flatMap(methods -> Stream.of(methods.split(", *")))
        .toList();
  }

  private void refuse(Context context, Exception failure) {
    try {
      writer.refuse(context, failure);
    } catch (IOException callerIsGone) {
      throw new UncheckedIOException(callerIsGone);
    }
  }

  @Override
  public int port() {
    return javalin.port();
  }

  @Override
  public void leave() {
    departure.begin();
  }

  @Override
  public void close() {
    leave();
    try {
      javalin.stop();
    } catch (JavalinException tooLate) {
      LOG.warn("Requests were still in flight when the time to stop was over; they are cut off");
    } finally {
      listener.close();
    }
  }
}
