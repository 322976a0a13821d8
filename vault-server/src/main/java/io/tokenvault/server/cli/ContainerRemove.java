package io.tokenvault.server.cli;

import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.proxy.ContainerBinding;
import io.tokenvault.domain.proxy.HostPattern;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.server.assembly.Backend;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Takes destinations away from a container. */
@Command(
    name = "remove",
    description = {
      "Takes hosts away from a container, or all of them if none is named. A container without",
      "any is not bound any more. Every host must be one that was allowed, else nothing is done.",
      "Prints a line of JSON for each host that the container keeps: container, host."
    },
    mixinStandardHelpOptions = true)
final class ContainerRemove implements Callable<Integer> {

  private final Surroundings surroundings;

  @Option(names = "--tenant", required = true, description = "The tenant's id.")
  private UUID tenant;

  @Parameters(index = "0", paramLabel = "CONTAINER", description = "Exactly as it was bound.")
  private String path;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "HOST",
      description = "As it was allowed; none: all.")
  private List<String> hosts = List.of();

  @Spec private CommandSpec spec;

  ContainerRemove(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    Container container = new Container(path);
    List<HostPattern> patterns = hosts.stream().map(HostPattern::new).distinct().toList();
    try (Backend backend =
        Backend.forCommand(surroundings.configuration(), surroundings.randomness())) {
      Optional<TenantEgress> changed =
          backend
              .manageTenants()
              .changeEgress(
                  new TenantId(tenant),
                  egress -> without(egress, container, patterns),
                  message(container, patterns));
      return TenantOutcome.tell(changed, egress -> show(egress, container), spec);
    }
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
    kept.stream().map(ContainerBindings::line).forEach(spec.commandLine().getOut()::println);
    if (kept.isEmpty()) {
      spec.commandLine()
          .getErr()
          .println("No host is left: the container is bound by those above it, if at all.");
    }
  }
}
