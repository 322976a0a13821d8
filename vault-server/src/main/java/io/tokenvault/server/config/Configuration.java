package io.tokenvault.server.config;

import io.tokenvault.domain.proxy.EgressPolicy;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.ports.api.ServiceHeaders;
import io.tokenvault.server.limits.RateLimit;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Everything that an operator can set, checked.
 *
 * @param auditStream whether the log is written to standard output
 * @param masterKeysetFile empty: in the data directory
 * @param masterKeyUri the key of a key management service that the keyset is encrypted by
 */
public record Configuration(
    Web web,
    Path dataDirectory,
    Optional<Database> database,
    int databasePoolSize,
    DatabaseTimeouts databaseTimeouts,
    boolean auditStream,
    Checkpoints checkpoints,
    Optional<Path> masterKeysetFile,
    Optional<Duration> cvcLifetime,
    Optional<String> masterKeyUri,
    Egress egress,
    ProxyLimits proxyLimits,
    Transforms transforms,
    Tracing tracing) {

  private static final String KEYSET_NAME = "master-keyset.json";

  /**
   * Reads the configuration.
   *
   * @param environment the process's environment variables
   * @throws ConfigurationException naming everything that is wrong
   */
  public static Configuration from(Map<String, String> environment) {
    return new ConfigurationReader(environment).read();
  }

  /**
   * Reads {@link #masterKeyUri()} for those who need nothing else.
   *
   * @throws ConfigurationException naming everything that is wrong with it
   */
  public static Optional<String> masterKeyUri(Map<String, String> environment) {
    return new ConfigurationReader(environment).readMasterKeyUri();
  }

  /**
   * Reads a part of the configuration.
   *
   * @param environment the process's environment variables
   * @param kept what is taken from there and from the properties file
   * @param chosen values that go before those; all other settings have their defaults
   * @throws ConfigurationException naming everything that is wrong
   */
  public static Configuration from(
      Map<String, String> environment, Set<Setting> kept, Map<Setting, String> chosen) {
    return new ConfigurationReader(environment, kept, chosen).read();
  }

  /** Where the master keyset is, or will be. */
  public Path keysetFile() {
    return masterKeysetFile.orElseGet(() -> dataDirectory.resolve(KEYSET_NAME));
  }

  /**
   * Where checkpoints of the log go: to a file, to standard output, or nowhere.
   *
   * @param file empty: not to a file
   */
  public record Checkpoints(Optional<Path> file, boolean standardOutput, Duration period) {}

  /**
   * Where and how requests come in.
   *
   * @param port 0 for a free one
   * @param admin empty: nobody listens for those who operate
   * @param tls empty: plain HTTP
   * @param shutdownDelay how long a server that was told to stop goes on serving, no longer ready
   * @param load how much is worked on, and how slowly
   */
  public record Web(
      String host,
      int port,
      Optional<Admin> admin,
      Optional<Tls> tls,
      Set<String> corsAllowedOrigins,
      ServiceHeaders headers,
      Duration shutdownDelay,
      Load load) {}

  /**
   * Where those who operate connect to.
   *
   * @param port 0 for a free one
   * @param required whether there is no server without it: nobody chose the port otherwise
   */
  public record Admin(String host, int port, boolean required) {}

  /**
   * What callers may ask for at the same time, and how slowly.
   *
   * @param maxRequests beyond which they are turned away
   * @param minBodyRate in bytes a second; 0 for any
   * @param apiMemory for bodies and answers of the API together, in bytes
   */
  public record Load(int maxRequests, int minBodyRate, long apiMemory, Rates rates) {}

  /**
   * How often they may ask.
   *
   * @param application for each application; empty: as often as it likes
   * @param anonymous for each proxy, of those who call it without a key; empty: the same
   */
  public record Rates(Optional<RateLimit> application, Optional<RateLimit> anonymous) {}

  /** Certificate chain and private key, as PEM files. */
  public record Tls(Path certificate, Path key) {}

  /**
   * An external PostgreSQL.
   *
   * @param owner who migrates; empty: the same user
   */
  public record Database(String url, Credentials runtime, Optional<Credentials> owner) {}

  /**
   * How long a request waits for the database.
   *
   * @param connect for a connection to be made
   * @param statement for a statement to finish
   * @param pool for one of the connections to be free
   * @param start how long a server that starts waits for the database to be there
   */
  public record DatabaseTimeouts(
      Duration connect, Duration statement, Duration pool, Duration start) {}

  /** Who logs in somewhere. */
  public record Credentials(String user, SensitiveValue password) {}

  /**
   * Where requests may go.
   *
   * @param hostOverrides addresses by name, used instead of DNS
   * @param caFile certificates that are trusted in addition
   * @param clientKeys empty: no destination is shown a certificate
   * @param httpProxy empty: destinations are reached directly
   */
  public record Egress(
      EgressPolicy policy,
      Map<String, List<InetAddress>> hostOverrides,
      Optional<Path> caFile,
      Optional<ClientKeys> clientKeys,
      Optional<HttpProxy> httpProxy) {}

  /**
   * A keystore with certificates for destinations.
   *
   * @param keystore as it was read, once; nothing looks at its file again
   * @param password opens every key in it
   * @param names the aliases of its private keys
   */
  public record ClientKeys(KeyStore keystore, SensitiveValue password, Set<String> names) {
    public ClientKeys {
      names = Set.copyOf(names);
    }
  }

  /**
   * The operator's own proxy, through which destinations are reached.
   *
   * @param tls whether the proxy itself is spoken to over TLS
   */
  public record HttpProxy(boolean tls, String host, int port, Optional<Credentials> credentials) {}

  /**
   * Limits of proxy invocations.
   *
   * @param destinationRequests to one destination at the same time
   * @param heldBodyBytes for one request
   * @param heldBodiesBytes for all requests together, at least as much
   * @param keepsAnswers whether answers to requests that may be sent again are kept, and not their
   *     status only
   */
  public record ProxyLimits(
      Duration connectTimeout,
      Duration answerTimeout,
      Duration idleTimeout,
      int destinationRequests,
      int heldBodyBytes,
      long heldBodiesBytes,
      boolean keepsAnswers) {}

  /**
   * How requests can be followed.
   *
   * @param jsonLogs whether lines of the log are JSON
   * @param toDestinations whether they learn which trace of the caller's a request belongs to
   */
  public record Tracing(boolean jsonLogs, boolean toDestinations) {}

  /**
   * How the transforms of proxies run.
   *
   * @param workers how many run at once, each in a process of its own
   * @param spareWorkers how many more wait, started ahead of need
   * @param compilers how many of one tenant compile at once, each in a process of its own; there is
   *     one more for the others
   * @param compileCpu how much CPU time compiling one may take
   * @param queue how many invocations may wait for a worker
   * @param queueWait how long each may
   * @param isolationRequired whether not to start where workers cannot be shut in
   * @param limits of one invocation
   * @param modulesDirectory modules that transforms may require; empty: none
   * @param errorModules further names of the module of error classes
   */
  public record Transforms(
      int workers,
      int spareWorkers,
      int compilers,
      Duration compileCpu,
      int queue,
      Duration queueWait,
      boolean isolationRequired,
      TransformLimits limits,
      Optional<Path> modulesDirectory,
      List<String> errorModules) {
    public Transforms {
      errorModules = List.copyOf(errorModules);
    }
  }

  /**
   * Limits of one invocation of a transform.
   *
   * @param memoryMib held at any moment
   * @param allocationMib over the whole invocation, whether still held or not
   * @param instructions of the engine
   * @param bodyBytes of a body, in and out
   * @param calls of {@code bt} and {@code fetch} together
   */
  public record TransformLimits(
      Duration cpu,
      Duration timeout,
      int memoryMib,
      int allocationMib,
      long instructions,
      int bodyBytes,
      int calls) {}
}
