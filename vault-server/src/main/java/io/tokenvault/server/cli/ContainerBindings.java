package io.tokenvault.server.cli;

import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.proxy.ContainerBinding;
import io.tokenvault.domain.proxy.HostPattern;
import java.util.List;
import java.util.stream.Collectors;

/** How bindings of containers are shown, and how changes of them are recorded. */
final class ContainerBindings {

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
    String whole = begin + hosts.stream().map(HostPattern::text).collect(Collectors.joining(", "));
    return whole.length() <= AuditEntry.MAX_MESSAGE_LENGTH ? whole : begin + hosts.size();
  }
}
