package io.tokenvault.adapters.jdbi.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.adapters.jdbi.TestDatabase;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings.Login;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.Oid;

final class SqlValuesTest {

  private static final TestDatabase DATABASE = TestDatabase.migrated();
  private static final UUID LOW = UUID.fromString("00000000-0000-7000-8000-000000000001");
  private static final UUID HIGH = UUID.fromString("ffffffff-ffff-4fff-bfff-fffffffffffe");

  @ParameterizedTest
  @CsvSource({
    "prepareThreshold=5, true",
    "preferQueryMode=simple, false",
    "binaryTransfer=false, false",
  })
  void uuidsArriveUnchangedAndInBinaryUnlessOptionsAskForText(String option, boolean binary)
      throws SQLException {
    try (Connection connection = connection(option)) {
      assertThat(received(connection, LOW, HIGH)).isEqualTo(LOW + "," + HIGH);
      assertThat(received(connection, LOW, null, HIGH)).isEqualTo(LOW + ",null," + HIGH);
      assertThat(received(connection)).isEmpty();
      assertThat(connection.unwrap(BaseConnection.class).binaryTransferSend(Oid.UUID_ARRAY))
          .isEqualTo(binary);
    }
  }

  private static Connection connection(String option) throws SQLException {
    Login runtime = TestDatabase.runtime();
    return DriverManager.getConnection(
        DATABASE.url() + "&" + option,
        runtime.user(),
        new String(runtime.password().open(), StandardCharsets.UTF_8));
  }

  private static String received(Connection connection, UUID... values) throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement("SELECT array_to_string(?::uuid[], ',', 'null')")) {
      SqlValues.uuids(Arrays.asList(values)).apply(1, query, null);
      try (ResultSet rows = query.executeQuery()) {
        assertThat(rows.next()).isTrue();
        return rows.getString(1);
      }
    }
  }
}
