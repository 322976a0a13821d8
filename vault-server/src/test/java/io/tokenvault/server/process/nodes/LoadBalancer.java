package io.tokenvault.server.process.nodes;

import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.environment.Ports;
import io.tokenvault.server.environment.ProgramRun;
import io.tokenvault.server.environment.RunningProgram;
import io.tokenvault.server.environment.Unchecked;
import io.tokenvault.server.process.fixture.Node;
import io.tokenvault.server.process.fixture.Nodes;
import io.tokenvault.server.process.fixture.VaultProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A HAProxy in front of nodes, with the configuration from docs/operations.md. */
final class LoadBalancer implements AutoCloseable {

  /** The response header with the name of the node. */
  static final String NODE_HEADER = "X-Node";

  /** The configuration that the documentation shows. */
  static final Path CONFIGURATION = Path.of("src/test/resources/nodes/haproxy.cfg");

  private final RunningProgram haproxy;
  private final String url;

  private LoadBalancer(RunningProgram haproxy, String url) {
    this.haproxy = haproxy;
    this.url = url;
  }

  static boolean isInstalled() {
    return ProgramRun.find("haproxy").isPresent();
  }

  static LoadBalancer start(Nodes nodes) {
    int port = Ports.free(1).get(0);
    Path file = nodes.file("haproxy.cfg");
    Unchecked.run(() -> Files.writeString(file, configuration(port, nodes.all())));
    String program = ProgramRun.find("haproxy").orElseThrow().toString();
    RunningProgram haproxy =
        RunningProgram.start(
            "haproxy", file.getParent(), Map.of(), List.of(program, "-db", "-f", file.toString()));
    LoadBalancer loadBalancer = new LoadBalancer(haproxy, "http://127.0.0.1:" + port);
    nodes.all().forEach(loadBalancer::awaitNode);
    return loadBalancer;
  }

  private static String configuration(int port, List<Node> nodes) throws IOException {
    String servers =
        nodes.stream()
            .map(node -> "    server " + node.name() + " " + node.url().substring(7) + " check\n")
            .collect(Collectors.joining());
    return Files.readString(CONFIGURATION)
            .replace("127.0.0.1:8443", "127.0.0.1:" + port)
            .replaceAll("(?m)^    server vault.*\\R", "")
            .stripTrailing()
        + "\n    http-response set-header "
        + NODE_HEADER
        + " %s\n"
        + servers;
  }

  String url() {
    return url;
  }

  /** Waits until HAProxy sends requests to this node. */
  void awaitNode(Node node) {
    VaultProcess.awaitThat(node + " behind HAProxy", () -> node.name().equals(respondingNode()));
  }

  /** Returns the name of the node that responds to a request; empty if none does. */
  private String respondingNode() {
    try {
      return new Client(url, "none").get("/healthz").header(NODE_HEADER).orElse("");
    } catch (UncheckedIOException unavailable) {
      return "";
    }
  }

  @Override
  public void close() {
    haproxy.close();
  }
}
