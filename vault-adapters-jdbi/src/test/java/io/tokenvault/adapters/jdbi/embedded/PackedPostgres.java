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
 * A PostgreSQL of another version than the embedded one, out of an archive of its programs, in a
 * directory that is used once. It takes connections a moment after it was started.
 */
public final class PackedPostgres implements AutoCloseable {

  public static final String OWNER = "vault_owner";
  public static final String PASSWORD = "packed";

  private final Path directory;
  private final int port = freePort();
  private final Process server;

  private PackedPostgres(Path archive, Path directory) throws IOException {
    this.directory = directory;
    try (InputStream packed = new BufferedInputStream(Files.newInputStream(archive))) {
      PostgresBinaries.unpack(
          new TarArchiveInputStream(new XZInputStream(packed)), directory.resolve("programs"));
    }
    Path password = Files.writeString(directory.resolve("password"), PASSWORD);
    Process made =
        program(
            "initdb",
            List.of("-U", OWNER, "-A", "scram-sha-256", "--pwfile=" + password, "--locale=C"));
    assertThat(made.onExit().join().exitValue()).as("initdb, see %s", directory).isZero();
    this.server =
        program(
            "postgres", List.of("-p", Integer.toString(port), "-h", "127.0.0.1", "-k", "", "-F"));
  }

  /**
   * @param directory an empty one
   */
  public static PackedPostgres start(Path archive, Path directory) {
    try {
      return new PackedPostgres(archive, directory);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Its programs refuse to be run by root, which they are told they are not. */
  private Process program(String name, List<String> arguments) throws IOException {
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

  /** Of one of its databases. */
  public String jdbcUrl(String database) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?sslmode=disable";
  }

  @Override
  public void close() {
    server.destroy();
  }
}
