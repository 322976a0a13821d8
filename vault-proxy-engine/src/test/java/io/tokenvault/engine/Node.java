package io.tokenvault.engine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs Node.js if it is installed. */
public final class Node {

  public static final String MISSING = "Node.js 18 or later is missing: apt-get install nodejs";

  private static final int MIN_VERSION = 18;
  private static final Pattern VERSION = Pattern.compile("v(\\d+)\\.");

  private Node() {}

  /** Returns the version of Node.js on the path; empty if there is none or it is too old. */
  public static Optional<String> version() {
    try {
      String version = run(Map.of(), "", "--version").strip();
      Matcher number = VERSION.matcher(version);
      return Optional.of(version)
          .filter(each -> number.lookingAt() && Integer.parseInt(number.group(1)) >= MIN_VERSION);
    } catch (IOException missing) {
      return Optional.empty();
    }
  }

  /** Runs Node.js and returns its output. */
  public static String run(Map<String, String> environment, String input, String... arguments)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder("node", "--no-warnings");
    builder.command().addAll(List.of(arguments));
    builder.environment().put("TZ", "UTC");
    builder.environment().putAll(environment);
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    Process process = builder.start();
    try {
      process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().close();
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } finally {
      process.destroyForcibly();
    }
  }
}
