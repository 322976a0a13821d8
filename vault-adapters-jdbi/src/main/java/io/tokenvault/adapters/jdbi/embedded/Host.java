package io.tokenvault.adapters.jdbi.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the server on a locked data directory. */
final class Host implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Host.class);

  private final DirectoryLock lock;
  private final Keeper keeper;
  private final Endpoint endpoint;
  private final Duration patienceWithGuests;

  private Host(DirectoryLock lock, Keeper keeper, Endpoint endpoint, Duration patience) {
    this.lock = lock;
    this.keeper = keeper;
    this.endpoint = endpoint;
    this.patienceWithGuests = patience;
  }

  /** Takes the lock over: it ends with the host, or at once if the server does not start. */
  static Host start(DirectoryLock lock, Path programs, SecureRandom random, Duration patience) {
    try {
      return run(lock, programs, random, patience);
    } catch (IOException e) {
      lock.close();
      throw EmbeddedPostgresException.of(lock.directory().path(), e);
    } catch (RuntimeException | Error e) {
      lock.close();
      throw e;
    }
  }

  Endpoint endpoint() {
    return endpoint;
  }

  /** Lets guests finish, within reason; then ends every session and the server. */
  @Override
  public void close() {
    Optional<Lease> lease = Optional.empty();
    try (lock) {
      try {
        lease = Lease.asLeavingHost(endpoint, patienceWithGuests);
      } finally {
        keeper.stop();
      }
    } finally {
      lease.ifPresent(Lease::close);
    }
    LOG.info("PostgreSQL on {} stopped", endpoint);
  }

  private static Host run(DirectoryLock lock, Path programs, SecureRandom random, Duration patience)
      throws IOException {
    DataDirectory directory = lock.directory();
    Cluster cluster = new Cluster(directory);
    cluster.refuseIfUnfit();
    Binaries binaries = Binaries.in(programs);
    Launch launch = Launch.choose(directory, binaries);
    directory.handLock();
    Credentials credentials = Credentials.loadOrCreate(directory, random);
    cluster.makeReady(launch, binaries);
    PostgresProcess process = PostgresProcess.start(launch, binaries, directory);
    Endpoint endpoint = prepared(process, credentials, directory);
    LOG.info("PostgreSQL on {} runs, data in {}", endpoint, directory);
    return new Host(lock, Keeper.of(launch, binaries, directory, process), endpoint, patience);
  }

  private static Endpoint prepared(
      PostgresProcess process, Credentials credentials, DataDirectory directory)
      throws IOException {
    try {
      Endpoint endpoint = new Endpoint(process.port(), credentials);
      Setup.run(endpoint);
      return endpoint;
    } catch (SQLException e) {
      process.stop();
      throw refusal(directory, e);
    } catch (IOException | RuntimeException e) {
      process.stop();
      throw e;
    }
  }

  private static EmbeddedPostgresException refusal(DataDirectory directory, SQLException cause) {
    boolean wrongPassword = "28P01".equals(cause.getSQLState());
    String what =
        wrongPassword
            ? "its password files do not belong to its data: restore both from the same copy"
            : "it does not let the vault in (SQL state " + cause.getSQLState() + ")";
    return new EmbeddedPostgresException("PostgreSQL on " + directory + ": " + what, cause);
  }
}
