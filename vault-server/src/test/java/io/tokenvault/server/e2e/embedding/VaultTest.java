package io.tokenvault.server.e2e.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tokenvault.domain.access.AccessPolicyDraft;
import io.tokenvault.domain.access.AccessRuleDraft;
import io.tokenvault.domain.application.ApplicationDraft;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.proxy.ProxyDraft;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.domain.tenant.ResourceName;
import io.tokenvault.domain.token.TokenDraft;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.VaultStores;
import io.tokenvault.ports.audit.FeedEntry;
import io.tokenvault.ports.audit.LogFilter;
import io.tokenvault.ports.memory.InMemoryStores;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.server.Http;
import io.tokenvault.server.Postgres;
import io.tokenvault.server.Transforms;
import io.tokenvault.server.Vault;
import io.tokenvault.server.VaultBuilder;
import io.tokenvault.server.config.ConfigurationException;
import io.tokenvault.server.e2e.fixture.Call;
import io.tokenvault.server.e2e.fixture.Eventually;
import io.tokenvault.server.e2e.fixture.RunningVault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A vault in a host application, started by {@link Vault#builder}. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class VaultTest {

  private static final TokenId CARD = new TokenId("card-of-ann");
  private static final String DATA = "4242424242424242";

  private static final String SESSIONS =
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
          + " AND application_name = 'token-vault'";

  private final BlockingQueue<FeedEntry> archive = new LinkedBlockingQueue<>();
  private final AtomicInteger archived = new AtomicInteger();
  private HostDatabase database;
  private Vault vault;

  @BeforeAll
  void startVault(@TempDir Path directory) {
    database = new HostDatabase(directory);
    vault = builder(database.byUrl()).auditFeed("archive", this::archive).start();
  }

  /** Fails on the first call. */
  private void archive(List<FeedEntry> entries) {
    if (archived.incrementAndGet() == 1) {
      throw new UncheckedIOException(new IOException("on purpose"));
    }
    archive.addAll(entries);
  }

  @AfterAll
  void stopVaultTwice() {
    vault.close();
    vault.close();
    database.close();
  }

  /** Returns a builder without workers and with fewer connections than the host's pool has. */
  private VaultBuilder builder(Postgres postgres) {
    return Vault.builder()
        .database(postgres)
        .keyset(database.keyset())
        .transforms(Transforms.OFF)
        .settings(Map.of("VAULT_DATABASE_POOL_SIZE", "3"));
  }

  @Test
  void missingAndInvalidPartsAreReportedTogether() {
    assertThatThrownBy(() -> Vault.builder().http(Http.on("0.0.0.0", 0)).start())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("database is missing: call database(Postgres.url(")
        .hasMessageContaining("VAULT_HOST is not a loopback address");
    assertThatThrownBy(
            () ->
                Vault.builder()
                    .database(Postgres.url("jdbc:mysql://db/vault", "requests", "secret"))
                    .auditFeed("stdout", entries -> {})
                    .settings(Map.of("VAULT_PORT", "8080", "VAULT_MAX_REQUESTS", "many"))
                    .settings(Map.of("VAULT_DATABASE_PASSWORD_FILE", "password"))
                    .start())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("keyset is missing: call keyset(KeysetSource.file(path))")
        .hasMessageContaining("VAULT_DATABASE_URL must be a URL such as jdbc:postgresql:")
        .hasMessageContaining("VAULT_PORT cannot be set here: call http(Http.on(host, port))")
        .hasMessageContaining("VAULT_DATABASE_PASSWORD cannot be set here: call database(")
        .hasMessageContaining("VAULT_MAX_REQUESTS")
        .hasMessageContaining("auditFeed: the name must be")
        .hasMessageNotContaining("secret");
  }

  @Test
  void vaultsInOneJvmShareDatabaseAndReleaseResources() throws IOException {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    // New threads inherit this class loader, by which the threads of these vaults are recognized.
    Thread thread = Thread.currentThread();
    ClassLoader originalLoader = thread.getContextClassLoader();
    URLClassLoader marker = new URLClassLoader(new URL[0], originalLoader);
    thread.setContextClassLoader(marker);
    try (Vault first = builder(database.byDataSources()).metrics(registry).noHttp().start()) {
      ApiKey management = first.tenants().create(new ResourceName("Shared")).key();
      try (Vault second = builder(database.byUrl()).http(Http.on("127.0.0.1", 0)).start()) {
        new Call("GET", URI.create(second.url() + "/readyz")).send().expect(200);
        assertThat(second.adminUrl()).isEmpty();
        assertThat(second.authenticate(management).tenantId())
            .isEqualTo(first.authenticate(management).tenantId());
      }
      assertThat(first.isReady()).isTrue();
      ApiKey foreign =
          RunningVault.shared().backend().manageTenants().create(new ResourceName("Other")).key();
      assertThatThrownBy(() -> first.authenticate(foreign)).isInstanceOf(RefusedException.class);
      assertThatThrownBy(first::url).hasMessageContaining("no HTTP listener");
      assertThat(registry.find("vault.database.connections.limit").meters()).isNotEmpty();
      assertThat(housekeepingThreads(marker)).isPositive();
    } finally {
      thread.setContextClassLoader(originalLoader);
    }
    assertThat(registry.getMeters()).isEmpty();
    assertThat(database.locks()).isEmpty();
    assertThat(database.pool().isClosed()).isFalse();
    assertThat(database.pool().getHikariPoolMXBean().getActiveConnections()).isZero();
    Eventually.holds(
        "their threads have ended", Duration.ofSeconds(10), () -> housekeepingThreads(marker) == 0);
    marker.close();
  }

  private static long housekeepingThreads(ClassLoader marker) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("housekeeping"))
        .filter(thread -> thread.getContextClassLoader() == marker)
        .count();
  }

  @Test
  void failedStartClosesItsConnections(@TempDir Path directory) {
    try (HostDatabase empty = new HostDatabase(directory)) {
      VaultBuilder failing =
          Vault.builder()
              .database(empty.byUrl())
              .keyset(empty.keyset())
              .transforms(Transforms.OFF)
              .firstTenant(
                  "First",
                  key -> {
                    throw new IllegalStateException("the key cannot be kept");
                  });
      assertThatThrownBy(failing::start).hasMessage("the key cannot be kept");
      Eventually.holds(
          "no session of the vault is left",
          Duration.ofSeconds(20),
          () -> empty.query(SESSIONS).isEmpty());
    }
  }

  @Test
  void useCasesWithoutHttpAuthorizeAndRecord() {
    ApiKey management = vault.tenants().create(new ResourceName("Shop")).key();
    ApiKey backend = application(vault, management, "token:create", rule());
    ApiKey mailing = application(vault, management, "token:create");
    vault.createTokens().create(vault.authenticate(backend), card(), new Violations());

    assertThat(vault.tokens().read(vault.authenticate(backend), CARD).data()).isPresent();
    assertThatThrownBy(() -> vault.tokens().read(vault.authenticate(mailing), CARD))
        .isInstanceOf(RefusedException.class)
        .hasMessageNotContaining(DATA);
    assertThatThrownBy(() -> vault.authenticate("not a key")).isInstanceOf(RefusedException.class);

    assertThat(messages(vault, management))
        .contains("Token created", "Token retrieved", "Denied: missing permission token:read")
        .noneMatch(message -> message.contains(DATA));
  }

  private static List<String> messages(Vault vault, ApiKey management) {
    return vault
        .logs()
        .list(
            vault.authenticate(management),
            LogFilter.all(),
            new PageRequest(1, 100),
            MemoryReservation.UNBOUNDED)
        .items()
        .stream()
        .map(recorded -> recorded.entry().message())
        .toList();
  }

  @Test
  void customStoresReplaceDatabase() {
    VaultStores stores = new InMemoryStores(InstantSource.system()).stores();
    try (Vault vault =
        Vault.builder()
            .stores(stores)
            .keyset(database.keyset())
            .transforms(Transforms.OFF)
            .start()) {
      ApiKey management = vault.tenants().create(new ResourceName("Own")).key();
      ApiKey backend = application(vault, management, "token:create", rule());
      vault.createTokens().create(vault.authenticate(backend), card(), new Violations());

      assertThat(vault.tokens().read(vault.authenticate(backend), CARD).data()).isPresent();
      assertThat(messages(vault, management)).contains("Token created", "Token retrieved");
      assertThat(vault.isReady()).isTrue();
    }
    assertThatThrownBy(
            () -> Vault.builder().stores(stores).auditFeed("archive", entries -> {}).start())
        .hasMessageContaining("keyset is missing")
        .hasMessageContaining("auditFeed requires PostgreSQL");
  }

  @Test
  void proxyWithTransformIsRejectedWithoutTransforms() {
    ApiKey management = vault.tenants().create(new ResourceName("Plain")).key();
    ProxyDraft draft =
        new ProxyDraft(
            "Payments",
            "https://payments.example.com/charges",
            null,
            null,
            null,
            null,
            null,
            Map.of(TransformKind.REQUEST, "module.exports = async (req) => req;"));
    assertThatThrownBy(
            () -> vault.proxies().create(vault.authenticate(management), draft, new Violations()))
        .isInstanceOfSatisfying(
            ValidationException.class,
            invalid ->
                assertThat(invalid.errors().toString())
                    .contains("transforms are turned off in this vault"));
  }

  @Test
  void feedReceivesEachEntryInOrderAndAgainAfterFailure() throws Exception {
    ApiKey management = vault.tenants().create(new ResourceName("Fed")).key();
    application(vault, management, "token:create");
    List<FeedEntry> all = new ArrayList<>();
    while (all.stream().noneMatch(VaultTest::isCreationOfApplication)) {
      FeedEntry next = archive.poll(60, TimeUnit.SECONDS);
      assertThat(next).as("after %s", all).isNotNull();
      all.add(next);
    }
    assertThat(archived.get()).isGreaterThan(1);
    assertThat(all).extracting(FeedEntry::position).isSorted().doesNotHaveDuplicates();
  }

  private static boolean isCreationOfApplication(FeedEntry entry) {
    return entry.entry().content().message().equals("Application created")
        && entry.entry().content().actorId().isPresent();
  }

  private static ApiKey application(
      Vault vault, ApiKey management, String permission, AccessRuleDraft... rules) {
    ApplicationDraft draft =
        new ApplicationDraft(
            "Application",
            "private",
            new AccessPolicyDraft(List.of(permission), List.of(rules)),
            null,
            null);
    return vault
        .applications()
        .create(vault.authenticate(management), draft, new Violations())
        .key();
  }

  private static AccessRuleDraft rule() {
    return new AccessRuleDraft("cards", 1, "/pci/", null, "reveal", List.of("token:read"));
  }

  private static TokenDraft card() {
    return new TokenDraft(
        CARD.value(),
        "card_number",
        JsonValue.of(DATA),
        List.of("/pci/"),
        null,
        null,
        null,
        null,
        null,
        null);
  }
}
