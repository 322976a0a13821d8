package io.tokenvault.server.cli;

import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.proxy.ContainerBinding;
import io.tokenvault.domain.proxy.HostPattern;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.usecase.tenant.ManageTenants;
import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.json.JsonLine;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The commands that bind containers of a tenant to destinations.
 *
 * <p>Tokens in a bound container, or in one under it, are sent to the listed hosts only.
 *
 * <pre>{@code
 * vault-server container allow --tenant ID /pci/ api.example.com
 * }</pre>
 */
@Command(
    name = "container",
    description = {
      "Restrict the destinations of a container. Tokens of a container with allowed hosts, and",
      "of containers below it, are sent to these hosts only."
    },
    addMethodSubcommands = false)
final class ContainerCommands extends VaultCommand {

  /**
   * Executes the command on the tenant and shows the result.
   *
   * @param work returns the resulting egress policy; empty if there is no such tenant
   * @param show prints that policy
   * @return the exit code
   */
  private int run(
      UUID tenant,
      BiFunction<ManageTenants, TenantId, Optional<TenantEgress>> work,
      Consumer<TenantEgress> show) {
    try (Backend backend = openBackend()) {
      return report(work.apply(backend.manageTenants(), new TenantId(tenant)), show);
    }
  }

  /**
   * Parses hosts and removes repeated ones.
   *
   * @throws ValidationException if a host is not valid
   */
  private static List<HostPattern> patterns(List<String> hosts) {
    return hosts.stream().map(HostPattern::new).distinct().toList();
  }

  /** Prints a line of JSON for each binding. */
  private void print(List<ContainerBinding> bindings) {
    bindings.stream()
        .map(
            binding ->
                new JsonLine()
                    .with("container", binding.container().path())
                    .with("host", binding.host().text()))
        .forEach(out()::println);
  }

  /** Returns the bindings of exactly this container, without those of its parents. */
  private static List<ContainerBinding> bindingsOf(
      Container container, List<ContainerBinding> all) {
    return all.stream().filter(each -> each.container().equals(container)).toList();
  }

  /** Returns the message of the audit entry: all hosts if they fit, otherwise their number. */
  private static String message(String change, Container container, List<HostPattern> hosts) {
    String begin = "Destinations of container " + container + " " + change + ": ";
    String whole = begin + hosts.stream().map(HostPattern::text).collect(Collectors.joining(", "));
    return whole.length() <= AuditEntry.MAX_MESSAGE_LENGTH ? whole : begin + hosts.size();
  }

  @Command(
      name = "allow",
      mixinStandardHelpOptions = true,
      description = {
        "Add allowed hosts to a container. From the next request on, its tokens and those of",
        "containers below it are sent to allowed hosts only. Prints one JSON line per allowed",
        "host: container, host."
      })
  int allow(
      @Option(names = "--tenant", required = true, description = "Tenant id.") UUID tenant,
      @Parameters(index = "0", paramLabel = "CONTAINER", description = "Container, such as /pci/.")
          String path,
      @Parameters(
              index = "1..*",
              arity = "1..*",
              paramLabel = "HOST",
              description =
                  "Host such as api.example.com, or *.example.com for all its subdomains.")
          List<String> hosts) {
    Container container = new Container(path);
    List<HostPattern> patterns = patterns(hosts);
    return run(
        tenant,
        (tenants, id) ->
            tenants.changeEgress(
                id,
                egress -> with(egress, container, patterns),
                message("allowed", container, patterns)),
        egress -> print(bindingsOf(container, egress.bindings())));
  }

  /** Adds a binding for each host; a host that is bound already makes no difference. */
  private static TenantEgress with(
      TenantEgress egress, Container container, List<HostPattern> hosts) {
    TenantEgress changed = egress;
    for (HostPattern host : hosts) {
      changed = changed.with(new ContainerBinding(container, host));
    }
    return changed;
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "List allowed hosts. Prints one JSON line per host: container, host.")
  int list(@Option(names = "--tenant", required = true, description = "Tenant id.") UUID tenant) {
    return run(tenant, ManageTenants::egress, egress -> print(egress.bindings()));
  }

  @Command(
      name = "remove",
      mixinStandardHelpOptions = true,
      description = {
        "Remove allowed hosts from a container. Without a host, remove all and lift the",
        "restriction. A host that is not in the list is an error, and nothing changes. Prints",
        "one JSON line per remaining host: container, host."
      })
  int remove(
      @Option(names = "--tenant", required = true, description = "Tenant id.") UUID tenant,
      @Parameters(
              index = "0",
              paramLabel = "CONTAINER",
              description = "Container, exactly as listed.")
          String path,
      @Parameters(
              index = "1..*",
              arity = "0..*",
              paramLabel = "HOST",
              description = "Host, exactly as listed (default: all).")
          List<String> named) {
    Container container = new Container(path);
    List<HostPattern> hosts = patterns(named == null ? List.of() : named);
    return run(
        tenant,
        (tenants, id) ->
            tenants.changeEgress(
                id,
                egress -> without(egress, container, hosts),
                hosts.isEmpty()
                    ? "All destinations of container " + container + " removed"
                    : message("removed", container, hosts)),
        egress -> showRemaining(bindingsOf(container, egress.bindings())));
  }

  /**
   * Removes bindings. A host or container that is not bound is an error, so that a misspelled name
   * is not mistaken for a removed one.
   */
  private static TenantEgress without(
      TenantEgress egress, Container container, List<HostPattern> hosts) {
    List<HostPattern> bound =
        bindingsOf(container, egress.bindings()).stream().map(ContainerBinding::host).toList();
    if (bound.isEmpty()) {
      throw ValidationException.of("container", "has no allowed hosts; nothing was changed");
    }
    if (!bound.containsAll(hosts)) {
      throw ValidationException.of("host", "is not an allowed host; nothing was changed");
    }
    if (hosts.isEmpty()) {
      return egress.without(container, Optional.empty());
    }
    TenantEgress changed = egress;
    for (HostPattern host : hosts) {
      changed = changed.without(container, Optional.of(host));
    }
    return changed;
  }

  /** Prints the remaining bindings of a container, or a remark if there are none. */
  private void showRemaining(List<ContainerBinding> bindings) {
    print(bindings);
    if (bindings.isEmpty()) {
      err().println("No allowed hosts remain; only restrictions of containers above it apply.");
    }
  }
}
