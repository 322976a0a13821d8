package io.tokenvault.adapters.jdbi.sql;

import com.zaxxer.hikari.HikariDataSource;
import javax.sql.DataSource;

/**
 * The connections to one database, by what they are for.
 *
 * @param requests for statements that are made for what they look for
 * @param steady for the few statements that every request needs
 * @param sealing one that does not wait for requests
 * @param owners new ones, with the owner's rights
 */
public record ConnectionPools(
    HikariDataSource requests, HikariDataSource steady, HikariDataSource sealing, DataSource owners)
    implements AutoCloseable {

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
