package io.tokenvault.server.assembly;

import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.adapters.jdbi.embedded.EmbeddedPostgres;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings.Login;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.engine.expression.LiquidExpressions;
import io.tokenvault.ports.VaultStores;
import io.tokenvault.ports.usecase.audit.ExtendHashChains;
import io.tokenvault.ports.usecase.key.KeysetGuard;
import io.tokenvault.ports.usecase.key.ManageTenantKeys;
import io.tokenvault.ports.usecase.tenant.ManageTenants;
import io.tokenvault.ports.usecase.token.ImportTokens;
import io.tokenvault.ports.usecase.token.ShortLivedData;
import io.tokenvault.ports.usecase.token.TokenContents;
import io.tokenvault.server.assembly.HostParts.DataSources;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.config.OperatorException;
import io.tokenvault.server.crypto.CurrentKeys;
import io.tokenvault.server.json.JacksonJson;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A migrated database and the keys that belong to it, shared by the server and all commands.
 *
 * <p>A backend exists only if the master keyset matches the database: {@link KeysetGuard} verifies
 * that before the constructor runs. Closing it closes the connections and then the embedded
 * PostgreSQL, if this process hosts it.
 *
 * <pre>{@code
 * try (Backend backend = Backend.forCommand(configuration, randomness)) {
 *   backend.manageTenants();
 * }
 * }</pre>
 */
public final class Backend implements AutoCloseable {

  /** Each connection costs PostgreSQL a process, and a command has a single thread. */
  private static final int COMMAND_POOL_SIZE = 1;

  private final Optional<EmbeddedPostgres> embedded;
  private final VaultStores stores;
  private final Optional<JdbiStores> database;
  private final KeysetFile keysetFile;
  private final CurrentKeys keys;
  private final SecureRandom randomness;

  private Backend(
      Optional<EmbeddedPostgres> embedded,
      VaultStores stores,
      Optional<JdbiStores> database,
      KeysetFile keysetFile,
      CurrentKeys keys,
      SecureRandom randomness) {
    this.embedded = embedded;
    this.stores = stores;
    this.database = database;
    this.keysetFile = keysetFile;
    this.keys = keys;
    this.randomness = randomness;
  }

  /**
   * Opens the backend of a server.
   *
   * <p>Without an external database it hosts the embedded one, as the only server. It waits for an
   * external database that is still starting, up to {@link Configuration#databaseWait}.
   *
   * @param parts the parts of a host application, such as its own connections to the database
   * @throws io.tokenvault.server.config.ConfigurationException if the master keyset is missing or
   *     cannot be used
   * @throws OperatorException if the database is not one that this version can work with
   */
  public static Backend forServer(
      Configuration configuration, HostParts parts, SecureRandom randomness) {
    Duration patience = configuration.databaseWait();
    KeysetFile file = KeysetFile.of(configuration, parts);
    if (parts.stores().isPresent()) {
      VaultStores stores = parts.stores().get();
      KeysetGuard guard = new KeysetGuard(stores.keysetRegistry());
      CurrentKeys keys = new CurrentKeys(file.loadIfThere().orElseThrow());
      guard.verify(keys.masterKeys());
      return new Backend(Optional.empty(), stores, Optional.empty(), file, keys, randomness);
    }
    if (parts.sources().isPresent()) {
      DataSources own = parts.sources().get();
      return open(
          file,
          Optional::empty,
          unused ->
              JdbiStores.open(
                  own.requests(),
                  own.owner(),
                  configuration.databasePoolSize(),
                  configuration.databaseLimits(),
                  patience),
          randomness);
    }
    return open(
        file,
        () -> embeddedIfNeeded(configuration, randomness, EmbeddedPostgres::start),
        embedded -> connected(configuration, embedded, configuration.databasePoolSize(), patience),
        randomness);
  }

  /**
   * Opens the backend of a command, which ends soon.
   *
   * <p>The command attaches to the embedded database of a running server or hosts it until it ends.
   * It does not wait for an external database, and opens few connections.
   *
   * @throws io.tokenvault.server.config.ConfigurationException if the master keyset is missing or
   *     cannot be used
   * @throws OperatorException if the database is not one that this version can work with
   */
  public static Backend forCommand(Configuration configuration, SecureRandom randomness) {
    return open(
        KeysetFile.of(configuration, HostParts.NONE),
        () -> embeddedIfNeeded(configuration, randomness, EmbeddedPostgres::startOrAttach),
        embedded -> connected(configuration, embedded, COMMAND_POOL_SIZE, Duration.ZERO),
        randomness);
  }

  /** Starts the embedded PostgreSQL unless the configuration names an external database. */
  static Optional<EmbeddedPostgres> embeddedIfNeeded(
      Configuration configuration,
      SecureRandom randomness,
      BiFunction<Path, SecureRandom, EmbeddedPostgres> start) {
    return configuration.database().isPresent()
        ? Optional.empty()
        : Optional.of(start.apply(configuration.dataDirectory(), randomness));
  }

  /** Opens the database. An external one may have to be waited for; the embedded one runs. */
  private static JdbiStores connected(
      Configuration configuration,
      Optional<EmbeddedPostgres> embedded,
      int poolSize,
      Duration patience) {
    DatabaseSettings settings =
        databaseSettings(configuration, embedded).withPoolSizeAtMost(poolSize);
    if (embedded.isEmpty()) {
      JdbiStores.await(settings, patience);
    }
    return JdbiStores.open(settings);
  }

  /**
   * Opens keyset and stores in an order in which a wrong setting changes nothing.
   *
   * @param start starts or attaches to the embedded PostgreSQL if it is needed
   * @param open opens and migrates the database
   */
  private static Backend open(
      KeysetFile file,
      Supplier<Optional<EmbeddedPostgres>> start,
      Function<Optional<EmbeddedPostgres>, JdbiStores> open,
      SecureRandom randomness) {
    // The keyset is loaded first because it needs no database: a missing file is reported before
    // anything is started.
    Optional<CurrentKeys> loaded = file.loadIfThere().map(CurrentKeys::new);
    Optional<EmbeddedPostgres> embedded = start.get();
    JdbiStores stores = null;
    try {
      JdbiStores opened = opened(() -> open.apply(embedded));
      stores = opened;
      CurrentKeys keys =
          loaded.orElseGet(
              () -> new CurrentKeys(file.loadOrCreate(new KeysetGuard(opened.keysetRegistry()))));
      stores = opened.recording(keys, randomness);
      new KeysetGuard(stores.keysetRegistry()).verify(keys.masterKeys());
      return new Backend(embedded, stores, Optional.of(stores), file, keys, randomness);
    } catch (RuntimeException failed) {
      Optional.ofNullable(stores).ifPresent(JdbiStores::close);
      embedded.ifPresent(EmbeddedPostgres::close);
      throw failed;
    }
  }

  /**
   * Opens and migrates the database, and translates its refusal into a message for the operator.
   */
  private static JdbiStores opened(Supplier<JdbiStores> open) {
    try {
      return open.get();
    } catch (IllegalStateException notOurs) {
      throw new OperatorException("The database cannot be used: " + notOurs.getMessage());
    }
  }

  /**
   * Returns the address, the credentials and the time limits of the database.
   *
   * <p>An external database is used with the credentials of the operator; the embedded one
   * generates its own.
   *
   * @param embedded the embedded PostgreSQL; empty exactly if the configuration names a database
   */
  static DatabaseSettings databaseSettings(
      Configuration configuration, Optional<EmbeddedPostgres> embedded) {
    return embedded
        .map(postgres -> embedded(postgres, configuration))
        .orElseGet(() -> configuration.database().orElseThrow());
  }

  private static DatabaseSettings embedded(EmbeddedPostgres postgres, Configuration configuration) {
    return new DatabaseSettings(
        postgres.jdbcUrl(),
        login(postgres.runtimeUser(), postgres.runtimePassword()),
        Optional.of(login(postgres.ownerUser(), postgres.ownerPassword())),
        configuration.databasePoolSize(),
        configuration.databaseLimits());
  }

  private static Login login(String user, String password) {
    return new Login(user, SensitiveValue.ofText(password));
  }

  /** Returns the stores, which may be those of a host application. */
  public VaultStores stores() {
    return stores;
  }

  /**
   * Returns the stores in PostgreSQL.
   *
   * @throws IllegalStateException if the stores are those of a host application
   */
  public JdbiStores database() {
    return database.orElseThrow(
        () -> new IllegalStateException("the stores are not in PostgreSQL"));
  }

  /** Returns the stores in PostgreSQL; empty if they are those of a host application. */
  Optional<JdbiStores> databaseIfAny() {
    return database;
  }

  public SecureRandom randomness() {
    return randomness;
  }

  /** Returns the use case that creates, changes and removes tenants. */
  public ManageTenants manageTenants() {
    return new ManageTenants(
        stores.tenants(), stores.applications(), keys, keys, stores.recorder(), randomness);
  }

  /** Returns the use case that rotates and rewraps the keys of tenants. */
  public ManageTenantKeys manageKeys() {
    return new ManageTenantKeys(stores.keys(), stores.encryptedFields(), keys, stores.recorder());
  }

  /** Returns the use case that compares master keysets and promotes new keys. */
  public KeysetGuard keysetGuard() {
    return new KeysetGuard(stores.keysetRegistry());
  }

  /**
   * Returns the keys of the current keyset; the object stays valid when the keyset file changes.
   */
  public CurrentKeys keys() {
    return keys;
  }

  /** Returns the use case that adds new audit entries to the hash chains. */
  public ExtendHashChains extendHashChains() {
    return new ExtendHashChains(database().hashChains(), keys);
  }

  /**
   * Returns the use case that imports tokens in bulk.
   *
   * @param cvcLifetime lifetime of card verification codes, as the server has it; empty: that of
   *     their token
   */
  public ImportTokens importTokens(Optional<Duration> cvcLifetime) {
    TokenContents contents =
        new TokenContents(
            keys,
            keys,
            new LiquidExpressions(randomness),
            new JacksonJson(),
            new ShortLivedData(cvcLifetime));
    return new ImportTokens(stores.tokens(), stores.keys(), contents, stores.recorder());
  }

  /** Returns the file that the master keyset was loaded from and is written to. */
  public KeysetFile keysetFile() {
    return keysetFile;
  }

  /** Returns whether this process uses the embedded PostgreSQL. */
  public boolean isEmbedded() {
    return embedded.isPresent();
  }

  @Override
  public void close() {
    database.ifPresent(JdbiStores::close);
    embedded.ifPresent(EmbeddedPostgres::close);
  }
}
