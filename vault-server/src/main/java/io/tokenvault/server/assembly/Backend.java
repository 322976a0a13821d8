package io.tokenvault.server.assembly;

import io.tokenvault.adapters.jdbi.DatabaseSettings;
import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.adapters.jdbi.embedded.EmbeddedPostgres;
import io.tokenvault.ports.spi.KeyHasher;
import io.tokenvault.ports.spi.Sealer;
import io.tokenvault.ports.usecase.ManageTenants;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.crypto.MasterKeyset;
import io.tokenvault.server.crypto.TinkKeyHasher;
import io.tokenvault.server.crypto.TinkSealer;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A migrated database and the keys that belong to it: what the server and every command stand on.
 */
public final class Backend implements AutoCloseable {

  private final Optional<EmbeddedPostgres> embedded;
  private final JdbiStores stores;
  private final Sealer sealer;
  private final KeyHasher hasher;
  private final SecureRandom randomness;

  private Backend(
      Optional<EmbeddedPostgres> embedded,
      JdbiStores stores,
      MasterKeyset keyset,
      SecureRandom randomness) {
    this.embedded = embedded;
    this.stores = stores;
    this.sealer = new TinkSealer(keyset);
    this.hasher = new TinkKeyHasher(keyset);
    this.randomness = randomness;
  }

  /** For the server, which hosts the embedded database and is alone in doing so. */
  public static Backend forServer(Configuration configuration, SecureRandom randomness) {
    return open(
        configuration,
        randomness,
        embeddedIfNeeded(
            configuration,
            () -> EmbeddedPostgres.start(configuration.dataDirectory(), randomness)));
  }

  /** For a command, which joins a server's embedded database or hosts it for a moment. */
  public static Backend forCommand(Configuration configuration, SecureRandom randomness) {
    return open(
        configuration,
        randomness,
        embeddedIfNeeded(
            configuration,
            () -> EmbeddedPostgres.startOrAttach(configuration.dataDirectory(), randomness)));
  }

  private static Optional<EmbeddedPostgres> embeddedIfNeeded(
      Configuration configuration, Supplier<EmbeddedPostgres> start) {
    return configuration.database().isPresent() ? Optional.empty() : Optional.of(start.get());
  }

  private static Backend open(
      Configuration configuration, SecureRandom randomness, Optional<EmbeddedPostgres> embedded) {
    JdbiStores stores = null;
    try {
      stores = openStores(DatabaseAddress.of(configuration, embedded));
      MasterKeyset keyset = new KeysetFile(configuration).loadOrCreate(stores.tenants());
      return new Backend(embedded, stores, keyset, randomness);
    } catch (RuntimeException failed) {
      Optional.ofNullable(stores).ifPresent(JdbiStores::close);
      embedded.ifPresent(EmbeddedPostgres::close);
      throw failed;
    }
  }

  private static JdbiStores openStores(DatabaseSettings settings) {
    try {
      return JdbiStores.open(settings);
    } catch (IllegalStateException notOurs) {
      throw new StartException("The database cannot be used: " + notOurs.getMessage());
    }
  }

  public JdbiStores stores() {
    return stores;
  }

  public Sealer sealer() {
    return sealer;
  }

  public KeyHasher hasher() {
    return hasher;
  }

  public SecureRandom randomness() {
    return randomness;
  }

  public ManageTenants manageTenants() {
    return new ManageTenants(
        stores.tenants(), stores.applications(), sealer, hasher, stores.recorder(), randomness);
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
