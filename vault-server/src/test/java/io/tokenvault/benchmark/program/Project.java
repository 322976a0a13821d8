package io.tokenvault.benchmark.program;

import io.tokenvault.server.place.Unchecked;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files of the project that this is built from. */
public final class Project {

  /** The module's folder, in which Maven runs the benchmark. */
  private static final Path MODULE = Path.of("").toAbsolutePath();

  private Project() {}

  /** Returns the launcher of the packaged program. */
  static Path launcher() {
    Path launcher = MODULE.resolve("target/bin/vault-server");
    if (!Files.isExecutable(launcher)) {
      throw new IllegalStateException(launcher + " is not there; package the project first");
    }
    return launcher;
  }

  /** Where the launcher keeps its archives. */
  static Path archives() {
    return MODULE.resolve("target/archive");
  }

  /** Where runs keep their files while they last. */
  public static Path scratch() {
    return MODULE.resolve("target/bench");
  }

  /** A file of the transform that speed is measured by. */
  public static String reference(String name) {
    return Unchecked.get(
        () ->
            Files.readString(
                MODULE.resolveSibling(
                    "vault-proxy-engine/src/test/resources/transforms/reference/" + name)));
  }
}
