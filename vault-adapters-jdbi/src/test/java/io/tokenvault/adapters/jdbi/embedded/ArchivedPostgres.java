package io.tokenvault.adapters.jdbi.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.adapters.jdbi.embedded.DataDirectory.FileOwner;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * A PostgreSQL server of another version than the embedded one, unpacked from an archive into a new
 * directory. It accepts connections shortly after it starts.
 */
public final class ArchivedPostgres implements AutoCloseable {

  public static final String OWNER = "vault_owner";
  public static final String PASSWORD = "packed";

  private final Path directory;
  private final int port = freePort();
  private final Process server;

  private ArchivedPostgres(Path archive, Path directory) throws IOException {
    this.directory = directory;
    try (InputStream in = new BufferedInputStream(Files.newInputStream(archive))) {
      PostgresBinaries.unpack(
          new TarArchiveInputStream(new XZInputStream(in)), directory.resolve("programs"));
    }
    Path password = Files.writeString(directory.resolve("password"), PASSWORD);
    Process initdb =
        startProgram(
            "initdb",
            List.of("-U", OWNER, "-A", "scram-sha-256", "--pwfile=" + password, "--locale=C"));
    assertThat(initdb.onExit().join().exitValue()).as("initdb, see %s", directory).isZero();
    this.server =
        startProgram(
            "postgres", List.of("-p", Integer.toString(port), "-h", "127.0.0.1", "-k", "", "-F"));
  }

  /** Starts a server in an empty directory. */
  public static ArchivedPostgres start(Path archive, Path directory) {
    try {
      return new ArchivedPostgres(archive, directory);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Starts a program, for root in a user namespace, since PostgreSQL refuses to run as root. */
  private Process startProgram(String name, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    if (FileOwner.ofThisProcess().isRoot()) {
      command.addAll(List.of("unshare", "-U"));
    }
    command.add(directory.resolve("programs/bin").resolve(name).toString());
    command.addAll(List.of("-D", directory.resolve("data").toString()));
    command.addAll(arguments);
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve(name + ".log").toFile())
        .start();
  }

  private static int freePort() {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Returns the URL of a database. */
  public String jdbcUrl(String database) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?sslmode=disable";
  }

  @Override
  public void close() {
    server.destroy();
  }
}
