package io.tokenvault.server.config;

import io.tokenvault.adapters.http.exchange.HttpLimits;
import io.tokenvault.adapters.http.server.HttpSettings;
import io.tokenvault.adapters.http.server.HttpSettings.TlsFiles;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings.Limits;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings.Login;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.engine.transform.WorkerTransforms;
import io.tokenvault.engine.transform.pool.PoolSettings;
import io.tokenvault.engine.transform.pool.PoolSettings.WorkerSettings;
import io.tokenvault.engine.wire.ToWorker;
import io.tokenvault.ports.api.ServiceHeaders;
import io.tokenvault.server.config.Configuration.Checkpoints;
import io.tokenvault.server.config.Configuration.Tracing;
import io.tokenvault.server.config.Configuration.Web;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads and validates raw settings as a {@link Configuration}, and reports all problems together.
 *
 * <p>The methods of one section each read its settings and note problems; the problems are thrown
 * once at the end. A value that is wrong is replaced by a default until then.
 */
final class ConfigurationReader {

  private static final long MIB = 1024 * 1024;
  private static final Duration CERTIFICATE_CHECK = Duration.ofSeconds(2);
  private static final int MIN_WORKERS = 2;

  /** Heap that the JavaScript engine itself needs in a worker, in MiB. */
  private static final int ENGINE_MIB = 32;

  /**
   * Ratio of a compiler's time limit to its CPU limit: on a busy machine a process may get as
   * little as one part in this many of the time.
   */
  private static final int CPU_SHARE = 8;

  private static final Duration RUNNER_IDLE = Duration.ofMinutes(5);
  private static final Duration GRACE = Duration.ofMillis(250);
  private static final String FILE_PREFIX = "file:";
  private static final Pattern ORIGIN = Pattern.compile("https?://[A-Za-z0-9.-]+(?::[0-9]{1,5})?");
  private static final Pattern AWS_KEY =
      Pattern.compile(
          "aws-kms://arn:aws[a-z-]*:kms:[a-z0-9-]+:[0-9]+:(?:key|alias)/[A-Za-z0-9/_-]+");

  private static final Pattern MODULE_NAME =
      Pattern.compile("(?:@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*", Pattern.CASE_INSENSITIVE);

  private final SettingValues values;

  ConfigurationReader(SettingValues values) {
    this.values = values;
  }

  /**
   * Returns the configuration.
   *
   * @throws ConfigurationException naming everything that is wrong
   */
  Configuration read() {
    int poolSize = values.count(Setting.DATABASE_POOL_SIZE);
    Limits limits = databaseLimits();
    ServiceHeaders headers = headers();
    EgressReader egress = new EgressReader(values);
    Configuration configuration =
        new Configuration(
            web(headers),
            values.seconds(Setting.WARM_UP_SECONDS),
            dataDirectory(),
            database(poolSize, limits),
            poolSize,
            limits,
            values.seconds(Setting.DATABASE_WAIT_SECONDS),
            values.choice(Setting.AUDIT_STREAM, "none", "stdout"),
            checkpoints(),
            values.path(Setting.MASTER_KEYSET_FILE),
            cvcLifetime(),
            masterKeyUri(),
            egress.policy(),
            egress.proxy(headers),
            values.choice(Setting.PROXY_KEPT_ANSWERS, "status", "whole"),
            transforms(),
            values.choice(Setting.TRANSFORM_ISOLATION, "preferred", "required"),
            tracing());
    if (values.text(Setting.DATABASE_URL).isPresent()
        && configuration.masterKeysetFile().isEmpty()) {
      values.problem(
          Setting.MASTER_KEYSET_FILE,
          "is required with an external database; create one with 'keys init FILE'");
    }
    values.throwIfAnyProblem();
    return configuration;
  }

  /** Returns the data directory, which is created later if it does not exist. */
  private Path dataDirectory() {
    Path directory = values.path(Setting.DATA_DIR).orElse(Path.of(""));
    if (Files.exists(directory) && !Files.isDirectory(directory)) {
      values.problem(Setting.DATA_DIR, "must be a directory, or a path that does not exist");
    }
    return directory;
  }

  private Tracing tracing() {
    return new Tracing(
        values.choice(Setting.LOG_FORMAT, "plain", "json"),
        values.choice(Setting.ACCESS_LOG, "none", "stdout"),
        values.flag(Setting.PROXY_TRACE_CONTEXT));
  }

  /**
   * Returns the key that encrypts the keyset file, and ignores problems of all other settings.
   *
   * @throws ConfigurationException naming everything that is wrong with it
   */
  Optional<String> readMasterKeyUri() {
    Optional<String> uri = masterKeyUri();
    values.throwIfAnyProblem();
    return uri;
  }

  /** Reads the URI of a key or alias of AWS KMS, which is the only supported service. */
  private Optional<String> masterKeyUri() {
    Optional<String> uri = values.text(Setting.MASTER_KEY_URI);
    if (uri.isPresent() && !AWS_KEY.matcher(uri.get()).matches()) {
      values.problem(
          Setting.MASTER_KEY_URI,
          "must be aws-kms:// followed by the ARN of a key, such as"
              + " aws-kms://arn:aws:kms:eu-west-1:111122223333:key/...");
    }
    return uri;
  }

  /** Reads the listeners. Bodies of the API may use a quarter of the heap by default. */
  private Web web(ServiceHeaders headers) {
    ListenerReader listeners = new ListenerReader(values);
    Optional<TlsFiles> tls = tls();
    int port = values.count(Setting.PORT);
    return new Web(
        new HttpSettings(
            headers,
            listeners.host(Setting.HOST, tls),
            port,
            tls,
            origins(),
            HttpLimits.DEFAULT.with(
                values.count(Setting.MAX_REQUESTS), values.count(Setting.MIN_BODY_RATE))),
        listeners.admin(port, tls),
        values.millis(Setting.SHUTDOWN_DELAY_MS),
        values.number(Setting.API_MEMORY_BYTES, SettingValues.QUARTER_OF_HEAP),
        listeners.rates());
  }

  /** Returns certificate and key; one of them alone is a problem. */
  private Optional<TlsFiles> tls() {
    Optional<Path> certificate = values.readableFile(Setting.TLS_CERT_FILE);
    Optional<Path> key = values.readableFile(Setting.TLS_KEY_FILE);
    if (certificate.isPresent() != key.isPresent()) {
      values.problem(
          Setting.TLS_CERT_FILE, "and " + Setting.TLS_KEY_FILE.variable() + " go together");
    }
    return certificate.flatMap(
        chain -> key.map(secret -> new TlsFiles(chain, secret, CERTIFICATE_CHECK)));
  }

  /** Returns the allowed origins: scheme, host and optional port (RFC 6454), without wildcards. */
  private Set<String> origins() {
    List<String> origins = values.list(Setting.CORS_ALLOWED_ORIGINS);
    if (!origins.stream().allMatch(origin -> ORIGIN.matcher(origin).matches())) {
      values.problem(
          Setting.CORS_ALLOWED_ORIGINS, "must be origins such as https://shop.example.com");
    }
    return Set.copyOf(origins);
  }

  /** Returns the names of the service's own headers, by their prefix. */
  private ServiceHeaders headers() {
    String prefix = values.text(Setting.HEADER_PREFIX).orElseThrow();
    if (!ServiceHeaders.isValid(prefix)) {
      values.problem(
          Setting.HEADER_PREFIX, "must be two or more letters or digits and -, and not X-");
      return ServiceHeaders.DEFAULT;
    }
    return new ServiceHeaders(prefix);
  }

  /**
   * Returns the external database; empty if there is none. Credentials without a URL are a problem.
   */
  private Optional<DatabaseSettings> database(int poolSize, Limits limits) {
    Optional<String> url = values.text(Setting.DATABASE_URL);
    Optional<Login> runtime = login(Setting.DATABASE_USER, Setting.DATABASE_PASSWORD);
    Optional<Login> owner = login(Setting.DATABASE_OWNER_USER, Setting.DATABASE_OWNER_PASSWORD);
    if (url.isEmpty()) {
      if (runtime.isPresent() || owner.isPresent()) {
        values.problem(Setting.DATABASE_URL, "is required with a database user");
      }
      return Optional.empty();
    }
    boolean isUsable = isUsable(url.get());
    if (runtime.isEmpty()) {
      values.problem(Setting.DATABASE_USER, "is required with an external database");
    }
    return runtime
        .filter(unused -> isUsable)
        .map(user -> new DatabaseSettings(url.get(), user, owner, poolSize, limits));
  }

  /**
   * Returns whether a JDBC URL can be used, and adds a problem if not. It may contain a password,
   * so it is neither repeated in a message nor passed to the driver, which would repeat it.
   */
  private boolean isUsable(String url) {
    if (url.toLowerCase(Locale.ROOT).contains("password=")
        || url.split("\\?", 2)[0].contains("@")) {
      values.problem(
          Setting.DATABASE_URL,
          "must not contain a user or a password; use "
              + Setting.DATABASE_USER.variable()
              + " and "
              + Setting.DATABASE_PASSWORD.variable());
      return false;
    }
    if (!DatabaseSettings.isUrl(url)) {
      values.problem(
          Setting.DATABASE_URL, "must be a URL such as jdbc:postgresql://db.internal:5432/vault");
      return false;
    }
    return true;
  }

  private Limits databaseLimits() {
    return new Limits(
        values.millis(Setting.DATABASE_CONNECT_TIMEOUT_MS),
        values.millis(Setting.DATABASE_STATEMENT_TIMEOUT_MS),
        values.millis(Setting.DATABASE_POOL_TIMEOUT_MS));
  }

  /** Returns a database user with its password; an absent password is an empty one. */
  private Optional<Login> login(Setting user, Setting password) {
    Optional<SensitiveValue> secret = values.secret(password);
    Optional<String> name = values.text(user);
    if (name.isEmpty() && secret.isPresent()) {
      values.problem(user, "is required with its password");
    }
    return name.map(text -> new Login(text, secret.orElse(SensitiveValue.ofText(""))));
  }

  private Checkpoints checkpoints() {
    String target = values.text(Setting.AUDIT_CHECKPOINTS).orElseThrow();
    Optional<Path> file = Optional.empty();
    if (target.startsWith(FILE_PREFIX) && target.length() > FILE_PREFIX.length()) {
      file = checkpointFile(target.substring(FILE_PREFIX.length()));
    } else if (!target.equals("none") && !target.equals("stdout")) {
      values.problem(
          Setting.AUDIT_CHECKPOINTS, "must be none, stdout, or file: followed by a path");
    }
    return new Checkpoints(
        file, target.equals("stdout"), values.seconds(Setting.AUDIT_CHECKPOINT_SECONDS));
  }

  /** Returns the file if it can be appended to or created; it is checked here and opened later. */
  private Optional<Path> checkpointFile(String path) {
    try {
      Path file = Path.of(path).toAbsolutePath();
      if (Files.isDirectory(file) || !Files.isDirectory(file.getParent())) {
        values.problem(Setting.AUDIT_CHECKPOINTS, "must be a file in an existing directory");
      } else if (!Files.isWritable(Files.exists(file) ? file : file.getParent())) {
        values.problem(Setting.AUDIT_CHECKPOINTS, "is a file that cannot be written");
      }
      return Optional.of(file);
    } catch (InvalidPathException invalid) {
      values.problem(Setting.AUDIT_CHECKPOINTS, "is not a path");
      return Optional.empty();
    }
  }

  /** Returns the lifetime of card verification codes; it has no default, so absence is kept. */
  private Optional<Duration> cvcLifetime() {
    return values
        .text(Setting.CARD_CVC_LIFETIME_SECONDS)
        .map(unused -> values.seconds(Setting.CARD_CVC_LIFETIME_SECONDS));
  }

  /** Reads the limits and processes of transforms. */
  private WorkerTransforms.Settings transforms() {
    Duration compileCpu = values.millis(Setting.TRANSFORM_COMPILE_CPU_MS);
    return new WorkerTransforms.Settings(
        runners(),
        PoolSettings.forCompiling(values.count(Setting.TRANSFORM_COMPILERS)),
        transformLimits(),
        compileCpu,
        compileCpu.multipliedBy(CPU_SHARE),
        modulesDirectory(),
        errorModules());
  }

  /**
   * Returns the settings of the pool: workers for transforms and spares that are started in
   * advance. By default there is a worker for each processor, but at least two.
   *
   * <p>A worker's heap is the memory limit of a transform plus the need of the engine itself.
   */
  private PoolSettings runners() {
    int workers =
        (int)
            values.number(
                Setting.TRANSFORM_WORKERS,
                Math.max(MIN_WORKERS, Runtime.getRuntime().availableProcessors()));
    int spares = values.count(Setting.TRANSFORM_SPARE_WORKERS);
    WorkerSettings worker = WorkerSettings.forTransforms();
    return new PoolSettings(
        workers + spares,
        spares,
        true,
        workers,
        values.count(Setting.TRANSFORM_QUEUE),
        values.millis(Setting.TRANSFORM_QUEUE_WAIT_MS),
        RUNNER_IDLE,
        GRACE,
        new WorkerSettings(
            values.count(Setting.TRANSFORM_MEMORY_MIB) + ENGINE_MIB,
            worker.stackKib(),
            worker.startLimit(),
            worker.maxUses(),
            worker.maxTransforms(),
            worker.longRunning()));
  }

  private ToWorker.Limits transformLimits() {
    return new ToWorker.Limits(
        values.count(Setting.TRANSFORM_CPU_MS),
        values.count(Setting.TRANSFORM_TIMEOUT_MS),
        values.number(Setting.TRANSFORM_INSTRUCTIONS, 1),
        values.count(Setting.TRANSFORM_ALLOCATION_MIB) * MIB,
        values.count(Setting.TRANSFORM_BODY_BYTES),
        values.count(Setting.TRANSFORM_CALLS));
  }

  /** Returns the directory of modules; its content is checked when the workers start. */
  private Optional<Path> modulesDirectory() {
    Optional<Path> directory = values.path(Setting.TRANSFORM_MODULES_DIR);
    if (directory.isPresent() && !Files.isDirectory(directory.get())) {
      values.problem(Setting.TRANSFORM_MODULES_DIR, "must name a directory");
    }
    return directory;
  }

  /** Returns further names of the module of error classes, as in npm: optional scope and name. */
  private List<String> errorModules() {
    List<String> names = values.list(Setting.TRANSFORM_MODULE_ALIASES);
    names.stream()
        .filter(name -> !MODULE_NAME.matcher(name).matches())
        .forEach(
            name ->
                values.problem(
                    Setting.TRANSFORM_MODULE_ALIASES,
                    "must be names of modules separated by commas; invalid: " + name));
    return names;
  }
}
