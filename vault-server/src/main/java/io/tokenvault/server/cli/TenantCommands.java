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
import java.util.function.Function;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The commands that create, list, show, change, delete and shred tenants. */
@Command(name = "tenant", description = "Manage tenants.", addMethodSubcommands = false)
final class TenantCommands extends VaultCommand {

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

  @Command(
      name = "create",
      mixinStandardHelpOptions = true,
      description = {
        "Create a tenant and an application with all management permissions. Prints one JSON",
        "line: tenant_id, application_id, key. The key is not shown again."
      })
  int create(
      @Option(names = "--name", required = true, description = "Name of the tenant.") String name) {
    ResourceName checked = new ResourceName(name);
    try (Backend backend = openBackend()) {
      out().println(IssuedKeyLine.json(backend.manageTenants().create(checked)));
      return 0;
    }
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "List tenants. Prints one JSON line per tenant: tenant_id, name, created_at.")
  int list() {
    try (Backend backend = openBackend()) {
      backend.manageTenants().list().stream().map(TenantCommands::line).forEach(out()::println);
      return 0;
    }
  }

  @Command(
      name = "show",
      mixinStandardHelpOptions = true,
      description = {
        "Show a tenant and its settings. Prints one JSON line: tenant_id, name, created_at,",
        "ephemeral_proxy, unbound_containers_by_url. Use 'container list' for its restricted",
        "containers."
      })
  int show(
      @Option(
              names = {"--tenant", "--id"},
              required = true,
              paramLabel = "ID",
              description = "Tenant id.")
          UUID tenant) {
    try (Backend backend = openBackend()) {
      return report(
          backend.manageTenants().show(new TenantId(tenant)),
          shown -> out().println(withEgress(line(shown.tenant()), shown.egress())));
    }
  }

  /** Takes effect with the next request on every node, and is recorded in the audit log. */
  @Command(
      name = "update",
      mixinStandardHelpOptions = true,
      description = {
        "Change the settings of a tenant, effective from the next request. Prints the settings",
        "as one JSON line: tenant_id, ephemeral_proxy, unbound_containers_by_url."
      })
  int update(
      @Option(
              names = {"--tenant", "--id"},
              required = true,
              description = "Tenant id.")
          UUID tenant,
      @ArgGroup(exclusive = false, multiplicity = "1") Switches switches) {
    try (Backend backend = openBackend()) {
      return report(
          backend
              .manageTenants()
              .changeEgress(new TenantId(tenant), switches::applyTo, switches.message()),
          egress -> {
            JsonLine line = new JsonLine().with("tenant_id", tenant.toString());
            out().println(withEgress(line, egress));
          });
    }
  }

  /** The settings to change. At least one is present; the other one keeps its value. */
  static final class Switches {

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

  /** The values {@code on} and {@code off}, on the command line and in the output. */
  enum Switch {
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

  @Command(
      name = "delete",
      mixinStandardHelpOptions = true,
      description = {
        "Delete a tenant with its applications, proxies, tokens and data keys. The audit log",
        "remains. This cannot be undone."
      })
  int delete(@Mixin Removal removal) {
    return remove(
        removal,
        "This deletes tenant %s with its applications, proxies, tokens and data keys. It cannot be"
            + " undone.",
        backend ->
            backend.manageTenants().delete(removal.tenant()) ? Outcome.DONE : Outcome.NO_TENANT);
  }

  @Command(
      name = "shred",
      mixinStandardHelpOptions = true,
      description = {
        "Destroy all keys of a tenant. From the next request on, no node can read or write its",
        "data. Applications, rows and the audit log remain. This cannot be undone, except from a",
        "backup of the keys: see docs/encryption.md."
      })
  int shred(@Mixin Removal removal) {
    return remove(
        removal,
        "This destroys all keys of tenant %s: its data becomes unreadable. It cannot be undone,"
            + " except from a backup of the keys.",
        backend -> backend.manageKeys().shred(removal.tenant()));
  }

  /** The tenant of which something is permanently removed, and whether that is confirmed. */
  static final class Removal {

    @Option(names = "--id", required = true, description = "Tenant id.")
    private UUID id;

    @Option(names = "--yes", description = "Skip the confirmation. Required without a terminal.")
    private boolean yes;

    TenantId tenant() {
      return new TenantId(id);
    }
  }

  /**
   * Removes something of a tenant, after a confirmation.
   *
   * @param effect what is asked for, with {@code %s} for the tenant
   * @param work returns whether there was such a tenant, and whether it had keys
   */
  private int remove(Removal removal, String effect, Function<Backend, Outcome> work) {
    Optional<Terminal> terminal = context().terminal();
    if (!removal.yes && terminal.isEmpty()) {
      throw wrongCommandLine("Nothing was changed: without a terminal, --yes is required.");
    }
    try (Backend backend = openBackend()) {
      if (!removal.yes) {
        Optional<Tenant> found =
            backend.manageTenants().show(removal.tenant()).map(shown -> shown.tenant());
        if (found.isEmpty()) {
          return report(Outcome.NO_TENANT);
        }
        String name = "%s (%s)".formatted(found.get().name().value(), removal.id);
        String question = effect.formatted(name) + "\nType yes to continue: ";
        if (!terminal.get().ask(question).equals("yes")) {
          return fail("Canceled; nothing was changed.");
        }
      }
      return report(work.apply(backend));
    }
  }
}
