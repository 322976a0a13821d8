package io.tokenvault.server.cli;

import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.assembly.Vault;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.config.Setting;
import io.tokenvault.server.demo.DemoDestination;
import io.tokenvault.server.demo.DemoTour;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Starts a vault and a destination, and sends a secret from one to the other. */
@Command(
    name = "demo",
    description = {
      "Starts a server on a data directory of its own and a small HTTPS destination, makes an"
          + " application, a token and a proxy, and sends a request through.",
      "Stays up and prints curl lines to try."
    },
    mixinStandardHelpOptions = true)
final class Demo implements Callable<Integer> {

  private final Surroundings surroundings;

  @Option(names = "--once", description = "Ends after the tour.")
  private boolean once;

  @Option(
      names = "--data-dir",
      defaultValue = "demo-data",
      description = "Where the demo keeps its data (default: ${DEFAULT-VALUE}).")
  private Path dataDirectory;

  @Option(
      names = "--port",
      defaultValue = "8080",
      description = "The vault's port; a free one if it is taken (default: ${DEFAULT-VALUE}).")
  private int port;

  @Spec private CommandSpec spec;

  Demo(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    createPrivately(dataDirectory);
    try (UntilStopped stop = new UntilStopped(Duration.ZERO);
        DemoDestination destination =
            DemoDestination.start(dataDirectory, surroundings.randomness())) {
      Configuration configuration = configuration(destination);
      try (Backend backend = Backend.forServer(configuration, surroundings.randomness());
          Vault vault = Vault.start(configuration, backend)) {
        new DemoTour(vault.url(), destination, backend.manageTenants(), out).run(!once);
        if (!once) {
          out.println("Press Ctrl-C to end.");
          out.flush();
          stop.await();
        }
      }
    }
    return 0;
  }

  private Configuration configuration(DemoDestination destination) {
    return Configuration.from(
        Map.of(
            Setting.DATA_DIR.variable(),
            dataDirectory.toString(),
            Setting.PORT.variable(),
            Integer.toString(isFree(port) ? port : 0),
            Setting.EGRESS_PRIVATE_HOSTS.variable(),
            DemoDestination.HOST,
            Setting.EGRESS_HOST_OVERRIDES.variable(),
            DemoDestination.HOST + "=" + InetAddress.getLoopbackAddress().getHostAddress(),
            Setting.EGRESS_CA_FILE.variable(),
            destination.certificateAuthority().toString()));
  }

  private static void createPrivately(Path directory) throws IOException {
    if (Files.notExists(directory)) {
      Files.createDirectories(directory);
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    }
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }
}
