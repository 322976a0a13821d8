package io.tokenvault.server.process;

/** A PostgreSQL of this machine with a standby that every commit waits for. */
final class ReplicatedPostgres implements DatabaseUnderTest {

  private final LocalPostgres primary;
  private final LocalPostgres standby;

  private ReplicatedPostgres(LocalPostgres primary, LocalPostgres standby) {
    this.primary = primary;
    this.standby = standby;
  }

  /** Skips the test where there is no PostgreSQL with its server programs. */
  static ReplicatedPostgres start() {
    LocalPostgres primary = LocalPostgres.start(PostgresPrograms.require());
    LocalPostgres standby = primary.startStandby("standby");
    waitForCommitsOf(primary, "*");
    return new ReplicatedPostgres(primary, standby);
  }

  private static void waitForCommitsOf(LocalPostgres server, String standbys) {
    server.sql(
        "postgres",
        "ALTER SYSTEM SET synchronous_standby_names = '" + standbys + "'",
        "SELECT pg_reload_conf()");
  }

  /** {@code kill -9} of the primary; returns the moment at which the standby took its place. */
  long failOver() {
    primary.kill();
    standby.promote();
    long end = System.nanoTime();
    // Nobody stands by for it now.
    waitForCommitsOf(standby, "");
    return end;
  }

  /** Of whichever of the two takes writes. */
  @Override
  public String jdbcUrl() {
    return "jdbc:postgresql://127.0.0.1:%d,127.0.0.1:%d/vault?targetServerType=primary"
        .formatted(primary.port(), standby.port());
  }

  @Override
  public String runtimeUser() {
    return primary.runtimeUser();
  }

  @Override
  public String runtimePassword() {
    return primary.runtimePassword();
  }

  @Override
  public String ownerUser() {
    return primary.ownerUser();
  }

  @Override
  public String ownerPassword() {
    return primary.ownerPassword();
  }

  @Override
  public void close() {
    primary.close();
    standby.close();
  }
}
