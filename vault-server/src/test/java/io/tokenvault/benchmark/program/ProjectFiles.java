package io.tokenvault.benchmark.program;

import io.tokenvault.server.environment.Unchecked;
import java.nio.file.Files;
import java.nio.file.Path;

/** Locates files of this project. */
public final class ProjectFiles {

  /** The directory of the module, in which Maven runs the benchmark. */
  private static final Path MODULE = Path.of("").toAbsolutePath();

  private ProjectFiles() {}

  /** Returns the launcher of the packaged program. */
  static Path launcher() {
    Path launcher = MODULE.resolve("target/bin/vault-server");
    if (!Files.isExecutable(launcher)) {
      throw new IllegalStateException(launcher + " is missing; package the project first");
    }
    return launcher;
  }

  /** Returns the directory of the launcher's class archives. */
  static Path archives() {
    return MODULE.resolve("target/archive");
  }

  /** Returns the directory of temporary files. */
  public static Path workspaces() {
    return MODULE.resolve("target/bench");
  }

  /** Returns the content of a file of the reference transform. */
  public static String referenceTransform(String name) {
    return Unchecked.get(
        () ->
            Files.readString(
                MODULE.resolveSibling(
                    "vault-proxy-engine/src/test/resources/transforms/reference/" + name)));
  }
}
