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
 * The common part of the commands that bind containers of a tenant to destinations.
 *
 * <p>Tokens in a bound container, or in one under it, are sent to the listed hosts only.
 *
 * <pre>{@code
 * vault-server container allow --tenant ID /pci/ api.example.com
 * }</pre>
 */
abstract class ContainerCommand extends VaultCommand {

  @Option(names = "--tenant", required = true, description = "Tenant id.")
  private UUID tenant;

  /**
   * Executes the command on the tenant and shows the result.
   *
   * @param work returns the resulting egress policy; empty if there is no such tenant
   * @param show prints that policy
   * @return the exit code
   */
  final int run(
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
  static List<HostPattern> patterns(List<String> hosts) {
    return hosts.stream().map(HostPattern::new).distinct().toList();
  }

  /** Prints a line of JSON for each binding. */
  final void print(List<ContainerBinding> bindings) {
    bindings.stream()
        .map(
            binding ->
                new JsonLine()
                    .with("container", binding.container().path())
                    .with("host", binding.host().text()))
        .forEach(out()::println);
  }

  /** Returns the bindings of exactly this container, without those of its parents. */
  static List<ContainerBinding> of(Container container, List<ContainerBinding> all) {
    return all.stream().filter(each -> each.container().equals(container)).toList();
  }

  /** Returns the message of the audit entry: all hosts if they fit, otherwise their number. */
  static String message(String change, Container container, List<HostPattern> hosts) {
    String begin = "Destinations of container " + container + " " + change + ": ";
    String whole = begin + hosts.stream().map(HostPattern::text).collect(Collectors.joining(", "));
    return whole.length() <= AuditEntry.MAX_MESSAGE_LENGTH ? whole : begin + hosts.size();
  }

  /** Binds a container to hosts, in addition to those that it is bound to. */
  @Command(
      name = "allow",
      description = {
        "Add allowed hosts to a container. From the next request on, its tokens and those of",
        "containers below it are sent to allowed hosts only. Prints one JSON line per allowed",
        "host: container, host."
      })
  static final class ContainerAllow extends ContainerCommand {

    @Parameters(index = "0", paramLabel = "CONTAINER", description = "Container, such as /pci/.")
    private String path;

    @Parameters(
        index = "1..*",
        arity = "1..*",
        paramLabel = "HOST",
        description = "Host such as api.example.com, or *.example.com for all its subdomains.")
    private List<String> hosts;

    @Override
    public Integer call() {
      Container container = new Container(path);
      List<HostPattern> patterns = patterns(hosts);
      return run(
          (tenants, tenant) ->
              tenants.changeEgress(
                  tenant,
                  egress -> with(egress, container, patterns),
                  ContainerCommand.message("allowed", container, patterns)),
          egress -> print(of(container, egress.bindings())));
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
  }

  /** Lists the hosts of all bound containers. */
  @Command(
      name = "list",
      description = "List allowed hosts. Prints one JSON line per host: container, host.")
  static final class ContainerList extends ContainerCommand {

    @Override
    public Integer call() {
      return run(ManageTenants::egress, egress -> print(egress.bindings()));
    }
  }

  /** Removes hosts of a container, or all of them. */
  @Command(
      name = "remove",
      description = {
        "Remove allowed hosts from a container. Without a host, remove all and lift the",
        "restriction. A host that is not in the list is an error, and nothing changes. Prints",
        "one JSON line per remaining host: container, host."
      })
  static final class ContainerRemove extends ContainerCommand {

    @Parameters(
        index = "0",
        paramLabel = "CONTAINER",
        description = "Container, exactly as listed.")
    private String path;

    @Parameters(
        index = "1..*",
        arity = "0..*",
        paramLabel = "HOST",
        description = "Host, exactly as listed (default: all).")
    private List<String> hosts = List.of();

    @Override
    public Integer call() {
      Container container = new Container(path);
      List<HostPattern> patterns = patterns(hosts);
      return run(
          (tenants, tenant) ->
              tenants.changeEgress(
                  tenant,
                  egress -> without(egress, container, patterns),
                  message(container, patterns)),
          egress -> show(egress, container));
    }

    private static String message(Container container, List<HostPattern> hosts) {
      return hosts.isEmpty()
          ? "All destinations of container " + container + " removed"
          : ContainerCommand.message("removed", container, hosts);
    }

    /**
     * Removes bindings. A host or container that is not bound is an error, so that a misspelled
     * name is not mistaken for a removed one.
     */
    private static TenantEgress without(
        TenantEgress egress, Container container, List<HostPattern> hosts) {
      List<HostPattern> bound =
          of(container, egress.bindings()).stream().map(ContainerBinding::host).toList();
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

    /** Prints the remaining bindings of the container, or a remark if there are none. */
    private void show(TenantEgress egress, Container container) {
      List<ContainerBinding> kept = of(container, egress.bindings());
      print(kept);
      if (kept.isEmpty()) {
        err().println("No allowed hosts remain; only restrictions of containers above it apply.");
      }
    }
  }
}
