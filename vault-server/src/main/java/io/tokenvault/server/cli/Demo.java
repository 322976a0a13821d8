package io.tokenvault.server.cli;

import io.tokenvault.server.Vault;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.config.OperatorException;
import io.tokenvault.server.config.Setting;
import io.tokenvault.server.demo.DemoTour;
import io.tokenvault.server.demo.EchoDestination;
import io.tokenvault.server.logging.LogFormat;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Starts a vault and a destination in this process, and sends a secret from one to the other. Its
 * secrets are fictional.
 */
@Command(
    name = "demo",
    description = {
      "Start a demo server and send a token through its proxy. It creates an HTTPS",
      "destination that returns what it receives, an application, a token and a proxy in a",
      "separate data directory, prints what the destination received, and keeps running with",
      "curl commands to try."
    })
final class Demo extends VaultCommand implements Callable<Integer> {

  /**
   * Settings that the demo shares with the server. It has its own data, keys and destinations, and
   * never uses those of a server that the other settings belong to.
   */
  private static final Set<Setting> TAKEN =
      Arrays.stream(Setting.values())
          .filter(
              setting ->
                  setting == Setting.PORT
                      || setting == Setting.ADMIN_PORT
                      || setting == Setting.ADMIN_HOST
                      || setting == Setting.PLAIN_HTTP
                      || setting == Setting.LOG_FORMAT
                      || setting.name().startsWith("TRANSFORM_"))
          .collect(Collectors.toSet());

  @Option(names = "--once", description = "Exit after the first request.")
  private boolean once;

  @Option(
      names = "--data-dir",
      defaultValue = "demo-data",
      description = "Data directory (default: ${DEFAULT-VALUE}).")
  private Path dataDirectory;

  @Option(
      names = "--port",
      description =
          "Port of the server; another free port if it is in use (default: VAULT_PORT or 8080).")
  private Integer port;

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = out();
    try (ShutdownSignal stop = new ShutdownSignal(Duration.ZERO);
        EchoDestination destination = startDestination()) {
      Configuration configuration = configuration(destination);
      if (configuration.tracing().jsonLogs()) {
        LogFormat.useJson();
      }
      try (Vault vault = Vault.builder(configuration, context().randomness()).start()) {
        new DemoTour(vault.url(), vault.adminUrl(), destination, vault.tenants(), out).run(!once);
        if (!once) {
          out.println("Press Ctrl-C to end.");
          out.flush();
          stop.await();
        }
      }
    }
    return 0;
  }

  private EchoDestination startDestination() throws IOException {
    try {
      createPrivately(dataDirectory);
      return EchoDestination.start(dataDirectory);
    } catch (FileSystemException unusable) {
      throw new OperatorException("The data directory cannot be used: " + dataDirectory);
    }
  }

  /** Returns the configuration of the demo. If its port is in use, it listens on any free one. */
  private Configuration configuration(EchoDestination destination) {
    Map<Setting, String> own = new EnumMap<>(Setting.class);
    own.put(Setting.DATA_DIR, dataDirectory.toString());
    own.putAll(destination.egressSettings());
    if (port != null) {
      own.put(Setting.PORT, port.toString());
    }
    Configuration wanted = Configuration.from(context().environment(), TAKEN, own);
    if (isFree(wanted.web().http().port())) {
      return wanted;
    }
    own.put(Setting.PORT, "0");
    return Configuration.from(context().environment(), TAKEN, own);
  }

  /** Creates a directory that only its owner can access; an existing one is left as it is. */
  private static void createPrivately(Path directory) throws IOException {
    if (Files.notExists(directory)) {
      Files.createDirectories(directory);
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    }
  }

  /** Returns whether a port can be bound on the loopback interface. */
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
