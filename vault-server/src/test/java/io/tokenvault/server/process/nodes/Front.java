package io.tokenvault.server.process.nodes;

import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.place.Ports;
import io.tokenvault.server.place.ProgramRun;
import io.tokenvault.server.process.fixture.Node;
import io.tokenvault.server.process.fixture.Nodes;
import io.tokenvault.server.process.fixture.VaultProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * HAProxy in front of nodes, with the configuration that docs/operations.md gives, on a free port.
 */
final class Front implements AutoCloseable {

  /** Names the node that answered. */
  static final String NODE_HEADER = "X-Node";

  /** The resource that holds what the documentation shows. */
  static final String CONFIGURATION = "/nodes/haproxy.cfg";

  private final Process process;
  private final String url;

  private Front(Process process, String url) {
    this.process = process;
    this.url = url;
  }

  static boolean isInstalled() {
    return program().isPresent();
  }

  private static Optional<Path> program() {
    Stream<Path> ofRoot =
        Stream.of(Path.of("/usr/sbin/haproxy"), Path.of("/usr/local/sbin/haproxy"));
    return ProgramRun.find("haproxy").or(() -> ofRoot.filter(Files::isExecutable).findFirst());
  }

  static Front start(Nodes nodes) {
    int port = Ports.free(1).get(0);
    Path file = nodes.file("haproxy.cfg");
    try {
      Files.writeString(file, configuration(port, nodes.all()));
      Process process =
          new ProcessBuilder(program().orElseThrow().toString(), "-db", "-f", file.toString())
              .redirectErrorStream(true)
              .redirectOutput(nodes.file("haproxy.log").toFile())
              .start();
      Front front = new Front(process, "http://127.0.0.1:" + port);
      nodes.all().forEach(node -> front.awaitNode(node));
      return front;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static String configuration(int port, List<Node> nodes) throws IOException {
    try (InputStream template = Front.class.getResourceAsStream(CONFIGURATION)) {
      String servers =
          nodes.stream()
              .map(node -> "    server " + node.name() + " " + node.url().substring(7) + " check\n")
              .collect(Collectors.joining());
      String text = new String(template.readAllBytes(), StandardCharsets.UTF_8);
      return text.replace("127.0.0.1:8443", "127.0.0.1:" + port)
              .replaceAll("(?m)^    server vault.*\\R", "")
              .stripTrailing()
          + "\n    http-response set-header "
          + NODE_HEADER
          + " %s\n"
          + servers;
    }
  }

  String url() {
    return url;
  }

  /** Returns once it sends requests to this node. */
  void awaitNode(Node node) {
    VaultProcess.awaitThat(node + " behind HAProxy", () -> node.name().equals(answering()));
  }

  /** The name of the node that answers now; empty if none does. */
  private String answering() {
    try {
      return new Client(url, "none").get("/healthz").header(NODE_HEADER).orElse("");
    } catch (UncheckedIOException none) {
      return "";
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException interrupted) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
