package io.tokenvault.server.cli;

import io.tokenvault.domain.access.Container;
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

/** Binds a container to destinations, or to more of them. */
@Command(
    name = "allow",
    description = {
      "Binds a container: from the next request on, its tokens and those under it go to these",
      "hosts only, and to those that were allowed before.",
      "Prints a line of JSON for each host of the container: container, host."
    },
    mixinStandardHelpOptions = true)
final class ContainerAllow implements Callable<Integer> {

  private final Surroundings surroundings;

  @Option(names = "--tenant", required = true, description = "The tenant's id.")
  private UUID tenant;

  @Parameters(index = "0", paramLabel = "CONTAINER", description = "Such as /pci/.")
  private String path;

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "HOST",
      description = "Such as api.example.com, or *.example.com for all hosts under a name.")
  private List<String> hosts;

  @Spec private CommandSpec spec;

  ContainerAllow(Surroundings surroundings) {
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
                  egress -> with(egress, container, patterns),
                  ContainerBindings.message("allowed", container, patterns));
      return TenantOutcome.tell(changed, egress -> show(egress, container), spec);
    }
  }

  private static TenantEgress with(
      TenantEgress egress, Container container, List<HostPattern> hosts) {
    TenantEgress changed = egress;
    for (HostPattern host : hosts) {
      changed = changed.with(new ContainerBinding(container, host));
    }
    return changed;
  }

  private void show(TenantEgress egress, Container container) {
    ContainerBindings.of(container, egress.bindings()).stream()
        .map(ContainerBindings::line)
        .forEach(spec.commandLine().getOut()::println);
  }
}
