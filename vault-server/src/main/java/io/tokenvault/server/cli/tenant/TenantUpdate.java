package io.tokenvault.server.cli.tenant;

import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.cli.context.CommandContext;
import io.tokenvault.server.cli.context.JsonLine;
import io.tokenvault.server.cli.context.TenantOutcome;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/**
 * Changes whether callers of a tenant may choose destinations themselves.
 *
 * <p>The change takes effect with the next request on every node and is recorded in the audit log.
 */
@Command(
    name = "update",
    description = {
      "Says whether callers may name destinations with a request, from the next request on.",
      "Prints what holds now: tenant_id, ephemeral_proxy, unbound_containers_by_url."
    },
    mixinStandardHelpOptions = true)
public final class TenantUpdate implements Callable<Integer> {

  private final CommandContext surroundings;

  @Option(
      names = {"--tenant", "--id"},
      required = true,
      description = "The tenant's id.")
  private UUID tenant;

  @ArgGroup(exclusive = false, multiplicity = "1")
  private Switches switches;

  @Spec private CommandSpec spec;

  public TenantUpdate(CommandContext surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    try (Backend backend =
        Backend.forCommand(surroundings.configuration(), surroundings.randomness())) {
      Optional<TenantEgress> changed =
          backend
              .manageTenants()
              .changeEgress(new TenantId(tenant), switches::applyTo, switches.message());
      return TenantOutcome.tell(changed, this::show, spec);
    }
  }

  /** Prints the resulting settings as a line of JSON. */
  private void show(TenantEgress egress) {
    spec.commandLine()
        .getOut()
        .println(withEgress(new JsonLine().with("tenant_id", tenant.toString()), egress));
  }

  /** Adds the settings of an egress policy to a line. */
  static JsonLine withEgress(JsonLine line, TenantEgress egress) {
    return line.with("ephemeral_proxy", Switch.of(egress.urlHeader()).text())
        .with("unbound_containers_by_url", Switch.of(egress.unboundByUrl()).text());
  }

  /** The settings to change. At least one is present; the other one keeps its value. */
  private static final class Switches {

    @Option(
        names = "--ephemeral-proxy",
        paramLabel = "on|off",
        converter = Switch.Converter.class,
        description = "Whether callers may name a destination with the URL header.")
    private Switch ephemeralProxy;

    @Option(
        names = "--unbound-containers-by-url",
        paramLabel = "on|off",
        converter = Switch.Converter.class,
        description = "Whether tokens outside bound containers may go to such a destination.")
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
}
