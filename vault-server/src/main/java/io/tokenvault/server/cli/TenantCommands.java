package io.tokenvault.server.cli;

import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.tenant.ResourceName;
import io.tokenvault.domain.tenant.Tenant;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.usecase.key.ManageTenantKeys.Outcome;
import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.assembly.IssuedKeyLine;
import io.tokenvault.server.cli.CommandContext.Terminal;
import io.tokenvault.server.json.JsonLine;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The commands that create, list, show, change, delete and shred tenants. */
final class TenantCommands {

  private TenantCommands() {}

  /** Returns the fields that every command prints of a tenant. */
  private static JsonLine line(Tenant tenant) {
    return new JsonLine()
        .with("tenant_id", tenant.id().toString())
        .with("name", tenant.name().value())
        .with("created_at", tenant.createdAt().toString());
  }

  /** Adds the settings of an egress policy to a line. */
  private static JsonLine withEgress(JsonLine line, TenantEgress egress) {
    return line.with("ephemeral_proxy", Switch.of(egress.urlHeader()).text())
        .with("unbound_containers_by_url", Switch.of(egress.unboundByUrl()).text());
  }

  /**
   * Creates a tenant with a management application, whether or not a server is running.
   *
   * <p>The key of the application is printed once and cannot be shown again.
   */
  @Command(
      name = "create",
      description = {
        "Create a tenant and an application with all management permissions. Prints one JSON",
        "line: tenant_id, application_id, key. The key is not shown again."
      })
  static final class TenantCreate extends VaultCommand {

    @Option(names = "--name", required = true, description = "Name of the tenant.")
    private String name;

    @Override
    public Integer call() {
      ResourceName checked = new ResourceName(name);
      try (Backend backend = openBackend()) {
        out().println(IssuedKeyLine.json(backend.manageTenants().create(checked)));
      }
      return 0;
    }
  }

  /** Lists all tenants, one line of JSON for each. */
  @Command(
      name = "list",
      description = "List tenants. Prints one JSON line per tenant: tenant_id, name, created_at.")
  static final class TenantList extends VaultCommand.OnBackend {

    @Override
    int run(Backend backend) {
      backend.manageTenants().list().stream().map(TenantCommands::line).forEach(out()::println);
      return 0;
    }
  }

  /** Shows one tenant and its settings as a line of JSON. */
  @Command(
      name = "show",
      description = {
        "Show a tenant and its settings. Prints one JSON line: tenant_id, name, created_at,",
        "ephemeral_proxy, unbound_containers_by_url. Use 'container list' for its restricted",
        "containers."
      })
  static final class TenantShow extends VaultCommand.OnBackend {

    @Option(
        names = {"--tenant", "--id"},
        required = true,
        paramLabel = "ID",
        description = "Tenant id.")
    private UUID tenant;

    @Override
    int run(Backend backend) {
      return report(
          backend.manageTenants().show(new TenantId(tenant)),
          shown -> out().println(withEgress(line(shown.tenant()), shown.egress())));
    }
  }

  /**
   * Changes whether callers of a tenant may choose destinations themselves.
   *
   * <p>The change takes effect with the next request on every node and is recorded in the audit
   * log.
   */
  @Command(
      name = "update",
      description = {
        "Change the settings of a tenant, effective from the next request. Prints the settings",
        "as one JSON line: tenant_id, ephemeral_proxy, unbound_containers_by_url."
      })
  static final class TenantUpdate extends VaultCommand.OnBackend {

    @Option(
        names = {"--tenant", "--id"},
        required = true,
        description = "Tenant id.")
    private UUID tenant;

    @ArgGroup(exclusive = false, multiplicity = "1")
    private Switches switches;

    @Override
    int run(Backend backend) {
      return report(
          backend
              .manageTenants()
              .changeEgress(new TenantId(tenant), switches::applyTo, switches.message()),
          egress ->
              out()
                  .println(
                      withEgress(new JsonLine().with("tenant_id", tenant.toString()), egress)));
    }

    /** The settings to change. At least one is present; the other one keeps its value. */
    private static final class Switches {

      @Option(
          names = "--ephemeral-proxy",
          paramLabel = "on|off",
          converter = Switch.Converter.class,
          description = "Allow or forbid destinations in the proxy URL header of a request.")
      private Switch ephemeralProxy;

      @Option(
          names = "--unbound-containers-by-url",
          paramLabel = "on|off",
          converter = Switch.Converter.class,
          description = "Allow or forbid tokens of unrestricted containers at such destinations.")
      private Switch unboundByUrl;

      /** Returns the policy with the requested changes. */
      TenantEgress applyTo(TenantEgress egress) {
        TenantEgress changed = egress;
        if (ephemeralProxy != null) {
          changed = changed.withUrlHeader(ephemeralProxy.isOn());
        }
        return unboundByUrl == null ? changed : changed.withUnboundByUrl(unboundByUrl.isOn());
      }

      /** Returns the message of the audit entry. */
      String message() {
        StringBuilder message = new StringBuilder("Tenant updated");
        if (ephemeralProxy != null) {
          message.append(", ephemeral proxy ").append(ephemeralProxy.text());
        }
        if (unboundByUrl != null) {
          message.append(", unbound containers by URL ").append(unboundByUrl.text());
        }
        return message.toString();
      }
    }
  }

  /** The values {@code on} and {@code off}, on the command line and in the output. */
  private enum Switch {
    ON,
    OFF;

    static Switch of(boolean on) {
      return on ? ON : OFF;
    }

    boolean isOn() {
      return this == ON;
    }

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Parses the value of an option. */
    static final class Converter implements ITypeConverter<Switch> {
      @Override
      public Switch convert(String value) {
        return switch (value) {
          case "on" -> ON;
          case "off" -> OFF;
          default -> throw new TypeConversionException("must be on or off");
        };
      }
    }
  }

  /** The common part of the commands that permanently remove something of a tenant. */
  private abstract static class Removal extends VaultCommand {

    @Option(names = "--id", required = true, description = "Tenant id.")
    private UUID id;

    @Option(names = "--yes", description = "Skip the confirmation. Required without a terminal.")
    private boolean yes;

    private final String effect;

    /**
     * Creates a command.
     *
     * @param effect what it does, with {@code %s} for the tenant
     */
    Removal(String effect) {
      this.effect = effect;
    }

    /**
     * Carries out the removal.
     *
     * @return whether there was such a tenant, and whether it had keys
     */
    abstract Outcome end(Backend backend, TenantId tenant);

    @Override
    public final Integer call() {
      TenantId tenant = new TenantId(id);
      if (yes) {
        try (Backend backend = openBackend()) {
          return report(end(backend, tenant));
        }
      }
      Terminal terminal =
          context()
              .terminal()
              .orElseThrow(
                  () ->
                      wrongCommandLine(
                          "Nothing was changed: without a terminal, --yes is required."));
      try (Backend backend = openBackend()) {
        return askAndEnd(backend, tenant, terminal);
      }
    }

    private int askAndEnd(Backend backend, TenantId tenant, Terminal terminal) {
      Optional<Tenant> found = backend.manageTenants().show(tenant).map(shown -> shown.tenant());
      if (found.isEmpty()) {
        return report(Outcome.NO_TENANT);
      }
      String name = "%s (%s)".formatted(found.get().name().value(), id);
      String answer = terminal.ask(effect.formatted(name) + "\nType yes to continue: ");
      return answer.equals("yes")
          ? report(end(backend, tenant))
          : fail("Canceled; nothing was changed.");
    }
  }

  /** Deletes a tenant with everything that it owns except its audit log. */
  @Command(
      name = "delete",
      description = {
        "Delete a tenant with its applications, proxies, tokens and data keys. The audit log",
        "remains. This cannot be undone."
      })
  static final class TenantDelete extends Removal {

    TenantDelete() {
      super(
          "This deletes tenant %s with its applications, proxies, tokens and data keys."
              + " It cannot be undone.");
    }

    @Override
    Outcome end(Backend backend, TenantId tenant) {
      return backend.manageTenants().delete(tenant) ? Outcome.DONE : Outcome.NO_TENANT;
    }
  }

  /** Destroys the keys of a tenant, so that none of its data can be decrypted. */
  @Command(
      name = "shred",
      description = {
        "Destroy all keys of a tenant. From the next request on, no node can read or write its",
        "data. Applications, rows and the audit log remain. This cannot be undone, except from a",
        "backup of the keys: see docs/encryption.md."
      })
  static final class TenantShred extends Removal {

    TenantShred() {
      super(
          "This destroys all keys of tenant %s: its data becomes unreadable. It cannot be undone,"
              + " except from a backup of the keys.");
    }

    @Override
    Outcome end(Backend backend, TenantId tenant) {
      return backend.manageKeys().shred(tenant);
    }
  }
}
