package io.tokenvault.server.cli.server;

import io.tokenvault.ports.usecase.tenant.ManageTenants.IssuedTenant;
import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.assembly.ClassPreloader;
import io.tokenvault.server.assembly.FirstTenant;
import io.tokenvault.server.assembly.IssuedKeyLine;
import io.tokenvault.server.assembly.StartPreparation;
import io.tokenvault.server.assembly.Vault;
import io.tokenvault.server.cli.context.CommandContext;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.logging.LogFormat;
import java.io.Console;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * Runs the server until the process receives SIGTERM or SIGINT.
 *
 * <p>With an embedded database that is empty, it creates a first tenant. The key is written to a
 * file and, if standard output is a terminal, printed.
 */
@Command(
    name = "serve",
    description = {
      "Runs the server. Without VAULT_DATABASE_URL it keeps its own PostgreSQL in VAULT_DATA_DIR.",
      "Stops cleanly on SIGTERM: it is no longer ready, goes on serving for",
      "VAULT_SHUTDOWN_DELAY_MS, and lets requests in flight finish."
    },
    mixinStandardHelpOptions = true)
public final class Serve implements Callable<Integer> {

  private static final Logger LOG = LoggerFactory.getLogger(Serve.class);

  private final CommandContext surroundings;

  @Spec private CommandSpec spec;

  public Serve(CommandContext surroundings) {
    this.surroundings = surroundings;
  }

  /**
   * Starts the vault in an order that reports wrong settings before anything is created.
   *
   * @throws InterruptedException if the thread is interrupted while the server runs
   */
  @Override
  public Integer call() throws InterruptedException {
    Configuration configuration = surroundings.configuration();
    if (configuration.tracing().jsonLogs()) {
      LogFormat.useJson();
    }
    ClassPreloader.begin();
    try (ShutdownSignal stop = new ShutdownSignal(configuration.web().shutdownDelay());
        StartPreparation prepared = StartPreparation.of(configuration);
        Backend backend = Backend.forServer(configuration, surroundings.randomness())) {
      if (backend.isEmbedded()) {
        FirstTenant.createIfEmpty(backend.manageTenants(), configuration.dataDirectory())
            .ifPresent(tenant -> tell(tenant, configuration));
      }
      try (Vault vault = Vault.start(prepared, backend)) {
        LOG.info("Token Vault listens on {}", vault.url());
        vault
            .adminUrl()
            .ifPresent(url -> LOG.info("Console at {}/console, docs at {}/docs", url, url));
        stop.await();
      }
    }
    return 0;
  }

  /** Reports where the first key is. The key itself is printed only if a person can read it. */
  private void tell(IssuedTenant tenant, Configuration configuration) {
    LOG.info(
        "Made a first tenant; its management key is in {}",
        configuration.dataDirectory().resolve(FirstTenant.KEY_FILE));
    if (Terminal.isStandardOutput()) {
      PrintWriter out = spec.commandLine().getOut();
      out.println(IssuedKeyLine.json(tenant));
    }
  }

  /** Distinguishes a terminal from a file or pipe whose content may be kept. */
  private static final class Terminal {

    private Terminal() {}

    /**
     * Returns whether standard output is a terminal, as far as the JVM reports it; false if in
     * doubt.
     */
    static boolean isStandardOutput() {
      Console console = System.console();
      return console != null && isTerminal(console);
    }

    /**
     * Returns whether a console is a terminal. Since Java 22 a console may exist without one; older
     * versions have no such method.
     */
    private static boolean isTerminal(Console console) {
      try {
        return (boolean) Console.class.getMethod("isTerminal").invoke(console);
      } catch (NoSuchMethodException before22) {
        return true;
      } catch (ReflectiveOperationException failed) {
        return false;
      }
    }
  }
}
