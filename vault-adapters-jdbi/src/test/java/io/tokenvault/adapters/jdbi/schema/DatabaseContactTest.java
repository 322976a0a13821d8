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
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  private static UnusableDatabaseException refused(DatabaseSettings settings) {
    return refused(settings, DatabaseContact.OLDEST_VERSION);
  }

  private static UnusableDatabaseException refused(DatabaseSettings settings, int oldestVersion) {
    DatabaseContact contact = new DatabaseContact(new DatabaseConnections(settings), oldestVersion);
    return catchThrowableOfType(
        UnusableDatabaseException.class, () -> contact.await(Duration.ZERO));
  }

  private static void assertMayPass(DatabaseSettings settings, String... told) {
    assertRefused(settings, false, told);
  }

  private static void assertLasts(DatabaseSettings settings, String... told) {
    assertRefused(settings, true, told);
  }

  private static void assertRefused(DatabaseSettings settings, boolean lasting, String... told) {
    UnusableDatabaseException refused = refused(settings);
    assertThat(refused).hasMessageContainingAll(told);
    assertThat(refused.isLasting()).as("%s", refused).isEqualTo(lasting);
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

      assertMayPass(
          settings("jdbc:postgresql://" + place + "/vault"),
          "The database vault at " + place,
          "connection refused");
    }
  }

  @Test
  void unknownHostIsReportedWithDefaultPort() {
    assertMayPass(
        settings("jdbc:postgresql://no.such.host.invalid/vault"),
        "vault at no.such.host.invalid:5432",
        "unknown host");
  }

  @Test
  void allHostsOfUrlAreNamed() {
    assertMayPass(
        settings("jdbc:postgresql://a.invalid:5433,b.invalid/vault"),
        "a.invalid:5433, b.invalid:5432");
  }

  @Test
  void silentServerTimesOut() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertMayPass(
          settings("jdbc:postgresql://127.0.0.1:" + silent.getLocalPort() + "/vault"),
          "no response in time");
    }
  }

  @Test
  void readOnlyDatabaseMayBecomeWritable() {
    TestDatabase standby = TestDatabase.empty();
    standby.asOwner("ALTER DATABASE " + standby.name() + " SET default_transaction_read_only = on");

    assertMayPass(standby.settings(), "is read-only");
  }

  @Test
  void wrongPasswordIsReportedByUserAndNotDisclosed() {
    Login wrong =
        new Login(TestDatabase.runtime().user(), SensitiveValue.ofText("planted-password"));
    DatabaseSettings settings = settings(DATABASE.url() + "&password=planted-in-the-url", wrong);

    try (LogCapture log = LogCapture.start()) {
      assertLasts(settings, "authentication of the user vault_runtime failed");
      assertThat(LogCapture.everythingTold(refused(settings)) + log.text())
          .doesNotContain("planted");
    }
  }

  @Test
  void userInUrlIsNotDisclosed() {
    assertThat(refused(settings("jdbc:postgresql://me:planted@a.invalid:5432/vault")))
        .hasMessageContaining(" a.invalid:5432")
        .hasMessageNotContaining("planted");
  }

  @Test
  void missingDatabaseIsNotWaitedFor() {
    assertLasts(settings(url("nowhere")), "database nowhere at ", "the database does not exist");
  }

  @Test
  void missingConnectPrivilegeIsReported() {
    TestDatabase closed = TestDatabase.empty();
    closed.asOwner("REVOKE CONNECT ON DATABASE " + closed.name() + " FROM PUBLIC");

    assertLasts(closed.settings(), "the user vault_runtime has no right to connect");
  }

  @ParameterizedTest
  @ValueSource(strings = {"require", "verify-full&sslrootcert=/no/such/file"})
  void missingRequestedTlsIsReported(String mode) {
    assertLasts(settings(url("vault") + "?sslmode=" + mode), "TLS");
  }

  @Test
  void olderPostgresIsRejectedWithBothVersions() {
    UnusableDatabaseException refused = refused(DATABASE.settings(), 99);

    assertThat(refused)
        .hasMessageMatching(".* it is PostgreSQL \\d\\d, and the vault needs 99 or later\\.");
    assertThat(refused.isLasting()).isTrue();
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
      Eventually.holds("a line says so", () -> !waiting(log).isEmpty());
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
