package io.tokenvault.server.cli;

import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.proxy.ContainerBinding;
import io.tokenvault.domain.proxy.HostPattern;
import io.tokenvault.domain.proxy.TenantEgress;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Binds a container to destinations, or to more of them. */
@Command(
    name = "allow",
    description = {
      "Binds a container: from the next request on, its tokens and those under it go to these",
      "hosts only, and to those that were allowed before.",
      "Prints a line of JSON for each host of the container: container, host."
    },
    mixinStandardHelpOptions = true)
final class ContainerAllow extends ContainerCommand {

  @Parameters(index = "0", paramLabel = "CONTAINER", description = "Such as /pci/.")
  private String path;

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "HOST",
      description = "Such as api.example.com, or *.example.com for all hosts under a name.")
  private List<String> hosts;

  ContainerAllow(Surroundings surroundings) {
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
