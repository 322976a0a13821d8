package io.tokenvault.adapters.jdbi.sql;

import com.zaxxer.hikari.HikariDataSource;
import javax.sql.DataSource;

/**
 * The connection pools of one database, by purpose.
 *
 * <p>Closing it closes the pools; {@code owners} holds no connection.
 *
 * @param requests for statements that are planned for the values they search
 * @param steady for the few statements that every request runs, whose plan is reused
 * @param sealing a single connection that extends the hash chain, independent of requests
 * @param owners a source of new connections with the rights of the tables' owner
 */
public record ConnectionPools(
    HikariDataSource requests, HikariDataSource steady, HikariDataSource sealing, DataSource owners)
    implements AutoCloseable {

  /**
   * Opens the pools.
   *
   * @throws io.tokenvault.domain.failure.RefusedException if the database cannot be reached
   */
  public static ConnectionPools of(DatabaseConnections connections) {
    return new ConnectionPools(
        connections.pool(),
        connections.steadyPool(),
        connections.single(),
        connections.forMigrations());
  }

  @Override
  public void close() {
    steady.close();
    sealing.close();
    requests.close();
  }
}
