package io.tokenvault.server.cli.tenant;

import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.proxy.ContainerBinding;
import io.tokenvault.domain.proxy.HostPattern;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.usecase.tenant.ManageTenants;
import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.cli.context.CommandContext;
import io.tokenvault.server.cli.context.JsonLine;
import io.tokenvault.server.cli.context.TenantOutcome;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What the commands about a tenant's containers share. */
public abstract class ContainerCommand implements Callable<Integer> {

  private final CommandContext surroundings;

  @Option(names = "--tenant", required = true, description = "The tenant's id.")
  private UUID tenant;

  @Spec private CommandSpec spec;

  ContainerCommand(CommandContext surroundings) {
    this.surroundings = surroundings;
  }

  /**
   * Does something with the tenant, and tells what became of it.
   *
   * @param work gives what holds after it; empty if there is no such tenant
   */
  final int run(
      BiFunction<ManageTenants, TenantId, Optional<TenantEgress>> work,
      Consumer<TenantEgress> show) {
    try (Backend backend =
        Backend.forCommand(surroundings.configuration(), surroundings.randomness())) {
      return TenantOutcome.tell(
          work.apply(backend.manageTenants(), new TenantId(tenant)), show, spec);
    }
  }

  static List<HostPattern> patterns(List<String> hosts) {
    return hosts.stream().map(HostPattern::new).distinct().toList();
  }

  final void print(List<ContainerBinding> bindings) {
    bindings.stream().map(ContainerBindings::line).forEach(spec.commandLine().getOut()::println);
  }

  /** For people, not for programs. */
  final void remark(String text) {
    spec.commandLine().getErr().println(text);
  }

  /** Binds a container to destinations, or to more of them. */
  @Command(
      name = "allow",
      description = {
        "Binds a container: from the next request on, its tokens and those under it go to these",
        "hosts only, and to those that were allowed before.",
        "Prints a line of JSON for each host of the container: container, host."
      },
      mixinStandardHelpOptions = true)
  public static final class ContainerAllow extends ContainerCommand {

    @Parameters(index = "0", paramLabel = "CONTAINER", description = "Such as /pci/.")
    private String path;

    @Parameters(
        index = "1..*",
        arity = "1..*",
        paramLabel = "HOST",
        description = "Such as api.example.com, or *.example.com for all hosts under a name.")
    private List<String> hosts;

    public ContainerAllow(CommandContext surroundings) {
      super(surroundings);
    }

    @Override
    public Integer call() {
      Container container = new Container(path);
      List<HostPattern> patterns = patterns(hosts);
      return run(
          (tenants, tenant) ->
              tenants.changeEgress(
                  tenant,
                  egress -> with(egress, container, patterns),
                  ContainerBindings.message("allowed", container, patterns)),
          egress -> print(ContainerBindings.of(container, egress.bindings())));
    }

    private static TenantEgress with(
        TenantEgress egress, Container container, List<HostPattern> hosts) {
      TenantEgress changed = egress;
      for (HostPattern host : hosts) {
        changed = changed.with(new ContainerBinding(container, host));
      }
      return changed;
    }
  }

  /** Lists where the tokens of bound containers may go. */
  @Command(
      name = "list",
      description =
          "Prints a line of JSON for each host that a container is bound to: container, host.",
      mixinStandardHelpOptions = true)
  public static final class ContainerList extends ContainerCommand {

    public ContainerList(CommandContext surroundings) {
      super(surroundings);
    }

    @Override
    public Integer call() {
      return run(ManageTenants::egress, egress -> print(egress.bindings()));
    }
  }

  /** Takes destinations away from a container. */
  @Command(
      name = "remove",
      description = {
        "Takes hosts away from a container, or all of them if none is named. A container without",
        "any is not bound any more. Every host must be one that was allowed, else nothing is done.",
        "Prints a line of JSON for each host that the container keeps: container, host."
      },
      mixinStandardHelpOptions = true)
  public static final class ContainerRemove extends ContainerCommand {

    @Parameters(index = "0", paramLabel = "CONTAINER", description = "Exactly as it was bound.")
    private String path;

    @Parameters(
        index = "1..*",
        arity = "0..*",
        paramLabel = "HOST",
        description = "As it was allowed; none: all.")
    private List<String> hosts = List.of();

    public ContainerRemove(CommandContext surroundings) {
      super(surroundings);
    }

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
          : ContainerBindings.message("removed", container, hosts);
    }

    /** Whoever mistypes what is to go must not take it for gone. */
    private static TenantEgress without(
        TenantEgress egress, Container container, List<HostPattern> hosts) {
      List<HostPattern> bound =
          ContainerBindings.of(container, egress.bindings()).stream()
              .map(ContainerBinding::host)
              .toList();
      if (bound.isEmpty()) {
        throw ValidationException.of("container", "is not bound; nothing was changed");
      }
      if (!bound.containsAll(hosts)) {
        throw ValidationException.of("host", "is not allowed anyway; nothing was changed");
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

    private void show(TenantEgress egress, Container container) {
      List<ContainerBinding> kept = ContainerBindings.of(container, egress.bindings());
      print(kept);
      if (kept.isEmpty()) {
        remark("No host is left: the container is bound by those above it, if at all.");
      }
    }
  }

  /** How bindings of containers are shown, and how changes of them are recorded. */
  private static final class ContainerBindings {

    private ContainerBindings() {}

    static JsonLine line(ContainerBinding binding) {
      return new JsonLine()
          .with("container", binding.container().path())
          .with("host", binding.host().text());
    }

    static List<ContainerBinding> of(Container container, List<ContainerBinding> all) {
      return all.stream().filter(each -> each.container().equals(container)).toList();
    }

    /** With all hosts if there is room for them, else with their number. */
    static String message(String change, Container container, List<HostPattern> hosts) {
      String begin = "Destinations of container " + container + " " + change + ": ";
      String whole =
          begin + hosts.stream().map(HostPattern::text).collect(Collectors.joining(", "));
      return whole.length() <= AuditEntry.MAX_MESSAGE_LENGTH ? whole : begin + hosts.size();
    }
  }
}
