package io.tokenvault.server.cli;

import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.proxy.ContainerBinding;
import io.tokenvault.domain.proxy.HostPattern;
import io.tokenvault.domain.proxy.TenantEgress;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Takes destinations away from a container. */
@Command(
    name = "remove",
    description = {
      "Takes hosts away from a container, or all of them if none is named. A container without",
      "any is not bound any more. Every host must be one that was allowed, else nothing is done.",
      "Prints a line of JSON for each host that the container keeps: container, host."
    },
    mixinStandardHelpOptions = true)
final class ContainerRemove extends ContainerCommand {

  @Parameters(index = "0", paramLabel = "CONTAINER", description = "Exactly as it was bound.")
  private String path;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "HOST",
      description = "As it was allowed; none: all.")
  private List<String> hosts = List.of();

  ContainerRemove(Surroundings surroundings) {
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
