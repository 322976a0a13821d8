package io.tokenvault.adapters.jdbi.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.adapters.jdbi.LogCapture;
import io.tokenvault.adapters.jdbi.TestDatabase;
import io.tokenvault.adapters.jdbi.sql.DatabaseConnections;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings.Limits;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings.Login;
import io.tokenvault.adapters.jdbi.stores.UnusableDatabaseException;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.ports.contract.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Tests the messages about unusable databases and which failures are temporary. */
final class DatabaseContactTest {

  private static final Limits SHORT =
      new Limits(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofMillis(250));
  private static final String WAITING = "Waiting up to ";

  private static final TestDatabase DATABASE = TestDatabase.empty();

  private static DatabaseSettings settings(String url) {
    return DATABASE.settings(url, SHORT, 1);
  }

  private static DatabaseSettings settings(String url, Login runtime) {
    return new DatabaseSettings(url, runtime, Optional.of(TestDatabase.owner()), 1, SHORT);
  }

  private static UnusableDatabaseException failureOf(DatabaseSettings settings) {
    return failureOf(settings, DatabaseContact.OLDEST_VERSION);
  }

  private static UnusableDatabaseException failureOf(DatabaseSettings settings, int oldestVersion) {
    return failureOf(new DatabaseConnections(settings), oldestVersion);
  }

  private static UnusableDatabaseException failureOf(
      DatabaseConnections connections, int oldestVersion) {
    DatabaseContact contact = new DatabaseContact(connections, oldestVersion);
    return catchThrowableOfType(
        UnusableDatabaseException.class, () -> contact.await(Duration.ZERO));
  }

  private static void assertTemporary(DatabaseSettings settings, String... messageParts) {
    assertUnusable(settings, false, messageParts);
  }

  private static void assertPermanent(DatabaseSettings settings, String... messageParts) {
    assertUnusable(settings, true, messageParts);
  }

  private static void assertUnusable(
      DatabaseSettings settings, boolean permanent, String... messageParts) {
    UnusableDatabaseException refused = failureOf(settings);
    assertThat(refused).hasMessageContainingAll(messageParts);
    assertThat(refused.isPermanent()).as("%s", refused).isEqualTo(permanent);
  }

  private static String url(String database) {
    return "jdbc:postgresql://127.0.0.1:" + DATABASE.port() + "/" + database;
  }

  @Test
  void databaseAcceptingBothUsersIsUsable() {
    JdbiStores.await(DATABASE.settings(), Duration.ZERO);
  }

  @Test
  void refusedConnectionIsReportedWithHostPortAndDatabase() throws IOException {
    try (Socket closed = new Socket()) {
      closed.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      String place = "127.0.0.1:" + closed.getLocalPort();

      assertTemporary(
          settings("jdbc:postgresql://" + place + "/vault"),
          "The database vault at " + place,
          "connection refused");
    }
  }

  @Test
  void unknownHostIsReportedWithDefaultPort() {
    assertTemporary(
        settings("jdbc:postgresql://no.such.host.invalid/vault"),
        "vault at no.such.host.invalid:5432",
        "unknown host");
  }

  @Test
  void allHostsOfUrlAreNamed() {
    assertTemporary(
        settings("jdbc:postgresql://a.invalid:5433,b.invalid/vault"),
        "a.invalid:5433, b.invalid:5432");
  }

  @Test
  void silentServerTimesOut() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertTemporary(
          settings("jdbc:postgresql://127.0.0.1:" + silent.getLocalPort() + "/vault"),
          "no response in time");
    }
  }

  @Test
  void readOnlyDatabaseMayBecomeWritable() {
    TestDatabase standby = TestDatabase.empty();
    standby.asOwner("ALTER DATABASE " + standby.name() + " SET default_transaction_read_only = on");

    assertTemporary(standby.settings(), "is read-only");
  }

  @Test
  void wrongPasswordIsReportedByUserAndNotDisclosed() {
    Login wrong =
        new Login(TestDatabase.runtime().user(), SensitiveValue.ofText("planted-password"));
    DatabaseSettings settings = settings(DATABASE.url() + "&password=planted-in-the-url", wrong);

    try (LogCapture log = LogCapture.start()) {
      assertPermanent(settings, "authentication of the user vault_runtime failed");
      assertThat(LogCapture.stackTrace(failureOf(settings)) + log.text()).doesNotContain("planted");
    }
  }

  @Test
  void userInUrlIsNotDisclosed() {
    assertThat(failureOf(settings("jdbc:postgresql://me:planted@a.invalid:5432/vault")))
        .hasMessageContaining(" a.invalid:5432")
        .hasMessageNotContaining("planted");
  }

  @Test
  void missingDatabaseIsPermanentFailure() {
    assertPermanent(
        settings(url("nowhere")), "database nowhere at ", "the database does not exist");
  }

  @Test
  void missingConnectPrivilegeIsReported() {
    TestDatabase closed = TestDatabase.empty();
    closed.asOwner("REVOKE CONNECT ON DATABASE " + closed.name() + " FROM PUBLIC");

    assertPermanent(closed.settings(), "the user vault_runtime has no right to connect");
  }

  @ParameterizedTest
  @ValueSource(strings = {"require", "verify-full&sslrootcert=/no/such/file"})
  void missingRequestedTlsIsReported(String mode) {
    assertPermanent(settings(url("vault") + "?sslmode=" + mode), "TLS");
  }

  @Test
  void exhaustedPoolOfHostIsWaitedFor() {
    PGSimpleDataSource pool =
        new PGSimpleDataSource() {
          @Override
          public Connection getConnection() throws SQLException {
            throw new SQLTransientConnectionException("request timed out");
          }
        };

    UnusableDatabaseException refused =
        failureOf(new DatabaseConnections(pool, pool, 1, SHORT), DatabaseContact.OLDEST_VERSION);

    assertThat(refused).hasMessageContaining("its pool has no free connection");
    assertThat(refused.isPermanent()).isFalse();
  }

  @Test
  void olderPostgresIsRejectedWithBothVersions() {
    UnusableDatabaseException refused = failureOf(DATABASE.settings(), 99);

    assertThat(refused)
        .hasMessageMatching(".* it is PostgreSQL \\d\\d, and the vault needs 99 or later\\.");
    assertThat(refused.isPermanent()).isTrue();
  }

  @Test
  void temporaryFailureIsWaitedForWithOneLogLine() throws Exception {
    TestDatabase database = TestDatabase.empty();
    String readOnly = "ALTER DATABASE " + database.name() + " %s default_transaction_read_only";
    database.asOwner(readOnly.formatted("SET") + " = on");
    try (LogCapture log = LogCapture.start()) {
      CompletableFuture<Void> contact =
          CompletableFuture.runAsync(
              () -> JdbiStores.await(database.settings(), Duration.ofMinutes(2)));
      Eventually.holds("the wait is logged", () -> !waiting(log).isEmpty());
      assertThat(contact).isNotDone();
      // From another database, since this one is read-only.
      DATABASE.asOwner(readOnly.formatted("RESET"));
      contact.get(60, TimeUnit.SECONDS);
      assertThat(waiting(log)).hasSize(1).first().asString().contains("is read-only");
    }
  }

  private static List<String> waiting(LogCapture log) {
    return log.events().stream()
        .map(ILoggingEvent::getFormattedMessage)
        .filter(message -> message.contains(WAITING))
        .toList();
  }
}
