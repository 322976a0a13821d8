package io.tokenvault.adapters.http;

import io.tokenvault.adapters.http.operations.Operations;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.token.TokenDraft;
import io.tokenvault.ports.api.InvokeProxy;
import io.tokenvault.ports.api.RehearseProxy;
import io.tokenvault.ports.api.ServiceClient;
import io.tokenvault.ports.api.ServiceHeaders;
import io.tokenvault.ports.spi.JsonCodec;
import io.tokenvault.ports.spi.Readiness;
import io.tokenvault.ports.usecase.ChangeTokens;
import io.tokenvault.ports.usecase.CreateTokens;
import io.tokenvault.ports.usecase.ExplainAccess;
import io.tokenvault.ports.usecase.Gate;
import io.tokenvault.ports.usecase.ManageApplications;
import io.tokenvault.ports.usecase.ManageProxies;
import io.tokenvault.ports.usecase.MemoryBudget;
import io.tokenvault.ports.usecase.ReadLogs;
import io.tokenvault.ports.usecase.RepeatableRequests;
import io.tokenvault.ports.usecase.VaultTokens;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/** The vault's HTTP interface, and the one way into this module. */
public final class VaultRoutes {

  private final UseCases useCases;
  private final HttpSettings settings;
  private final Operations operations;

  public VaultRoutes(UseCases useCases, HttpSettings settings) {
    this(useCases, settings, Operations.NONE);
  }

  public VaultRoutes(UseCases useCases, HttpSettings settings, Operations operations) {
    this.useCases = Objects.requireNonNull(useCases, "useCases");
    this.settings = Objects.requireNonNull(settings, "settings");
    this.operations = Objects.requireNonNull(operations, "operations");
  }

  /**
   * Listens, and returns once requests are answered.
   *
   * @throws CannotListenException if the port cannot be bound or the TLS files cannot be used
   */
  public Running start() {
    return EdgeServer.start(Face.MAIN, useCases, settings, operations);
  }

  /**
   * The same for a listener of its own for those who manage: without tokens and the proxy, with the
   * pages and figures of operators. On a loopback address it answers under local names only.
   */
  public Running startAdmin(String host, int port) {
    return EdgeServer.start(Face.ADMIN, useCases, settings.forAdmin(host, port), operations);
  }

  /** Loads what a start needs, for a thread that has nothing better to do meanwhile. */
  public static void preload() {
    new Shapes();
    Preloading.jetty();
  }

  /**
   * Reads a token as {@code POST /tokens} takes it or as {@code GET /tokens} returns it, whose
   * read-only fields are ignored; notes what is wrong with its shape.
   */
  public static BiFunction<JsonValue, Violations, TokenDraft> exportedTokenReader() {
    Shapes shapes = new Shapes();
    return (body, violations) ->
        shapes.read(body, TokenRequest::readExported, violations).toDraft();
  }

  /** What the routes of tokens and permissions do, for callers that are inside. */
  public static ServiceClient client(
      Gate gate,
      VaultTokens tokens,
      CreateTokens createTokens,
      ChangeTokens changeTokens,
      JsonCodec json) {
    return new DirectClient(
        gate,
        tokens,
        new TokenWrites(createTokens, changeTokens, new Shapes()),
        new Renderer(json));
  }

  /** There is no listening on these settings; the message says what is wrong with them. */
  public static final class CannotListenException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    CannotListenException(String message) {
      super(message);
    }

    /** Where the port cannot be bound. */
    public CannotListenException(String host, int port) {
      this(
          "Cannot listen on "
              + host
              + ":"
              + port
              + ": it is in use, or not an address of this machine.");
    }
  }

  /** A server that answers requests. */
  public interface Running extends AutoCloseable {

    /** The port that it listens on. */
    int port();

    /**
     * Says from now on that it is not ready, so that a load balancer sends its requests elsewhere,
     * and ends each connection with the next answer. Everything that comes is still served.
     */
    void leave();

    /**
     * Accepts nothing more and lets requests in flight finish, for as long as the settings allow.
     */
    @Override
    void close();
  }

  /**
   * What the routes call.
   *
   * @param memory for bodies and answers, but for the proxy's, which has its own
   */
  public record UseCases(
      Gate gate,
      ManageApplications applications,
      ExplainAccess access,
      ManageProxies proxies,
      VaultTokens tokens,
      CreateTokens createTokens,
      ChangeTokens changeTokens,
      ReadLogs logs,
      InvokeProxy proxy,
      RehearseProxy rehearsals,
      RepeatableRequests repeatable,
      Readiness readiness,
      MemoryBudget memory,
      JsonCodec json) {
    public UseCases {
      Objects.requireNonNull(gate, "gate");
      Objects.requireNonNull(applications, "applications");
      Objects.requireNonNull(access, "access");
      Objects.requireNonNull(proxies, "proxies");
      Objects.requireNonNull(tokens, "tokens");
      Objects.requireNonNull(createTokens, "createTokens");
      Objects.requireNonNull(changeTokens, "changeTokens");
      Objects.requireNonNull(logs, "logs");
      Objects.requireNonNull(proxy, "proxy");
      Objects.requireNonNull(rehearsals, "rehearsals");
      Objects.requireNonNull(repeatable, "repeatable");
      Objects.requireNonNull(readiness, "readiness");
      Objects.requireNonNull(memory, "memory");
      Objects.requireNonNull(json, "json");
    }
  }

  /**
   * How to listen.
   *
   * @param host an address or name of this machine
   * @param port 0 for any free one
   * @param tls empty for plain HTTP
   * @param allowedOrigins origins of browser pages that may use tokens and the proxy, such as
   *     {@code https://shop.example}; empty for none
   */
  public record HttpSettings(
      ServiceHeaders headers,
      String host,
      int port,
      Optional<TlsFiles> tls,
      Set<String> allowedOrigins,
      HttpLimits limits) {

    private static final int ADMIN_REQUESTS = 64;

    public HttpSettings {
      Objects.requireNonNull(headers, "headers");
      Objects.requireNonNull(host, "host");
      Objects.requireNonNull(tls, "tls");
      allowedOrigins = Set.copyOf(allowedOrigins);
      Objects.requireNonNull(limits, "limits");
    }

    /** The same certificate and names; browsers have no business here from elsewhere. */
    HttpSettings forAdmin(String adminHost, int adminPort) {
      return new HttpSettings(
          headers,
          adminHost,
          adminPort,
          tls,
          Set.of(),
          limits.with(ADMIN_REQUESTS, limits.minBodyRate()));
    }

    /** Plain HTTP on loopback under the default names, without browsers. */
    public static HttpSettings loopback(int port) {
      return new HttpSettings(
          ServiceHeaders.DEFAULT,
          "127.0.0.1",
          port,
          Optional.empty(),
          Set.of(),
          HttpLimits.DEFAULT);
    }
  }

  /**
   * PEM files. Changed files are used for new connections without a restart; ones that do not fit
   * together are logged and the ones before stay in use.
   *
   * @param certificate the server's certificate, followed by those that lead to its CA
   * @param privateKey PKCS #8, or PKCS #1 for RSA; not encrypted
   * @param checkInterval how often to look for changes
   */
  public record TlsFiles(Path certificate, Path privateKey, Duration checkInterval) {
    public TlsFiles {
      Objects.requireNonNull(certificate, "certificate");
      Objects.requireNonNull(privateKey, "privateKey");
      Objects.requireNonNull(checkInterval, "checkInterval");
    }

    /**
     * Looks at the files, without listening.
     *
     * @throws CannotListenException if they cannot be used
     */
    public void check() {
      InboundTls.check(this);
    }
  }

  /**
   * Bounds that protect the server.
   *
   * @param maxBody of a JSON body, in bytes; the proxy has its own rules
   * @param maxRequestHead request line and headers, in bytes
   * @param idleTimeout how long a connection may be silent between and within requests, and a
   *     request's head may take in all
   * @param stopTimeout how long a stop waits for requests in flight
   * @param maxRequests how many requests are worked on at the same time; more are turned away
   * @param minBodyRate how many bytes a second a caller has to send or take on average, while it is
   *     waited for and after the first 10 seconds; 0 for any number
   * @param bodyGrace how long a JSON body may take to arrive, beyond what its size takes at 10 KB/s
   */
  public record HttpLimits(
      int maxBody,
      int maxRequestHead,
      Duration idleTimeout,
      Duration stopTimeout,
      int maxRequests,
      int minBodyRate,
      Duration bodyGrace) {

    public static final HttpLimits DEFAULT =
        new HttpLimits(
            12 << 20,
            32 << 10,
            Duration.ofSeconds(60),
            Duration.ofSeconds(30),
            512,
            240,
            Duration.ofSeconds(30));

    /** The same but for how much is worked on, and how slowly. */
    public HttpLimits with(int maxRequestsAtOnce, int minBytesPerSecond) {
      return new HttpLimits(
          maxBody,
          maxRequestHead,
          idleTimeout,
          stopTimeout,
          maxRequestsAtOnce,
          minBytesPerSecond,
          bodyGrace);
    }

    public HttpLimits {
      if (maxRequests < 1 || minBodyRate < 0) {
        throw new IllegalArgumentException("at least one request at a time, at no negative rate");
      }
      Objects.requireNonNull(idleTimeout, "idleTimeout");
      Objects.requireNonNull(stopTimeout, "stopTimeout");
      Objects.requireNonNull(bodyGrace, "bodyGrace");
    }
  }
}
