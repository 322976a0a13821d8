package io.tokenvault.adapters.http.server;

import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.http.MethodNotAllowedResponse;
import io.javalin.http.NotFoundResponse;
import io.javalin.util.JavalinException;
import io.tokenvault.adapters.http.exchange.Operations;
import io.tokenvault.adapters.http.exchange.RequestObserver;
import io.tokenvault.adapters.http.request.RequestLimit;
import io.tokenvault.adapters.http.request.RequestLimit.LingeringClose;
import io.tokenvault.adapters.http.request.RequestReader;
import io.tokenvault.adapters.http.request.RequestValidator;
import io.tokenvault.adapters.http.resource.AccessRoutes;
import io.tokenvault.adapters.http.resource.ApplicationRoutes;
import io.tokenvault.adapters.http.resource.IdempotencyFilter;
import io.tokenvault.adapters.http.resource.KeylessRoutes;
import io.tokenvault.adapters.http.resource.LogRoutes;
import io.tokenvault.adapters.http.resource.ProxyRoutes;
import io.tokenvault.adapters.http.resource.Router;
import io.tokenvault.adapters.http.resource.TenantRoutes;
import io.tokenvault.adapters.http.resource.TokenRoutes;
import io.tokenvault.adapters.http.response.CorsHeaders;
import io.tokenvault.adapters.http.response.JsonRenderer;
import io.tokenvault.adapters.http.response.ProblemMapper;
import io.tokenvault.adapters.http.response.RejectedRequestException;
import io.tokenvault.adapters.http.response.ResponseWriter;
import io.tokenvault.adapters.http.server.FrontHandler.LocalHostCheck;
import io.tokenvault.ports.usecase.authorization.Caller.Bounds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.DefaultHandler;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running listener: Jetty with Javalin's routes behind {@link FrontHandler}.
 *
 * <p>A request passes through these handlers, outermost first: {@link RequestObserver} (metrics),
 * Jetty's {@code GracefulHandler} (stop), {@code LingeringClose}, {@link RequestLimit} (admission),
 * {@code LocalHostCheck} (admin listener on loopback), {@code FrontHandler}, and the routes.
 */
public final class VaultHttpServer implements AutoCloseable {

  /** The largest response head in bytes; as large as the proxy accepts from a destination. */
  private static final int MAX_RESPONSE_HEAD = 512 * 1024;

  private static final Logger LOG = LoggerFactory.getLogger(VaultHttpServer.class);
  private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

  private static final int MIN_THREADS = 8;

  /** Threads for connections, health checks, rejections, and {@code LingeringClose}. */
  private static final int SPARE_THREADS = 64;

  private final ListenerRole role;
  private final UseCases useCases;
  private final HttpSettings settings;
  private final Operations operations;
  private final ResponseWriter writer;
  private final ServerListener listener;
  private final CorsHeaders cors;
  private final RequestLimit limit;
  private final Javalin javalin;

  private VaultHttpServer(
      ListenerRole role, UseCases useCases, HttpSettings settings, Operations operations) {
    this.role = role;
    this.useCases = useCases;
    this.settings = settings;
    this.operations = operations;
    this.cors = new CorsHeaders(settings.allowedOrigins(), settings.headers());
    this.writer =
        new ResponseWriter(
            new ProblemMapper(useCases.json(), settings.headers()),
            settings.headers(),
            settings.limits().minBodyRate());
    this.limit =
        new RequestLimit(settings.limits().maxRequests(), operations.watch(), writer, cors);
    this.listener = new ServerListener(settings);
    this.javalin = Javalin.create(this::configure);
  }

  /**
   * Starts a listener and returns once it accepts requests.
   *
   * @param role selects the routes that the listener serves
   * @throws CannotListenException if the port cannot be bound or the TLS files cannot be used
   */
  public static VaultHttpServer start(
      ListenerRole role, UseCases useCases, HttpSettings settings, Operations operations) {
    VaultHttpServer server = new VaultHttpServer(role, useCases, settings, operations);
    try {
      server.javalin.start();
      return server;
    } catch (RuntimeException failed) {
      server.close();
      throw new CannotListenException(settings.host(), settings.port(), failed);
    }
  }

  /**
   * Loads the classes that a start needs, Jetty's and Javalin's by serving one request in memory.
   * Opens no port, and fails with an unchecked exception if Jetty cannot start.
   */
  public static void preload() {
    RequestValidator.load();
    Javalin.create(
        config -> {
          config.startup.showJavalinBanner = false;
          config.startup.startupWatcherEnabled = false;
        });
    Server server = new Server();
    LocalConnector memory = new LocalConnector(server);
    server.addConnector(memory);
    server.setHandler(new DefaultHandler(false, false));
    try {
      server.start();
      memory.getResponse("GET / HTTP/1.0\r\n\r\n");
      server.stop();
    } catch (Exception failed) {
      throw new IllegalStateException(failed);
    }
  }

  /**
   * Configures Javalin without banner and compression, with virtual threads where Java has them.
   */
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

  /**
   * Returns a pool with more threads than concurrent requests, so that a thread is left to reject
   * the rest. They have the lowest priority, so that the compiler is not starved by requests in
   * code that it has not compiled yet. On Linux, that takes {@code -XX:ThreadPriorityPolicy=1}.
   */
  private QueuedThreadPool threadPool() {
    QueuedThreadPool threads =
        new QueuedThreadPool(settings.limits().maxRequests() + SPARE_THREADS, MIN_THREADS);
    threads.setThreadsPriority(Thread.MIN_PRIORITY);
    threads.setName(role.isAdmin() ? "vault-admin" : "vault-http");
    return threads;
  }

  private void configure(HttpConfiguration http) {
    http.setSendServerVersion(false);
    http.setSendDateHeader(false);
    http.setRequestHeaderSize(settings.limits().maxRequestHead());
    http.setMaxResponseHeaderSize(MAX_RESPONSE_HEAD);
    // FrontHandler validates paths, since the proxy accepts more than the API.
    http.setUriCompliance(UriCompliance.UNSAFE);
  }

  /** Installs the chain of handlers, outermost first. */
  private void configure(Server server) {
    server.setErrorHandler(new JettyErrorHandler());
    server.setStopTimeout(settings.limits().stopTimeout().toMillis());
    limit.setHandler(front());
    server.setHandler(
        new RequestObserver(
            role.isAdmin(), operations.watch(), new GracefulHandler(new LingeringClose(limit))));
  }

  private Handler front() {
    Optional<ProxyHandler> proxy = role.isAdmin() ? Optional.empty() : Optional.of(proxy());
    FrontHandler front = new FrontHandler(proxy, cors, writer, settings.headers());
    return role.isAdmin() && isOnLoopback()
        ? new LocalHostCheck(settings.host(), writer, front)
        : front;
  }

  private ProxyHandler proxy() {
    return new ProxyHandler(
        useCases.proxy(),
        writer,
        settings.headers(),
        cors,
        settings.limits().minBodyRate(),
        operations.passTraceContext());
  }

  private boolean isOnLoopback() {
    return new InetSocketAddress(settings.host(), settings.port()).getAddress().isLoopbackAddress();
  }

  /**
   * Adds the routes of the listener's role. Management routes, logs and health checks are on both
   * listeners; metrics and pages only on the admin one, with the token routes that the console
   * needs. Whatever a caller may see, the admin listener returns at most masks.
   */
  private void addRoutes(RoutesConfig routes) {
    RequestValidator.load();
    RequestReader requests =
        new RequestReader(useCases.json(), settings.limits(), useCases.memory());
    IdempotencyFilter idempotency =
        new IdempotencyFilter(useCases.idempotency(), settings.headers(), requests);
    Router router =
        new Router(
            routes,
            useCases.authenticator(),
            settings.headers(),
            writer,
            idempotency,
            operations.tracer(),
            role.isAdmin() ? Bounds.MASKED : Bounds.NONE);
    JsonRenderer renderer = new JsonRenderer(useCases.json());
    KeylessRoutes open =
        new KeylessRoutes(useCases.readiness(), limit::isDraining, operations, renderer);
    open.addTo(router);
    new ApplicationRoutes(useCases.applications(), requests, renderer).addTo(router);
    new AccessRoutes(useCases.access(), requests, renderer).addTo(router);
    new TenantRoutes(useCases.tenants(), renderer).addTo(router);
    new ProxyRoutes(useCases.proxies(), useCases.dryRuns(), requests, renderer).addTo(router);
    new LogRoutes(useCases.logs(), requests, renderer).addTo(router);
    TokenRoutes tokens =
        new TokenRoutes(
            useCases.tokens(),
            useCases.createTokens(),
            useCases.changeTokens(),
            requests,
            renderer);
    if (role.isAdmin()) {
      tokens.addConsoleTo(router);
      open.addAdminTo(router);
    } else {
      tokens.addTo(router);
    }
  }

  /**
   * Renders Javalin's rejections of unknown paths and methods, and unexpected failures, as
   * problems.
   */
  private void addRefusals(RoutesConfig routes) {
    routes.exception(
        MethodNotAllowedResponse.class,
        (refused, context) ->
            refuse(context, RejectedRequestException.wrongMethod(allowed(refused))));
    routes.exception(
        NotFoundResponse.class, (refused, context) -> refuse(context, Router.unknownPath()));
    routes.exception(Exception.class, (fault, context) -> refuse(context, fault));
  }

  /**
   * Returns the methods that a path supports. Javalin reports them as the only detail of the
   * rejection, under a name that depends on the {@code Accept} header.
   */
  private static List<String> allowed(HttpResponseException refused) {
    return refused.getDetails().values().stream()
        .flatMap(methods -> Stream.of(methods.split(", *")))
        .toList();
  }

  private void refuse(Context context, Exception failure) {
    try {
      writer.write(context, failure);
    } catch (IOException callerIsGone) {
      throw new UncheckedIOException(callerIsGone);
    }
  }

  /** Returns the port that the server listens on, also if it was selected automatically. */
  public int port() {
    return javalin.port();
  }

  /**
   * Begins draining: the readiness check fails from now on, so that load balancers send requests
   * elsewhere, and each response closes its connection. New requests are still served.
   */
  public void startDraining() {
    limit.drain();
  }

  /**
   * Stops accepting requests and waits for those in progress, up to the configured stop timeout;
   * then aborts them and logs a warning.
   */
  @Override
  public void close() {
    startDraining();
    try {
      javalin.stop();
    } catch (JavalinException tooLate) {
      LOG.warn("Requests were still in flight when the shutdown timeout ended; they are canceled");
    } finally {
      listener.close();
    }
  }

  /**
   * Renders requests that Jetty rejects, such as unparseable ones, as problems like those of the
   * routes.
   */
  private final class JettyErrorHandler extends ErrorHandler {

    private static final int FIRST_SERVER_ERROR = 500;

    @Override
    public boolean errorPageForMethod(String method) {
      return true;
    }

    /**
     * Renders the rejection. The path of a request that could not be parsed is unknown, so its
     * connection is asked as well whether it was sent to the proxy.
     */
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      if (!request.getConnectionMetaData().isPersistent()) {
        // Jetty omits it if parsing failed before the version, and clients would reuse the
        // connection.
        response.getHeaders().put(HttpFields.CONNECTION_CLOSE);
      }
      HttpConnections.restoreTraceId(request, settings.headers());
      writer.reject(
          response,
          callback,
          failure(request, response.getStatus()),
          RequestObserver.isProxy(request) || HttpConnections.lastWasForProxy(request));
      return true;
    }

    /**
     * Returns the failure to render: the exception behind an internal error, which is logged, or a
     * rejection for the status.
     */
    private static Throwable failure(Request request, int status) {
      Object cause = request.getAttribute(ERROR_EXCEPTION);
      return status >= FIRST_SERVER_ERROR
              && cause instanceof Throwable fault
              && !(fault instanceof HttpException)
          ? fault
          : rejection(RejectedRequestException.Cause.ofStatus(status));
    }

    /** Returns a rejection. A retry soon after a stop reaches the server's replacement. */
    private static RejectedRequestException rejection(RejectedRequestException.Cause cause) {
      return new RejectedRequestException(
          cause,
          cause.title() + ".",
          cause == RejectedRequestException.Cause.STOPPING
              ? Map.of("Retry-After", ProblemMapper.SECONDS_TO_WAIT)
              : Map.of());
    }
  }

  /** The part of the interface that a listener serves. */
  public enum ListenerRole {
    /** All routes of the API and the proxy, without pages. */
    MAIN,
    /**
     * Management routes, metrics, the operator's pages, and the token routes that these need, which
     * return at most masks. Never the proxy: a destination's response must not share an origin with
     * a page that knows an API key.
     */
    ADMIN;

    boolean isAdmin() {
      return this == ADMIN;
    }
  }
}
