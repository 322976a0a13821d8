package io.tokenvault.server.assembly;

import io.tokenvault.adapters.jdbi.DatabaseSettings;
import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.adapters.jdbi.embedded.EmbeddedPostgres;
import io.tokenvault.adapters.jdbi.shards.ShardedStores;
import io.tokenvault.adapters.jdbi.stores.UnusableDatabaseException;
import io.tokenvault.adapters.jdbi.stores.VaultDatabase;
import io.tokenvault.adapters.jdbi.stores.VaultStores;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.engine.expression.LiquidExpressions;
import io.tokenvault.ports.spi.FeedSink;
import io.tokenvault.ports.spi.KeyHasher;
import io.tokenvault.ports.spi.Sealer;
import io.tokenvault.ports.spi.TenantStore;
import io.tokenvault.ports.spi.TokenHasher;
import io.tokenvault.ports.usecase.BackupTrail;
import io.tokenvault.ports.usecase.DropMonths;
import io.tokenvault.ports.usecase.DumpLog;
import io.tokenvault.ports.usecase.ExportLog;
import io.tokenvault.ports.usecase.ImportTokens;
import io.tokenvault.ports.usecase.KeysetGuard;
import io.tokenvault.ports.usecase.ManageKeys;
import io.tokenvault.ports.usecase.ManageTenants;
import io.tokenvault.ports.usecase.ReencryptFields;
import io.tokenvault.ports.usecase.SealLog;
import io.tokenvault.ports.usecase.ShortLivedData;
import io.tokenvault.ports.usecase.StreamLog;
import io.tokenvault.ports.usecase.TokenContents;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.crypto.CurrentKeys;
import io.tokenvault.server.json.JacksonJson;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A migrated database and the keys that belong to it: what the server and every command stand on.
 */
public final class Backend implements AutoCloseable {

  private static final String STREAM = "stdout";

  private final Optional<EmbeddedPostgres> embedded;
  private final VaultStores stores;
  private final int databases;
  private final KeysetFile keysetFile;
  private final CurrentKeys keys;
  private final SecureRandom randomness;

  private Backend(
      Optional<EmbeddedPostgres> embedded,
      VaultStores stores,
      int databases,
      KeysetFile keysetFile,
      CurrentKeys keys,
      SecureRandom randomness) {
    this.embedded = embedded;
    this.stores = stores;
    this.databases = databases;
    this.keysetFile = keysetFile;
    this.keys = keys;
    this.randomness = randomness;
  }

  /**
   * For the server, which hosts the embedded database and is alone in doing so, and waits for an
   * external one.
   */
  public static Backend forServer(Configuration configuration, SecureRandom randomness) {
    return open(
        configuration,
        randomness,
        configuration.databaseTimeouts().start(),
        () -> EmbeddedPostgres.start(configuration.dataDirectory(), randomness));
  }

  /** For a command, which joins a server's embedded database or hosts it for a moment. */
  public static Backend forCommand(Configuration configuration, SecureRandom randomness) {
    return open(
        configuration,
        randomness,
        Duration.ZERO,
        () -> EmbeddedPostgres.startOrAttach(configuration.dataDirectory(), randomness));
  }

  static Optional<EmbeddedPostgres> embeddedIfNeeded(
      Configuration configuration, Supplier<EmbeddedPostgres> start) {
    return configuration.database().isPresent() ? Optional.empty() : Optional.of(start.get());
  }

  private static Backend open(
      Configuration configuration,
      SecureRandom randomness,
      Duration patience,
      Supplier<EmbeddedPostgres> start) {
    KeysetFile file = new KeysetFile(configuration);
    // First, since it needs no database.
    Optional<CurrentKeys> loaded = file.loadIfThere().map(CurrentKeys::new);
    Optional<EmbeddedPostgres> embedded = embeddedIfNeeded(configuration, start);
    VaultStores stores = null;
    try {
      List<DatabaseSettings> databases = DatabaseAddress.of(configuration, embedded);
      JdbiStores.await(databases.get(0), patience);
      CurrentKeys keys;
      if (databases.size() == 1) {
        JdbiStores single = openStores(() -> JdbiStores.open(databases.get(0)));
        stores = single;
        keys =
            loaded.orElseGet(
                () -> new CurrentKeys(file.loadOrCreate(new KeysetGuard(single.keysetRegistry()))));
        stores = single.recording(keys, randomness);
      } else {
        keys = loaded.orElseThrow();
        stores = openStores(() -> openShards(databases, keys, randomness));
      }
      new KeysetGuard(stores.keysetRegistry()).verify(keys.masterKeys());
      return new Backend(embedded, stores, databases.size(), file, keys, randomness);
    } catch (RuntimeException failed) {
      Optional.ofNullable(stores).ifPresent(VaultStores::close);
      embedded.ifPresent(EmbeddedPostgres::close);
      throw failed;
    }
  }

  private static <S extends VaultStores> S openStores(Supplier<S> opening) {
    try {
      return opening.get();
    } catch (IllegalStateException notOurs) {
      throw new StartException("The database cannot be used: " + notOurs.getMessage());
    }
  }

  /** Each database is used with the same keyset, and with no other. */
  private static VaultStores openShards(
      List<DatabaseSettings> databases, CurrentKeys keys, SecureRandom randomness) {
    return ShardedStores.open(
        databases.stream()
            .<Supplier<VaultDatabase>>map(
                settings ->
                    () -> {
                      requireThere(settings);
                      return JdbiStores.open(settings).recording(keys, randomness);
                    })
            .toList(),
        database -> {
          new KeysetGuard(database.keysetRegistry()).verify(keys.masterKeys());
          manageKeys(database, keys).ensureAllPurposes();
        });
  }

  /** One that is away is opened later. */
  private static void requireThere(DatabaseSettings settings) {
    try {
      JdbiStores.await(settings, Duration.ZERO);
    } catch (UnusableDatabaseException unusable) {
      throw unusable.isLasting() ? unusable : RefusedException.unavailable(unusable);
    }
  }

  public VaultStores stores() {
    return stores;
  }

  public Sealer sealer() {
    return keys;
  }

  public TokenHasher tokenHasher() {
    return keys;
  }

  public KeyHasher hasher() {
    return keys;
  }

  public SecureRandom randomness() {
    return randomness;
  }

  public ManageTenants manageTenants() {
    return manageTenants(stores.tenants());
  }

  /**
   * The same, with new tenants in a database of one's choice.
   *
   * @param shard from 1
   * @throws IllegalArgumentException if there is no such database
   */
  public ManageTenants manageTenantsIn(int shard) {
    return manageTenants(stores.tenantsIn(shard));
  }

  private ManageTenants manageTenants(TenantStore tenants) {
    return new ManageTenants(
        tenants, stores.applications(), keys, keys, stores.recorder(), randomness);
  }

  public ManageKeys manageKeys() {
    return manageKeys(stores, keys);
  }

  private static ManageKeys manageKeys(VaultStores stores, CurrentKeys keys) {
    return new ManageKeys(
        stores.keys(), stores.sealedFields(), stores.keysetRegistry(), keys, stores.recorder());
  }

  /** Gives tenants from before a purpose was known the keys for it, in all databases there are. */
  void ensureAllPurposes() {
    stores.databases().forEach(database -> manageKeys(database, keys).ensureAllPurposes());
  }

  /** For each database that is there now. */
  List<ReencryptFields> reencryptFields() {
    return stores.databases().stream()
        .map(each -> new ReencryptFields(each.keys(), each.sealedFields(), keys))
        .toList();
  }

  /** The keys of the keyset of the moment. */
  public CurrentKeys keys() {
    return keys;
  }

  /** How many databases there are, away or not. */
  int databases() {
    return databases;
  }

  /** One database's log. Databases are counted from 1. */
  public SealLog sealLog(int database) {
    return new SealLog(stores.database(database).seals(), keys);
  }

  /** One database's log. Databases are counted from 1. */
  public DumpLog dumpLog(int database) {
    VaultDatabase chosen = stores.database(database);
    return new DumpLog(chosen.sealedLog(), chosen.seals(), stores.recorder());
  }

  /**
   * @param cvcLifetime as the server has it
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

  /** Of one database. Databases are counted from 1. */
  public BackupTrail backupTrail(int database) {
    VaultDatabase chosen = stores.database(database);
    return new BackupTrail(chosen.tenants(), chosen.recorder());
  }

  /** One database's log. Databases are counted from 1. */
  public ExportLog exportLog(int database) {
    return new ExportLog(stores.database(database).logFeed(), stores.recorder());
  }

  /** One database's log. Databases are counted from 1. */
  public DropMonths dropMonths(int database) {
    return new DropMonths(stores.database(database).logMonths(), keys);
  }

  /** For each database that is there now. */
  List<StreamLog> streamLogs(FeedSink sink) {
    return stores.databases().stream()
        .map(each -> new StreamLog(each.logFeed(), STREAM, sink))
        .toList();
  }

  /** The file that the master keyset came from, and goes to. */
  public KeysetFile keysetFile() {
    return keysetFile;
  }

  /** Makes this process a node that serves, until the watch is closed. */
  KeysetWatch watchKeyset() {
    return new KeysetWatch(keysetFile, keys, new KeysetGuard(stores.keysetRegistry()));
  }

  public boolean isEmbedded() {
    return embedded.isPresent();
  }

  @Override
  public void close() {
    stores.close();
    embedded.ifPresent(EmbeddedPostgres::close);
  }
}
