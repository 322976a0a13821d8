package io.tokenvault.server;

import io.micrometer.core.instrument.MeterRegistry;
import io.tokenvault.domain.tenant.ResourceName;
import io.tokenvault.ports.VaultStores;
import io.tokenvault.ports.audit.FeedSink;
import io.tokenvault.ports.usecase.tenant.ManageTenants.IssuedTenant;
import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.assembly.HostParts;
import io.tokenvault.server.assembly.HostParts.AuditFeed;
import io.tokenvault.server.assembly.HostParts.DataSources;
import io.tokenvault.server.assembly.StartPreparation;
import io.tokenvault.server.assembly.VaultNode;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.config.ConfigurationException;
import io.tokenvault.server.config.Setting;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Collects the parts of a vault. Each method that sets a part replaces what was set before.
 *
 * <p>Required are a database ({@link #database}, {@link #embedded} or {@link #stores}) and, unless
 * the database is embedded, a keyset. A part that is wrong or missing is reported by {@link
 * #start}, all problems together.
 */
public final class VaultBuilder {

  private static final Pattern FEED_NAME =
      Pattern.compile("[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?");

  /** Settings that a method of the builder sets, with the call. */
  private static final Map<Setting, String> METHODS = methods();

  private final Optional<Configuration> read;
  private final SecureRandom randomness;
  private final Map<String, String> settings = new HashMap<>();
  private final Map<Setting, String> chosen = new EnumMap<>(Setting.class);
  private final List<AuditFeed> feeds = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private Optional<DataSources> sources = Optional.empty();
  private Optional<VaultStores> stores = Optional.empty();
  private Optional<MeterRegistry> registry = Optional.empty();
  private Optional<Consumer<IssuedTenant>> firstKey = Optional.empty();
  private ResourceName firstTenant = new ResourceName("First tenant");
  private boolean listens;
  private boolean runsTransforms = true;
  private boolean hasDatabase;

  VaultBuilder(Optional<Configuration> read, SecureRandom randomness) {
    this.read = read;
    this.randomness = Objects.requireNonNull(randomness, "randomness");
    this.listens = read.isPresent();
    this.hasDatabase = read.isPresent();
  }

  private static Map<Setting, String> methods() {
    Map<Setting, String> methods = new EnumMap<>(Setting.class);
    Http.SETTINGS.forEach(setting -> methods.put(setting, "http(Http.on(host, port))"));
    Postgres.SETTINGS.forEach(
        setting -> methods.put(setting, "database(Postgres.url(url, user, password))"));
    KeysetSource.SETTINGS.forEach(
        setting -> methods.put(setting, "keyset(KeysetSource.file(path))"));
    methods.put(Setting.DATA_DIR, "embedded(directory)");
    methods.put(Setting.TRANSFORM_ISOLATION, "transforms(Transforms)");
    methods.put(Setting.CONFIG_FILE, "settings(Map), with the content of the file");
    return methods;
  }

  /** Uses a PostgreSQL that the host application or an operator runs. */
  public VaultBuilder database(Postgres postgres) {
    return storage(postgres.sources(), Optional.empty(), postgres.settings());
  }

  /**
   * Uses stores of the host application, as {@code docs/own-adapter.md} describes them.
   *
   * <p>Only one vault at a time may use them. The log has no hash chain, so there are no audit
   * feeds and no checkpoints. The vault does not close the stores.
   */
  public VaultBuilder stores(VaultStores own) {
    return storage(Optional.empty(), Optional.of(own), Map.of());
  }

  /**
   * Runs a PostgreSQL in this process tree, with its data in a directory.
   *
   * @param directory is created if it does not exist; one vault at a time can use it
   */
  public VaultBuilder embedded(Path directory) {
    storage(Optional.empty(), Optional.empty(), Map.of());
    chosen.put(Setting.DATA_DIR, directory.toString());
    return this;
  }

  private VaultBuilder storage(
      Optional<DataSources> fromHost, Optional<VaultStores> own, Map<Setting, String> url) {
    sources = fromHost;
    stores = own;
    choose(Postgres.SETTINGS, url);
    chosen.remove(Setting.DATA_DIR);
    hasDatabase = true;
    return this;
  }

  /**
   * Sets the master keyset. It is required, except with {@link #embedded}, which keeps it in the
   * data directory and creates it for a new database.
   */
  public VaultBuilder keyset(KeysetSource keyset) {
    choose(KeysetSource.SETTINGS, keyset.settings());
    return this;
  }

  /**
   * Registers the metrics of the vault, until it is closed. Use a separate registry for each vault
   * of a JVM, or registries with different common tags.
   */
  public VaultBuilder metrics(MeterRegistry meterRegistry) {
    registry = Optional.of(meterRegistry);
    return this;
  }

  /** Serves the HTTP API. */
  public VaultBuilder http(Http http) {
    choose(Http.SETTINGS, http.settings());
    listens = true;
    return this;
  }

  /** Opens no port, which is the default. */
  public VaultBuilder noHttp() {
    choose(Http.SETTINGS, Map.of());
    listens = false;
    return this;
  }

  /** Sets whether transforms of proxies run; the default is {@link Transforms#ON}. */
  public VaultBuilder transforms(Transforms transforms) {
    runsTransforms = transforms != Transforms.OFF;
    chosen.put(
        Setting.TRANSFORM_ISOLATION, transforms == Transforms.ISOLATED ? "required" : "preferred");
    return this;
  }

  /**
   * Sends every entry of the audit log to a sink, on one elected node of those with this feed.
   *
   * <p>Entries arrive at least once and in order. The sink is called again with the same entries if
   * it threw an exception, or if the node stopped before it stored its position.
   *
   * @param name identifies the feed on all nodes and across restarts: up to 64 lowercase letters,
   *     digits, and {@code .}, {@code _} or {@code -} within
   */
  public VaultBuilder auditFeed(String name, FeedSink sink) {
    if (!FEED_NAME.matcher(name).matches() || name.equals(VaultNode.STANDARD_OUTPUT)) {
      problems.add(
          "auditFeed: the name must be up to 64 lowercase letters, digits, '.', '_' or '-', and"
              + " not 'stdout'");
    } else if (feeds.stream().anyMatch(feed -> feed.name().equals(name))) {
      problems.add("auditFeed: there is another feed of the name '" + name + "'");
    } else {
      feeds.add(new AuditFeed(name, sink));
    }
    return this;
  }

  /**
   * Creates a tenant if the database has none, before the vault serves requests.
   *
   * @param name the name of the tenant
   * @param key receives the tenant with its management key, which is shown only once
   */
  public VaultBuilder firstTenant(String name, Consumer<IssuedTenant> key) {
    firstTenant = new ResourceName(name);
    firstKey = Optional.of(key);
    return this;
  }

  /**
   * Sets other settings by their names, such as {@code VAULT_PROXY_IDLE_TIMEOUT_MS}; {@code
   * docs/configuration.md} describes each. Environment variables are not read.
   */
  public VaultBuilder settings(Map<String, String> values) {
    settings.putAll(values);
    return this;
  }

  private void choose(Set<Setting> part, Map<Setting, String> values) {
    part.forEach(chosen::remove);
    chosen.putAll(values);
  }

  /**
   * Starts the vault.
   *
   * <p>The schema of the database is migrated first, if necessary. If anything fails, everything
   * that was started is stopped.
   *
   * @throws ConfigurationException naming every part that is missing or cannot be used
   * @throws io.tokenvault.server.config.OperatorException if the database belongs to another
   *     program
   * @throws io.tokenvault.adapters.jdbi.stores.UnusableDatabaseException if the database cannot be
   *     reached
   * @throws io.tokenvault.adapters.http.server.CannotListenException if a port or certificate
   *     cannot be used
   */
  public Vault start() {
    Configuration configuration = read.orElseGet(this::configuration);
    HostParts parts = new HostParts(sources, stores, listens, runsTransforms, registry, feeds);
    StartPreparation prepared = StartPreparation.of(configuration, parts);
    Optional<Backend> opened = Optional.empty();
    try {
      Backend backend = Backend.forServer(configuration, parts, randomness);
      opened = Optional.of(backend);
      firstKey.ifPresent(key -> backend.manageTenants().createFirst(firstTenant).ifPresent(key));
      VaultNode node = VaultNode.start(prepared, backend, System::nanoTime, WarmUp::run);
      return new Vault(prepared, backend, node);
    } catch (RuntimeException | Error failed) {
      opened.ifPresent(Backend::close);
      prepared.close();
      throw failed;
    }
  }

  /** Returns the settings of all parts. */
  private Configuration configuration() {
    List<String> all = new ArrayList<>(problems);
    if (!hasDatabase) {
      all.add(
          "database is missing: call database(Postgres.url(url, user, password)),"
              + " database(Postgres.using(requests, owner)), embedded(directory) or"
              + " stores(yourStores)");
    }
    if (stores.isPresent()) {
      if (!feeds.isEmpty()) {
        all.add("auditFeed requires PostgreSQL: other stores have no hash chain");
      }
      Stream.of(Setting.AUDIT_STREAM, Setting.AUDIT_CHECKPOINTS)
          .map(Setting::variable)
          .filter(settings::containsKey)
          .forEach(name -> all.add(name + " requires PostgreSQL: other stores have no hash chain"));
    }
    boolean needsKeyset = hasDatabase && !chosen.containsKey(Setting.DATA_DIR);
    if (needsKeyset && !chosen.containsKey(Setting.MASTER_KEYSET_FILE)) {
      all.add(
          "keyset is missing: call keyset(KeysetSource.file(path)); create the file with"
              + " 'keys init FILE'");
    }
    METHODS.forEach(
        (setting, method) -> {
          if (settings.keySet().stream().anyMatch(setting::isNamed)) {
            all.add(setting.variable() + " cannot be set here: call " + method);
          }
        });
    Optional<Configuration> configuration = read(all);
    if (!all.isEmpty()) {
      throw new ConfigurationException(all);
    }
    return configuration.orElseThrow();
  }

  /** Reads the settings; empty with the reasons in {@code problems} if they are not valid. */
  private Optional<Configuration> read(List<String> found) {
    Set<Setting> kept = EnumSet.complementOf(EnumSet.copyOf(METHODS.keySet()));
    Map<Setting, String> all = new EnumMap<>(chosen);
    all.putIfAbsent(Setting.ADMIN_PORT, "off");
    try {
      return Optional.of(Configuration.from(settings, kept, all));
    } catch (ConfigurationException invalid) {
      // A missing keyset is reported by its method instead of by its setting.
      invalid.problems().stream()
          .filter(
              problem ->
                  !problem.startsWith(Setting.MASTER_KEYSET_FILE.variable() + " is required"))
          .forEach(found::add);
      return Optional.empty();
    }
  }
}
