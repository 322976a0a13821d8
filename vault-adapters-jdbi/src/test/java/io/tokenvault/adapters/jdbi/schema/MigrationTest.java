package io.tokenvault.adapters.jdbi.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.adapters.jdbi.LogCapture;
import io.tokenvault.adapters.jdbi.TcpRelay;
import io.tokenvault.adapters.jdbi.TestDatabase;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings;
import io.tokenvault.domain.access.TokenScope;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenQuery;
import io.tokenvault.ports.contract.Race;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.WrappedKey;
import io.tokenvault.ports.memory.SmallLogKeys;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.store.Preconditions;
import io.tokenvault.ports.store.model.EncryptedTransform;
import io.tokenvault.ports.store.model.StoredProxy;
import io.tokenvault.ports.store.model.StoredToken;
import io.tokenvault.ports.usecase.audit.CheckpointedChains;
import io.tokenvault.ports.usecase.audit.ExtendHashChains;
import io.tokenvault.ports.usecase.audit.VerifyLog;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class MigrationTest {

  private final TestDatabase database = TestDatabase.empty();

  @Test
  void reopeningChangesNothingAndPreservesData() {
    try (JdbiStores stores = database.stores()) {
      TestDatabase.newTenant(stores);
    }
    List<String> before = schema();

    try (JdbiStores stores = database.stores()) {
      assertThat(stores.tenants().list()).hasSize(1);
      assertThat(stores.readiness().isReady()).isTrue();
    }

    assertThat(schema()).isEqualTo(before);
    assertThat(migrations()).startsWith("1", "2").doesNotHaveDuplicates();
  }

  private List<String> schema() {
    return database.asOwner(
        "SELECT relname || coalesce(relacl::text, '') FROM pg_class"
            + " WHERE relnamespace = 'public'::regnamespace ORDER BY relname");
  }

  private List<String> migrations() {
    return database.asOwner(
        "SELECT version FROM vault_schema_history WHERE success AND version IS NOT NULL");
  }

  @Tag("long")
  @Test
  void concurrentlyStartedNodesMigrateOnce() {
    List<Boolean> ready =
        Race.run(
            4,
            node -> {
              try (JdbiStores stores = database.stores()) {
                return stores.readiness().isReady();
              }
            });

    assertThat(ready).containsOnly(true);
    assertThat(migrations()).startsWith("1", "2").doesNotHaveDuplicates();
  }

  @Test
  void firstVersionDataIsPreserved() {
    database.migrateLegacy("1");
    TenantId tenant = Samples.tenantId();
    database.asOwner("INSERT INTO tenant (tenant_id, name) VALUES ('%s', 'old')".formatted(tenant));
    database.asOwner(
        "INSERT INTO tenant_key (tenant_id, version, wrapped) VALUES ('%s', 3, '\\x0909')"
            .formatted(tenant));
    database.asOwner(
        """
        INSERT INTO token (tenant_id, token_id, type, containers, metadata, data, key_version)
        VALUES ('%s', 'old-token', 'token', '{/a/}', '{}', '\\x0102', 3)
        """
            .formatted(tenant));

    try (JdbiStores stores = database.stores()) {
      assertThat(stores.keys().find(tenant).orElseThrow().keys())
          .containsExactly(new WrappedKey(KeyPurpose.DATA, 3, new byte[] {9, 9}));
      StoredToken token =
          stores
              .tokens()
              .list(
                  tenant,
                  TokenQuery.everything(),
                  TokenScope.everything(),
                  new PageRequest(1, 10),
                  MemoryReservation.UNBOUNDED)
              .items()
              .get(0);
      assertThat(token.data()).isEqualTo(new EncryptedValue(3, new byte[] {1, 2}));
      assertThat(token.token().fingerprint()).isEmpty();
      assertThat(stores.tenants().egress(tenant)).contains(TenantEgress.initial());
    }
  }

  @Test
  @Tag("long")
  void fourthVersionProxyHasNoTransformsAndAcceptsThem() {
    database.migrateLegacy("4");
    TenantId tenant = Samples.tenantId();
    database.asOwner("INSERT INTO tenant (tenant_id, name) VALUES ('%s', 'old')".formatted(tenant));
    database.asOwner(
        """
        INSERT INTO proxy (tenant_id, proxy_id, name, folded_name, destination_url, require_auth,
          key, key_version, configuration, configuration_key_version)
        VALUES ('%1$s', '%1$s', 'p', 'p', 'https://a.example', true, '\\x01', 1, '\\x02', 1)
        """
            .formatted(tenant));
    Map<TransformKind, EncryptedTransform> transforms =
        Samples.proxyWithTransforms(tenant).transforms();

    try (JdbiStores stores = database.stores()) {
      ProxyId id = new ProxyId(tenant.value());
      StoredProxy old = stores.proxies().find(tenant, id).orElseThrow();
      assertThat(old.transforms()).isEmpty();

      stores
          .proxies()
          .update(
              tenant,
              id,
              ExpectedVersion.ANY,
              old.proxy().settings(),
              old.configuration(),
              transforms,
              tenant.value(),
              Samples.entry(tenant));

      assertThat(stores.proxies().find(tenant, id).orElseThrow().transforms())
          .isEqualTo(transforms);
    }
  }

  @Test
  @Tag("long")
  void fifthVersionEntriesAreChainedWithoutMac() {
    database.migrateLegacy("5");
    TenantId tenant = Samples.tenantId();
    database.asOwner(
        """
        INSERT INTO audit_entry (tenant_id, entity_type, entity_id, operation, message)
        SELECT '%s', 'token', 'x', 'read', 'old ' || i FROM generate_series(1, 3) AS i
        """
            .formatted(tenant));

    try (JdbiStores stores = database.stores()) {
      stores.recorder().record(List.of(Samples.entry(tenant)), Preconditions.none(tenant));
      SmallLogKeys keys = new SmallLogKeys();
      ExtendHashChains chainExtender = new ExtendHashChains(stores.hashChains(), keys);
      assertThat(chainExtender.run() + chainExtender.run()).isEqualTo(4);
      VerifyLog.Report report =
          new VerifyLog(keys, new CheckpointedChains(), Optional.empty(), unused -> {})
              .run(stores.chainedLog(), Optional.empty());
      assertThat(report.isIntact()).isTrue();
      assertThat(report.entries()).isEqualTo(4);
      assertThat(report.withoutMac()).isEqualTo(3);
      assertThat(report.unchained()).isZero();
    }
  }

  @Test
  void singleRoleWorksWithWarning() {
    DatabaseSettings settings = settings(TestDatabase.owner());

    try (LogCapture log = LogCapture.start();
        JdbiStores stores = JdbiStores.open(settings)) {
      assertThat(stores.readiness().isReady()).isTrue();
      assertThat(log.events())
          .extracting(ILoggingEvent::getFormattedMessage)
          .filteredOn(message -> message.startsWith("One database role owns the tables"))
          .hasSize(1);
    }
  }

  /** Returns settings with one role for all work. */
  private DatabaseSettings settings(DatabaseSettings.Login role) {
    return new DatabaseSettings(database.url(), role, Optional.empty(), 1, TestDatabase.LIMITS);
  }

  @Test
  void unreachableDatabaseIsUnavailable() {
    int closedPort;
    try (TcpRelay relay = TcpRelay.to(database.port())) {
      closedPort = relay.port();
    }
    DatabaseSettings settings =
        database.settings(database.urlWithPort(closedPort), TestDatabase.LIMITS, 1);

    assertThatThrownBy(() -> JdbiStores.open(settings)).isInstanceOf(RefusedException.class);
  }

  @Test
  void wrongPasswordIsUnavailableAndNotDisclosed() {
    DatabaseSettings settings =
        settings(
            new DatabaseSettings.Login(
                TestDatabase.runtime().user(), SensitiveValue.ofText("planted-password")));

    try (LogCapture log = LogCapture.start()) {
      assertThatThrownBy(() -> JdbiStores.open(settings))
          .isInstanceOf(RefusedException.class)
          .extracting(LogCapture::stackTrace)
          .asString()
          .doesNotContain("planted-password");
      assertThat(log.text()).isNotEmpty().doesNotContain("planted-password");
    }
  }

  @Test
  void foreignTablesAreNotModified() {
    database.asOwner("CREATE TABLE application (x int)");

    assertThatThrownBy(() -> JdbiStores.open(database.settings()))
        .isInstanceOf(IllegalStateException.class);

    assertThat(schema()).hasSize(1);
  }
}
