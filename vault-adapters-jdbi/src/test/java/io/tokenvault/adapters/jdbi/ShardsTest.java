package io.tokenvault.adapters.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.tokenvault.adapters.jdbi.DatabaseSettings.Limits;
import io.tokenvault.adapters.jdbi.shards.ShardedStores;
import io.tokenvault.adapters.jdbi.stores.VaultDatabase;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.tenant.Tenant;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.spi.AuditRecorder.Outcome;
import io.tokenvault.ports.spi.KeyHash;
import io.tokenvault.ports.spi.KeyProof;
import io.tokenvault.ports.spi.KeysetRegistry.Ledger;
import io.tokenvault.ports.spi.Loaded;
import io.tokenvault.ports.spi.Lookup;
import io.tokenvault.ports.spi.MasterKeyId;
import io.tokenvault.ports.spi.MasterKeyId.Use;
import io.tokenvault.ports.spi.NewApplication;
import io.tokenvault.ports.spi.NewProxy;
import io.tokenvault.ports.spi.NewTenant;
import io.tokenvault.ports.spi.Readiness;
import io.tokenvault.ports.spi.RequestLookup;
import io.tokenvault.ports.spi.Versions;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jdbi.v3.core.statement.SqlLogger;
import org.jdbi.v3.core.statement.StatementContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tenants on two databases, of which one may be away. */
final class ShardsTest {

  /** For a database that is going to be away. */
  private static final Limits IMPATIENT =
      new Limits(Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(1));

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final TestDatabase FIRST = TestDatabase.empty();
  private static final TestDatabase SECOND = TestDatabase.empty();

  private final AtomicLong asked = new AtomicLong();
  private Relay relay;
  private ShardedStores stores;

  @BeforeEach
  void open() {
    relay = Relay.to(SECOND.port());
    stores = open(() -> observed(SECOND.urlThrough(relay.port()), IMPATIENT));
  }

  @AfterEach
  void close() {
    stores.close();
    relay.close();
    for (TestDatabase each : List.of(FIRST, SECOND)) {
      each.asOwner(ShardedStoreFixture.EMPTIED);
    }
  }

  private ShardedStores open(Supplier<JdbiStores> other) {
    return ShardedStores.open(List.of(() -> observed(FIRST.url()), other), admitted -> {});
  }

  /** Whose statements are counted. */
  private JdbiStores observed(String url) {
    return observed(url, TestDatabase.LIMITS);
  }

  private JdbiStores observed(String url, Limits limits) {
    JdbiStores opened = TestDatabase.stores(FIRST.settings(url, limits, 4));
    opened.observe(
        new SqlLogger() {
          @Override
          public void logBeforeExecution(StatementContext context) {
            asked.incrementAndGet();
          }
        });
    return opened;
  }

  private NewTenant createIn(int database) {
    NewTenant tenant = Samples.tenant(Samples.tenantId());
    stores.tenantsIn(database).create(tenant, List.of(Samples.entry(tenant.id(), "made")));
    return tenant;
  }

  private Loaded load(KeyHash key) {
    return stores.lookup().load(Lookup.caller(List.of(key)));
  }

  private static KeyHash key(NewTenant tenant) {
    return tenant.management().keyHash();
  }

  private void assertFound(NewTenant tenant) {
    assertThat(load(key(tenant)).caller().orElseThrow().application().tenantId())
        .isEqualTo(tenant.id());
  }

  private static void assertUnavailable(ThrowingCallable call) {
    Throwable failure = catchThrowable(call);
    assertThat(failure).isInstanceOf(RefusedException.class);
    assertThat(((RefusedException) failure).failure()).isEqualTo(FailureCause.STORE_UNAVAILABLE);
  }

  private static List<String> tenantsOf(TestDatabase database) {
    return database.asOwner("SELECT tenant_id FROM tenant");
  }

  private static List<String> logOf(TestDatabase database, TenantId tenant) {
    return database.asOwner(
        "SELECT message FROM audit_entry WHERE tenant_id = '%s'".formatted(tenant));
  }

  private long statementsOf(Runnable work) {
    long before = asked.get();
    work.run();
    return asked.get() - before;
  }

  @Test
  void newTenantsGoToTheDatabaseThatHasTheFewestOrToTheOneOfChoice() {
    NewTenant chosen = createIn(2);
    NewTenant free = Samples.tenant(Samples.tenantId());
    stores.tenants().create(free, List.of(Samples.entry(free.id())));

    assertThat(tenantsOf(FIRST)).containsExactly(free.id().toString());
    assertThat(tenantsOf(SECOND)).containsExactly(chosen.id().toString());
    assertThat(stores.tenants().list())
        .extracting(Tenant::id)
        .containsExactly(chosen.id(), free.id());
    assertThatThrownBy(() -> stores.tenantsIn(3)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> stores.tenantsIn(0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatATenantOwnsAndItsLogAreInItsDatabase() {
    NewTenant tenant = createIn(2);
    stores.tokens().create(List.of(Samples.token(tenant.id())), Samples::expiry);

    for (String table : List.of("token", "application", "tenant_key", "credential")) {
      assertThat(FIRST.asOwner("SELECT tenant_id FROM " + table)).as(table).isEmpty();
      assertThat(SECOND.asOwner("SELECT DISTINCT tenant_id FROM " + table))
          .as(table)
          .containsExactly(tenant.id().toString());
    }
    assertThat(logOf(FIRST, tenant.id())).isEmpty();
    assertThat(logOf(SECOND, tenant.id())).hasSize(2);
  }

  @Test
  void aKeyThatWasFoundBeforeIsLookedForInOneDatabase() {
    NewTenant tenant = createIn(2);
    assertThat(statementsOf(() -> assertFound(tenant))).isEqualTo(2);
    assertThat(statementsOf(() -> assertFound(tenant))).isEqualTo(1);
  }

  @Test
  void aKeyThatIsNowhereIsLookedForEverywhereAgainAndAgain() {
    KeyHash unknown = Samples.hash();
    assertThat(statementsOf(() -> assertThat(load(unknown).caller()).isEmpty())).isEqualTo(2);
    assertThat(statementsOf(() -> assertThat(load(unknown).caller()).isEmpty())).isEqualTo(2);
  }

  @Test
  void aHintThatIsNoLongerTrueDoesNoHarm() {
    NewTenant gone = createIn(2);
    assertFound(gone);
    stores.tenants().delete(gone.id(), Samples.entry(gone.id()));
    NewTenant other = createIn(1);

    assertThat(load(key(gone)).caller()).isEmpty();
    // The same key comes back in the other database.
    NewApplication moved = Samples.application(other.id());
    stores.applications().create(moved, Samples.entry(other.id()));
    ApplicationId id = moved.id();
    stores
        .applications()
        .replaceKey(other.id(), id, key(gone), Optional.empty(), Samples.entry(other.id()));

    assertThat(load(key(gone)).caller().orElseThrow().application().id()).isEqualTo(id);
  }

  @Test
  void anotherServerFindsTenantsThatThisOneMade() {
    NewTenant tenant;
    try (ShardedStores other = open(() -> observed(SECOND.url()))) {
      tenant = createIn(2);
      assertThat(other.keys().find(tenant.id())).contains(tenant.keys());
      assertThat(other.recorder().record(entries(tenant.id()), Versions.none(tenant.id())))
          .isEqualTo(Outcome.RECORDED);
    }
    assertThat(logOf(FIRST, tenant.id())).isEmpty();
  }

  private static List<AuditEntry> entries(TenantId id) {
    return List.of(Samples.entry(id, "told by another"));
  }

  @Test
  void aProxyInAnotherDatabaseIsToldAsAnotherTenants() {
    NewTenant own = createIn(1);
    NewTenant foreign = createIn(2);
    NewProxy proxy = Samples.proxy(foreign.id());
    stores.proxies().create(proxy, Samples.entry(foreign.id()));
    Lookup lookup = new Lookup(List.of(key(own)), List.of(proxy.keyHash()), Set.of());

    Loaded loaded = stores.lookup().load(lookup);

    assertThat(loaded.caller().orElseThrow().application().tenantId()).isEqualTo(own.id());
    assertThat(loaded.proxy().orElseThrow().proxy().proxy().tenantId()).isEqualTo(foreign.id());

    relay.close();
    assertThat(stores.lookup().load(lookup).proxy()).isEmpty();
  }

  @Test
  void aDatabaseThatIsAwayTakesDownItsTenantsOnly() {
    NewTenant here = createIn(1);
    NewTenant there = createIn(2);
    assertFound(there);

    relay.close();

    assertUnavailable(() -> load(key(there)));
    assertUnavailable(() -> stores.keys().find(there.id()));
    assertUnavailable(() -> load(Samples.hash()));
    assertUnavailable(() -> stores.tenants().list());
    assertFound(here);
    assertThat(stores.recorder().record(entries(here.id()), Versions.none(here.id())))
        .isEqualTo(Outcome.RECORDED);
    assertThat(stores.readiness().isReady()).isTrue();
    assertThat(stores.databases()).hasSize(1);
    NewTenant placed = Samples.tenant(Samples.tenantId());
    stores.tenants().create(placed, List.of(Samples.entry(placed.id())));
    assertThat(tenantsOf(FIRST)).contains(placed.id().toString());
  }

  @Test
  void whoAsksADatabaseThatIsAwayIsRefusedWithoutAskingIt() {
    NewTenant there = createIn(2);
    AtomicInteger loads = new AtomicInteger();
    reopenSecond(
        (lookup, room) -> {
          loads.incrementAndGet();
          throw RefusedException.unavailable(null);
        },
        () -> false);

    assertUnavailable(() -> load(key(there)));
    assertUnavailable(() -> load(key(there)));
    assertUnavailable(() -> load(key(there)));

    assertThat(loads).hasValue(1);
  }

  @Test
  void aDatabaseThatAnswersOthersIsBusyAndNotAway() {
    NewTenant there = createIn(2);
    AtomicInteger loads = new AtomicInteger();
    reopenSecond(
        (lookup, room) -> {
          if (loads.incrementAndGet() == 1) {
            throw RefusedException.unavailable(null);
          }
          return new Loaded(Instant.EPOCH, Optional.empty(), Optional.empty(), Map.of());
        },
        () -> stores.lookup().load(Lookup.caller(List.of(key(there)))).caller().isPresent());

    assertUnavailable(() -> load(key(there)));

    assertThat(load(key(there)).caller()).isEmpty();
    assertThat(loads).hasValue(3);
  }

  /** The second database, with a look-up and a readiness of the test's own. */
  private void reopenSecond(RequestLookup lookup, Readiness readiness) {
    stores.close();
    JdbiStores real = observed(SECOND.url());
    VaultDatabase changed =
        (VaultDatabase)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {VaultDatabase.class},
                (proxy, method, arguments) ->
                    switch (method.getName()) {
                      case "lookup" -> lookup;
                      case "readiness" -> readiness;
                      default -> method.invoke(real, arguments);
                    });
    stores =
        ShardedStores.open(
            List.<Supplier<VaultDatabase>>of(() -> observed(FIRST.url()), () -> changed),
            admitted -> {});
  }

  @Test
  void aDatabaseThatIsAwayAtTheStartIsUsedOnceItIsThere() {
    NewTenant there = createIn(2);
    AtomicInteger tries = new AtomicInteger();
    Supplier<JdbiStores> late =
        () -> {
          if (tries.incrementAndGet() == 1) {
            throw RefusedException.unavailable(null);
          }
          return observed(SECOND.url());
        };
    stores.close();
    stores = open(late);

    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (stores.databases().size() < 2) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      Thread.onSpinWait();
    }
    assertFound(there);
    assertThat(tries).hasValue(2);
  }

  @Test
  void withoutTheFirstDatabaseNothingStarts() {
    assertUnavailable(
        () ->
            ShardedStores.open(
                List.<Supplier<VaultDatabase>>of(
                    () -> {
                      throw RefusedException.unavailable(null);
                    },
                    () -> observed(SECOND.url())),
                admitted -> {}));
  }

  @Test
  void aDatabaseThatMayNotBeUsedEndsTheStart() {
    assertThatThrownBy(
            () ->
                ShardedStores.open(
                    List.of(() -> observed(FIRST.url()), () -> observed(SECOND.url())),
                    admitted -> {
                      throw new IllegalStateException("another keyset");
                    }))
        .hasMessage("another keyset");
  }

  @Test
  void aTenantInTwoDatabasesEndsTheStart() {
    NewTenant tenant = createIn(2);
    FIRST.asOwner("INSERT INTO tenant (tenant_id, name) VALUES ('%s', 'x')".formatted(tenant.id()));
    assertThatThrownBy(() -> open(() -> observed(SECOND.url())))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(tenant.id().toString());
  }

  @Test
  void jobsGoOverAllDatabasesAndAreNotStoppedByOneThatIsAway() {
    Instant soon = load(Samples.hash()).now().plusMillis(300);
    for (int database : List.of(1, 2)) {
      TenantId id = createIn(database).id();
      stores.applications().create(Samples.expiring(id, soon), Samples.entry(id));
    }
    while (load(Samples.hash()).now().isBefore(soon)) {
      Thread.onSpinWait();
    }
    assertThat(stores.applications().deleteExpired(1, app -> Samples.entry(app.tenantId())))
        .isEqualTo(1);
    assertThat(stores.applications().deleteExpired(500, app -> Samples.entry(app.tenantId())))
        .isEqualTo(1);

    relay.close();

    assertThat(stores.applications().deleteExpired(500, app -> Samples.entry(app.tenantId())))
        .isZero();
    assertThat(stores.tokens().deleteExpiredParts(500)).isZero();
    stores.ensurePartitions();
  }

  @Test
  void proofsGoToAllDatabasesAndEntriesToThatOfTheirTenant() {
    TenantId there = createIn(2).id();
    KeyProof proof = new KeyProof(new MasterKeyId(Use.WRAPPING, 7), new byte[] {7});
    stores
        .keysetRegistry()
        .exclusively(
            ledger -> {
              ledger.add(proof);
              ledger.record(Samples.entry(there, "promoted"));
              return ledger;
            });
    for (TestDatabase database : List.of(FIRST, SECOND)) {
      assertThat(database.asOwner("SELECT key_id FROM key_proof")).containsExactly("7");
    }
    assertThat(logOf(SECOND, there)).contains("promoted");
    assertThat(logOf(FIRST, there)).isEmpty();

    relay.close();

    // A node still tells that it lives, and nobody promotes what one database would not know.
    assertThat(stores.keysetRegistry().exclusively(Ledger::proofs)).containsExactly(proof);
    assertUnavailable(
        () ->
            stores
                .keysetRegistry()
                .exclusively(
                    ledger -> {
                      ledger.add(new KeyProof(new MasterKeyId(Use.WRAPPING, 8), new byte[] {8}));
                      return ledger;
                    }));
    assertThat(stores.keysetRegistry().exclusively(Ledger::proofs)).containsExactly(proof);
  }
}
