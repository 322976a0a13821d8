package io.tokenvault.server.cli;

import io.tokenvault.adapters.http.server.VaultHttpServer;
import io.tokenvault.ports.usecase.tenant.ManageTenants.IssuedTenant;
import io.tokenvault.server.Vault;
import io.tokenvault.server.VaultBuilder;
import io.tokenvault.server.assembly.IssuedKeyLine;
import io.tokenvault.server.cli.CommandContext.Terminal;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.config.OperatorException;
import io.tokenvault.server.config.Setting;
import io.tokenvault.server.files.OwnerOnlyFile;
import io.tokenvault.server.json.JacksonJson;
import io.tokenvault.server.logging.LogFormat;
import io.tokenvault.server.metrics.VaultMetrics;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs the server until the process receives SIGTERM or SIGINT.
 *
 * <p>With an embedded database that is empty, it creates a first tenant. The key is written to a
 * file and, if standard output is a terminal, printed.
 */
@Command(
    name = "serve",
    description = {
      "Run the server. Without VAULT_DATABASE_URL, it runs an embedded PostgreSQL in",
      "VAULT_DATA_DIR. On SIGTERM, readiness turns off, the server accepts requests for",
      "VAULT_SHUTDOWN_DELAY_MS, finishes those in flight and exits."
    })
final class Serve extends VaultCommand implements Callable<Integer> {

  private static final Logger LOG = LoggerFactory.getLogger(Serve.class);

  /** The file in the data directory with the management key of the first tenant. */
  private static final String KEY_FILE = "first-key.json";

  private static final String FIRST_TENANT = "First tenant";

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      arity = "0..1",
      fallbackValue = "30",
      description = {
        "Compile the code of requests before the server",
        "accepts any, for so many seconds, 0 to 600;",
        "without a number: 30. Replaces",
        "VAULT_WARM_UP_SECONDS."
      })
  private Optional<String> warmUp;

  /**
   * Starts the vault in an order that reports wrong settings before anything is created.
   *
   * @throws InterruptedException if the thread is interrupted while the server runs
   */
  @Override
  public Integer call() throws InterruptedException {
    Map<Setting, String> chosen = new EnumMap<>(Setting.class);
    warmUp.ifPresent(seconds -> chosen.put(Setting.WARM_UP_SECONDS, seconds));
    Configuration configuration =
        Configuration.from(context().environment(), EnumSet.allOf(Setting.class), chosen);
    if (configuration.tracing().jsonLogs()) {
      LogFormat.useJson();
    }
    // The starting thread would otherwise load these classes one after the other.
    Thread preloader = new Thread(Serve::preload, "class-preloader");
    preloader.setDaemon(true);
    preloader.start();
    VaultBuilder builder = Vault.builder(configuration, context().randomness());
    if (configuration.database().isEmpty()) {
      builder.firstTenant(
          FIRST_TENANT, tenant -> publishKey(tenant, configuration.dataDirectory()));
    }
    try (ShutdownSignal stop = new ShutdownSignal(configuration.web().shutdownDelay());
        Vault vault = builder.start()) {
      LOG.info("Token Vault listens on {}", vault.url());
      vault
          .adminUrl()
          .ifPresent(url -> LOG.info("Console at {}/console, docs at {}/docs", url, url));
      stop.await();
    }
    return 0;
  }

  /**
   * Writes the management key of the first tenant to a file that only its owner can read, and
   * reports where it is. The key itself is printed only if a person can read it.
   *
   * @throws OperatorException if the file cannot be written; the message says how to get another
   *     key
   */
  private void publishKey(IssuedTenant tenant, Path dataDirectory) {
    Path file = dataDirectory.resolve(KEY_FILE);
    String line = IssuedKeyLine.json(tenant);
    try {
      new OwnerOnlyFile(file).replace((line + "\n").getBytes(StandardCharsets.US_ASCII));
    } catch (IOException failed) {
      throw new OperatorException(
          ("Created a first tenant, but its management key could not be written to %s: %s. Run"
                  + " 'vault-server application reset-key --tenant %s --id %s' for another key.")
              .formatted(file, failed, tenant.tenantId(), tenant.applicationId()));
    }
    LOG.info("Created a first tenant; its management key is in {}", file);
    if (Terminal.ofProcess().isPresent()) {
      out().println(line);
    }
  }

  /**
   * Loads classes of the server while its database starts. It only shortens the start: no code
   * depends on it, and a failure has no effect.
   */
  private static void preload() {
    try {
      VaultHttpServer.preload();
      VaultMetrics.preload();
      SSLContext.getDefault();
      new JacksonJson().read("{}".getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException | RuntimeException failed) {
      LOG.debug("Could not preload some classes: {}", failed.getClass().getName());
    }
  }
}
