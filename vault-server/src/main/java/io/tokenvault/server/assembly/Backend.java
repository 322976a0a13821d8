package io.tokenvault.server.assembly;

import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.adapters.jdbi.embedded.EmbeddedPostgres;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings;
import io.tokenvault.engine.expression.LiquidExpressions;
import io.tokenvault.ports.audit.FeedSink;
import io.tokenvault.ports.crypto.FieldCipher;
import io.tokenvault.ports.crypto.KeyHasher;
import io.tokenvault.ports.crypto.TokenHasher;
import io.tokenvault.ports.usecase.audit.DropLogPartitions;
import io.tokenvault.ports.usecase.audit.DumpLog;
import io.tokenvault.ports.usecase.audit.ExportLog;
import io.tokenvault.ports.usecase.audit.ExtendHashChains;
import io.tokenvault.ports.usecase.audit.StreamLog;
import io.tokenvault.ports.usecase.key.KeysetGuard;
import io.tokenvault.ports.usecase.key.ManageKeys;
import io.tokenvault.ports.usecase.key.ReencryptFields;
import io.tokenvault.ports.usecase.tenant.BackupRecorder;
import io.tokenvault.ports.usecase.tenant.ManageTenants;
import io.tokenvault.ports.usecase.token.ImportTokens;
import io.tokenvault.ports.usecase.token.ShortLivedData;
import io.tokenvault.ports.usecase.token.TokenContents;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.crypto.CurrentKeys;
import io.tokenvault.server.json.JacksonJson;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A migrated database and the keys that belong to it: what the server and every command stand on.
 */
public final class Backend implements AutoCloseable {

  private static final String STREAM = "stdout";

  private final Optional<EmbeddedPostgres> embedded;
  private final JdbiStores stores;
  private final KeysetFile keysetFile;
  private final CurrentKeys keys;
  private final SecureRandom randomness;

  private Backend(
      Optional<EmbeddedPostgres> embedded,
      JdbiStores stores,
      KeysetFile keysetFile,
      CurrentKeys keys,
      SecureRandom randomness) {
    this.embedded = embedded;
    this.stores = stores;
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
    JdbiStores stores = null;
    try {
      DatabaseSettings settings = DatabaseAddress.of(configuration, embedded);
      JdbiStores.await(settings, patience);
      JdbiStores opened = open(settings);
      stores = opened;
      CurrentKeys keys =
          loaded.orElseGet(
              () -> new CurrentKeys(file.loadOrCreate(new KeysetGuard(opened.keysetRegistry()))));
      stores = opened.recording(keys, randomness);
      new KeysetGuard(stores.keysetRegistry()).verify(keys.masterKeys());
      return new Backend(embedded, stores, file, keys, randomness);
    } catch (RuntimeException failed) {
      Optional.ofNullable(stores).ifPresent(JdbiStores::close);
      embedded.ifPresent(EmbeddedPostgres::close);
      throw failed;
    }
  }

  private static JdbiStores open(DatabaseSettings settings) {
    try {
      return JdbiStores.open(settings);
    } catch (IllegalStateException notOurs) {
      throw new StartException("The database cannot be used: " + notOurs.getMessage());
    }
  }

  public JdbiStores stores() {
    return stores;
  }

  public FieldCipher sealer() {
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
    return new ManageTenants(
        stores.tenants(), stores.applications(), keys, keys, stores.recorder(), randomness);
  }

  public ManageKeys manageKeys() {
    return new ManageKeys(
        stores.keys(), stores.sealedFields(), stores.keysetRegistry(), keys, stores.recorder());
  }

  ReencryptFields reencryptFields() {
    return new ReencryptFields(stores.keys(), stores.sealedFields(), keys);
  }

  /** The keys of the keyset of the moment. */
  public CurrentKeys keys() {
    return keys;
  }

  public ExtendHashChains sealLog() {
    return new ExtendHashChains(stores.seals(), keys);
  }

  public DumpLog dumpLog() {
    return new DumpLog(stores.sealedLog(), stores.seals(), stores.recorder());
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

  public BackupRecorder backupTrail() {
    return new BackupRecorder(stores.tenants(), stores.recorder());
  }

  public ExportLog exportLog() {
    return new ExportLog(stores.logFeed(), stores.recorder());
  }

  public DropLogPartitions dropMonths() {
    return new DropLogPartitions(stores.logMonths(), keys);
  }

  StreamLog streamLog(FeedSink sink) {
    return new StreamLog(stores.logFeed(), STREAM, sink);
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
