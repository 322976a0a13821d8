package io.tokenvault.engine.conformance;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Node.js, where it is installed. */
final class Node {

  private static final int OLDEST = 18;
  private static final Pattern VERSION = Pattern.compile("v(\\d+)\\.");

  private final String program;

  private Node(String program) {
    this.program = program;
  }

  /** The one on the path, unless it is too old. */
  static Optional<Node> installed() throws InterruptedException {
    Node node = new Node("node");
    try {
      Matcher version = VERSION.matcher(node.said(new ProcessBuilder("node", "--version")));
      return version.lookingAt() && Integer.parseInt(version.group(1)) >= OLDEST
          ? Optional.of(node)
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  String run(Path folder) throws IOException, InterruptedException {
    String script = folder.resolve("conformance.js").toString();
    ProcessBuilder builder = new ProcessBuilder(program, "--no-warnings", script);
    builder.environment().put("NODE_PATH", folder.resolve("modules").toString());
    builder.environment().put("TZ", "UTC");
    return said(builder);
  }

  private String said(ProcessBuilder builder) throws IOException, InterruptedException {
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    Process process = builder.start();
    try {
      process.getOutputStream().close();
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } finally {
      process.destroyForcibly().waitFor();
    }
  }
}
