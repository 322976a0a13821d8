package io.tokenvault.adapters.jdbi.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.adapters.jdbi.TestDatabase;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

final class UuidArrayTest {

  private static final UUID LOW = UUID.fromString("00000000-0000-7000-8000-000000000001");
  private static final UUID HIGH = UUID.fromString("ffffffff-ffff-4fff-bfff-fffffffffffe");

  @ParameterizedTest
  @ValueSource(strings = {"", UuidArray.BINARY})
  void arrayIsReceivedAsItWasSentInTextAndInBinary(String binary) throws SQLException {
    try (Connection connection = connection(binary)) {
      assertThat(received(connection, LOW, null, HIGH)).isEqualTo(LOW + ",null," + HIGH);
      assertThat(received(connection)).isEmpty();
    }
  }

  private static Connection connection(String binary) throws SQLException {
    DatabaseSettings settings = TestDatabase.migrated().settings();
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(settings.jdbcUrl());
    source.setUser(settings.runtime().user());
    source.setPassword(new String(settings.runtime().password().open(), StandardCharsets.UTF_8));
    source.setBinaryTransferEnable(binary);
    return source.getConnection();
  }

  private static String received(Connection connection, UUID... values) throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement("SELECT array_to_string(?::uuid[], ',', 'null')")) {
      query.setObject(1, new UuidArray(values));
      try (ResultSet rows = query.executeQuery()) {
        assertThat(rows.next()).isTrue();
        return rows.getString(1);
      }
    }
  }
}
