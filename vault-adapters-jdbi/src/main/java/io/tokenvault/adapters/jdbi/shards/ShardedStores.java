package io.tokenvault.adapters.jdbi.shards;

import io.tokenvault.adapters.jdbi.stores.DatabaseActivity;
import io.tokenvault.adapters.jdbi.stores.VaultDatabase;
import io.tokenvault.adapters.jdbi.stores.VaultStores;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.spi.ApplicationStore;
import io.tokenvault.ports.spi.AuditLog;
import io.tokenvault.ports.spi.AuditRecorder;
import io.tokenvault.ports.spi.CredentialStore;
import io.tokenvault.ports.spi.Election;
import io.tokenvault.ports.spi.KeyStore;
import io.tokenvault.ports.spi.KeysetRegistry;
import io.tokenvault.ports.spi.ProxyStore;
import io.tokenvault.ports.spi.Readiness;
import io.tokenvault.ports.spi.RequestJournal;
import io.tokenvault.ports.spi.RequestLookup;
import io.tokenvault.ports.spi.SealedFields;
import io.tokenvault.ports.spi.TenantStore;
import io.tokenvault.ports.spi.TokenStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tenants over several databases, each tenant with all that it owns in one. A database that is away
 * takes down its own tenants: their requests fail with {@code STORE_UNAVAILABLE}, and so do those
 * with keys that no other database knows. What needs all tenants at once fails too.
 */
public final class ShardedStores implements VaultStores {

  private static final Logger LOG = LoggerFactory.getLogger(ShardedStores.class);

  private final Shards shards;

  private ShardedStores(Shards shards) {
    this.shards = shards;
  }

  /**
   * Opens all databases. The first one, which keeps what nodes agree on, has to be there; others
   * that are away are opened later.
   *
   * @param databases in the same order on all nodes
   * @param admission throws if a database may not be used; called when one was opened, before it is
   *     used
   * @throws RefusedException if the first one is away
   * @throws IllegalStateException if a tenant is in two databases
   */
  public static ShardedStores open(
      List<? extends Supplier<? extends VaultDatabase>> databases,
      Consumer<VaultStores> admission) {
    ShardedStores stores =
        new ShardedStores(new Shards(shards -> numbered(databases, admission, shards)));
    try {
      stores.open();
      return stores;
    } catch (RuntimeException failure) {
      stores.close();
      throw failure;
    }
  }

  private static List<Shard> numbered(
      List<? extends Supplier<? extends VaultDatabase>> databases,
      Consumer<VaultStores> admission,
      Shards shards) {
    List<Shard> numbered = new ArrayList<>();
    for (Supplier<? extends VaultDatabase> each : databases) {
      int number = numbered.size() + 1;
      numbered.add(
          new Shard(
              number,
              each,
              admission.andThen(opened -> shards.learn(number, opened.tenants().list()))));
    }
    return numbered;
  }

  private void open() {
    shards.home().open();
    for (Shard each : shards.others()) {
      try {
        each.open();
      } catch (RefusedException away) {
        LOG.warn(
            "Database {} is away; its tenants are refused until it is there: {}",
            each.number(),
            Optional.ofNullable(away.getCause()).orElse(away).getMessage());
      }
    }
  }

  @Override
  public ApplicationStore applications() {
    return new RoutedApplications(shards);
  }

  @Override
  public ProxyStore proxies() {
    return new RoutedProxies(shards);
  }

  @Override
  public TokenStore tokens() {
    return new RoutedTokens(shards);
  }

  /** New tenants go to the database that has the fewest. */
  @Override
  public TenantStore tenants() {
    return new RoutedTenants(shards, shards::forNewTenant);
  }

  @Override
  public TenantStore tenantsIn(int database) {
    Shard chosen = shard(database);
    return new RoutedTenants(shards, () -> chosen);
  }

  private Shard shard(int number) {
    if (number < 1 || number > shards.all().size()) {
      throw new IllegalArgumentException("there are databases 1 to " + shards.all().size());
    }
    return shards.all().get(number - 1);
  }

  @Override
  public KeyStore keys() {
    return new RoutedKeys(shards);
  }

  @Override
  public SealedFields sealedFields() {
    return new RoutedSealedFields(shards);
  }

  @Override
  public KeysetRegistry keysetRegistry() {
    return new RoutedRegistry(shards);
  }

  @Override
  public CredentialStore credentials() {
    return (tenantId, from, to) ->
        shards.of(tenantId).tell(ports -> ports.stores().credentials().renew(tenantId, from, to));
  }

  @Override
  public AuditLog auditLog() {
    return new RoutedLog(shards);
  }

  @Override
  public RequestJournal requestJournal() {
    return new RoutedRequests(shards);
  }

  @Override
  public RequestLookup lookup() {
    return new RoutedLookup(shards);
  }

  @Override
  public AuditRecorder recorder() {
    return new RoutedLog(shards);
  }

  /**
   * Ready while one database is: a node that some tenants can use is not to be taken away from
   * them. The log says which databases are away. All are looked at.
   */
  @Override
  public Readiness readiness() {
    return () -> !databases().isEmpty();
  }

  /** By the first database, which has to be there for work that is done once for all of them. */
  @Override
  public Election election() {
    return shards
        .home()
        .stores()
        .map(VaultStores::election)
        .orElseThrow(() -> shards.home().away());
  }

  @Override
  public void ensurePartitions() {
    databases().forEach(VaultStores::ensurePartitions);
  }

  @Override
  public VaultDatabase database(int number) {
    Shard chosen = shard(number);
    return chosen.stores().orElseThrow(chosen::away);
  }

  @Override
  public List<VaultDatabase> databases() {
    return shards.all().stream().map(Shard::stores).flatMap(Optional::stream).toList();
  }

  @Override
  public List<DatabaseActivity> activity() {
    return shards.all().stream()
        .flatMap(shard -> shard.opened().stream())
        .flatMap(database -> database.activity().stream())
        .toList();
  }

  @Override
  public void close() {
    shards.all().forEach(Shard::close);
  }
}
