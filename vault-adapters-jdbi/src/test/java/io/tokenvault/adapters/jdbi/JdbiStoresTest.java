package io.tokenvault.adapters.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.tokenvault.adapters.jdbi.sql.DatabaseConnections;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings.Limits;
import io.tokenvault.domain.access.ApplicationType;
import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationDraft;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.proxy.ContainerBinding;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.ApplicationStore;
import io.tokenvault.ports.store.LookupRequest;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.store.Preconditions;
import io.tokenvault.ports.store.ProxyStore;
import io.tokenvault.ports.store.ProxyStore.NewProxy;
import io.tokenvault.ports.store.ProxyStore.ProxyFilter;
import io.tokenvault.ports.store.TokenStore.NewToken;
import io.tokenvault.ports.store.model.ActingApplication;
import io.tokenvault.ports.store.model.NewApplication;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.SqlLogger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests behavior of PostgreSQL that the contract suites do not cover. */
final class JdbiStoresTest {

  private static final String MARKER = "planted-91d7aa";
  private static final int POOL_SIZE = 2;
  private static final TestDatabase DATABASE = TestDatabase.migrated();

  @AutoClose private JdbiStores stores;
  private TenantId tenant;

  @BeforeEach
  void open() {
    stores = DATABASE.stores(TestDatabase.LIMITS, POOL_SIZE);
    tenant = TestDatabase.newTenant(stores);
  }

  @Test
  void lookupUsesOneStatement() {
    NewApplication application = Samples.application(tenant);
    stores.applications().create(application, Samples.entry(tenant));
    ContainerBinding binding = Samples.binding("/a/", "b");
    stores.tenants().changeEgress(tenant, old -> old.with(binding), Samples.entry(tenant));
    NewProxy proxy = Samples.proxyWithTransforms(tenant);
    stores.proxies().create(proxy, Samples.entry(tenant));
    NewToken token = Samples.token(tenant);
    stores.tokens().create(List.of(token), Samples::expiry);
    LookupRequest lookup =
        new LookupRequest(
            List.of(application.keyHash()), List.of(proxy.keyHash()), Set.of(token.id()));

    LookupRequest actingLookup =
        new LookupRequest(
            List.of(),
            Optional.of(new ActingApplication(tenant, application.id())),
            lookup.proxyKey(),
            lookup.tokens());

    for (LookupRequest each : List.of(lookup, actingLookup)) {
      assertThat(statementsOf(() -> stores.lookup().load(each, MemoryReservation.UNBOUNDED)))
          .isEqualTo(1);
    }
  }

  @Test
  void largeTokenLookupUsesTwoStatementsOrOneWithoutMemory() {
    NewApplication application = Samples.application(tenant);
    stores.applications().create(application, Samples.entry(tenant));
    NewToken token =
        Samples.token(
            tenant,
            Samples.content(new EncryptedValue(1, new byte[1 << 20]), Samples.fingerprint()));
    stores.tokens().create(List.of(token), Samples::expiry);
    LookupRequest lookup = LookupRequest.tokens(List.of(application.keyHash()), Set.of(token.id()));
    MemoryReservation none =
        bytes -> {
          throw new RefusedException(FailureCause.OVERLOADED, "no memory");
        };

    assertThat(statementsOf(() -> stores.lookup().load(lookup, MemoryReservation.UNBOUNDED)))
        .isEqualTo(2);
    assertThat(
            statementsOf(
                () ->
                    assertThatThrownBy(() -> stores.lookup().load(lookup, none))
                        .isInstanceOf(RefusedException.class)))
        .isEqualTo(1);
  }

  @Test
  void proxyListUsesOneStatement() {
    for (int i = 0; i < 3; i++) {
      stores.proxies().create(Samples.proxyWithTransforms(tenant), Samples.entry(tenant));
    }
    ProxyStore proxies = stores.proxies();
    ProxyFilter all = new ProxyFilter(Set.of(), Optional.empty());
    PageRequest page = new PageRequest(1, 100);

    assertThat(statementsOf(() -> proxies.list(tenant, all, page, MemoryReservation.UNBOUNDED)))
        .isEqualTo(1);
  }

  @Test
  void recordingUsesOneStatement() {
    Application application =
        stores.applications().create(Samples.application(tenant), Samples.entry(tenant));
    Preconditions versions =
        Preconditions.none(tenant).with(application).with(TenantEgress.initial()).withKeys();
    List<AuditEntry> entries = List.of(Samples.entry(tenant), Samples.entry(tenant));

    assertThat(statementsOf(() -> stores.recorder().record(entries, versions))).isEqualTo(1);
  }

  private int statementsOf(Runnable work) {
    AtomicInteger statements = new AtomicInteger();
    stores.observe(StatementObserver.counting(statements));
    work.run();
    stores.observe(SqlLogger.NOP_SQL_LOGGER);
    return statements.get();
  }

  @Test
  void hangingDatabaseIsUnavailableWithinTheLimits() {
    Limits limits =
        new Limits(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofMillis(250));
    try (TcpRelay relay = TcpRelay.to(DATABASE.port());
        JdbiStores relayed = DATABASE.storesThrough(relay, limits)) {
      LookupRequest noCaller = LookupRequest.caller(List.of());
      TestDatabase.awaitConnected(
          () -> relayed.lookup().load(noCaller, MemoryReservation.UNBOUNDED));
      assertThat(relayed.readiness().isReady()).isTrue();

      relay.freeze();

      CompletableFuture<Void> list =
          CompletableFuture.runAsync(() -> assertUnavailable(() -> relayed.tenants().list()));
      assertUnavailable(() -> relayed.lookup().load(noCaller, MemoryReservation.UNBOUNDED));
      list.join();
      assertThat(relayed.readiness().isReady()).isFalse();
    }
  }

  @Test
  void firstConnectionMayExceedRequestWait() {
    Limits limits =
        new Limits(Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofMillis(250));
    try (TcpRelay relay = TcpRelay.to(DATABASE.port(), Duration.ofMillis(50));
        JdbiStores relayed = DATABASE.storesThrough(relay, limits)) {
      assertThat(relayed.tenants().list()).isNotEmpty();
    }
  }

  private static void assertUnavailable(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            RefusedException.class,
            refused -> assertThat(refused.failure()).isEqualTo(FailureCause.STORE_UNAVAILABLE));
  }

  @Test
  void slowStatementIsUnavailable() {
    Limits limits = new Limits(Duration.ofSeconds(5), Duration.ofSeconds(1), Duration.ofSeconds(5));
    try (JdbiStores limited = DATABASE.stores(limits, 1);
        LockedTable locked = LockedTable.exclusive(DATABASE, "tenant")) {
      assertThat(locked).isNotNull();
      assertUnavailable(() -> limited.tenants().list());
    }
  }

  @Test
  void commitsAreDurableDespiteDatabaseWithoutSynchronousCommit() {
    String role = "ALTER ROLE vault_runtime IN DATABASE " + DATABASE.name();
    DATABASE.asOwner(role + " SET synchronous_commit = off");
    try (DatabaseConnections.Pools pools =
        new DatabaseConnections(DATABASE.settings()).openPools()) {
      for (DataSource pool : List.of(pools.requests(), pools.steady(), pools.sealing())) {
        try (Handle handle = Jdbi.open(pool)) {
          assertThat(handle.select("SHOW synchronous_commit").mapTo(String.class).one())
              .isEqualTo("on");
        }
      }
    } finally {
      DATABASE.asOwner(role + " RESET synchronous_commit");
    }
  }

  @Test
  void sessionsAreConfiguredInLocaleWithOwnDigits() {
    Locale usual = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG"));
    try (JdbiStores others = DATABASE.stores(TestDatabase.LIMITS, POOL_SIZE)) {
      assertThat(others.tenants().find(tenant)).isPresent();
    } finally {
      Locale.setDefault(usual);
    }
  }

  @Test
  void readOnlyDatabaseIsUnavailableForChangesAndNotReady() {
    // In this database only: the pools of other tests may open connections at the same time.
    String role = "ALTER ROLE vault_runtime IN DATABASE " + DATABASE.name();
    DATABASE.asOwner(role + " SET default_transaction_read_only = on");
    try (JdbiStores readOnly = DATABASE.stores()) {
      assertUnavailable(
          () -> readOnly.tokens().create(List.of(Samples.token(tenant)), Samples::expiry));
      assertThat(readOnly.tenants().list()).isNotEmpty();
      assertThat(readOnly.readiness().isReady()).isFalse();
    } finally {
      DATABASE.asOwner(role + " RESET default_transaction_read_only");
    }
  }

  @Test
  void terminatedConnectionsAreReplaced() {
    NewApplication marked = markedApplication();
    stores.tenants().list();
    DATABASE.asOwner(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            + " WHERE usename = 'vault_runtime' AND datname = current_database()");

    for (int i = 0; i < POOL_SIZE; i++) {
      Throwable failure =
          catchThrowable(() -> stores.applications().create(marked, Samples.entry(tenant, MARKER)));
      if (failure instanceof RefusedException refused) {
        assertThat(refused.failure()).isEqualTo(FailureCause.STORE_UNAVAILABLE);
        assertOmitsMarker(LogCapture.stackTrace(failure));
      }
    }

    assertThat(stores.tenants().list()).isNotEmpty();
  }

  @Test
  void constraintViolationsDiscloseNoData() {
    ApplicationStore applications = stores.applications();
    AuditEntry entry = Samples.entry(tenant, MARKER);
    NewApplication marked = markedApplication();
    NewApplication sameKey = markedApplication();
    applications.create(marked, entry);

    try (LogCapture log = LogCapture.start()) {
      for (ThrowingCallable call :
          List.<ThrowingCallable>of(
              () -> applications.create(marked, entry),
              () -> applications.create(sameKey, entry),
              () -> stores.tokens().create(List.of(unstorableToken()), Samples::expiry))) {
        Throwable failure = catchThrowable(call);
        assertThat(failure).isInstanceOf(IllegalStateException.class);
        assertOmitsMarker(LogCapture.stackTrace(failure));
      }
      assertOmitsMarker(log.text());
    }
  }

  /** Returns an application; all have one key, unique to the test, since tests share a database. */
  private NewApplication markedApplication() {
    return new NewApplication(
        new ApplicationId(UUID.randomUUID()),
        tenant,
        new ApplicationDraft.Valid(
            ApplicationType.PRIVATE, Samples.settings(MARKER), Optional.empty(), Optional.empty()),
        Optional.empty(),
        new KeyHash(1, (MARKER + tenant).getBytes(StandardCharsets.UTF_8)));
  }

  /** Returns a token with NUL in its metadata, which PostgreSQL cannot store. */
  private NewToken unstorableToken() {
    return Samples.token(tenant, MARKER, MarkedTokens.settings(Map.of(MARKER, "\0")));
  }

  private static void assertOmitsMarker(String text) {
    byte[] marker = MARKER.getBytes(StandardCharsets.UTF_8);
    assertThat(text).doesNotContain(MARKER, HexFormat.of().formatHex(marker));
  }

  @Test
  void settingsPrintNeitherUrlNorPassword() {
    assertThat(DATABASE.settings().toString()).doesNotContain(DATABASE.url()).contains("redacted");
  }
}
