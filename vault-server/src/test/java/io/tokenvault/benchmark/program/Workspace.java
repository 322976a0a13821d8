package io.tokenvault.benchmark.program;

import io.tokenvault.server.environment.ProgramRun;
import io.tokenvault.server.environment.Unchecked;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** A temporary directory and the programs that run in it, which are stopped when it is closed. */
public final class Workspace implements AutoCloseable {

  private final Path directory;
  private final Deque<AutoCloseable> running = new ArrayDeque<>();

  private Workspace(Path directory) {
    this.directory = directory;
  }

  public static Workspace create() {
    Path top = ProjectFiles.workspaces();
    return new Workspace(
        Unchecked.get(() -> Files.createTempDirectory(Files.createDirectories(top), "run-")));
  }

  public Path directory() {
    return directory;
  }

  /** Creates a directory in this one. */
  public Path directory(String name) {
    return Unchecked.get(() -> Files.createDirectories(directory.resolve(name)));
  }

  /** Writes a file, which may exist. */
  public Path file(String name, String content) {
    return Unchecked.get(() -> Files.writeString(directory.resolve(name), content));
  }

  /** Closes a program with this workspace, before those that were added earlier. */
  <T extends AutoCloseable> T closeLater(T program) {
    running.push(program);
    return program;
  }

  /** Runs a program, asserts that it succeeds, and returns its output. */
  public String run(Map<String, String> environment, List<String> command) {
    return ProgramRun.in(directory, environment, command.toArray(String[]::new)).expectSuccess();
  }

  @Override
  public void close() {
    while (!running.isEmpty()) {
      try {
        running.pop().close();
      } catch (Exception failed) {
        System.err.println("Failed to close: " + failed);
      }
    }
    ProgramRun.of("rm", "-r", directory.toString()).expectSuccess();
  }
}
