package io.tokenvault.engine.transform.isolation;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.mozilla.javascript.ContextFactory;

/**
 * What a worker runs. The paths are real ones, without links, so that they mean the same under
 * another root.
 *
 * @param javaHome of the Java runtime
 * @param classPath jars, or folders of classes
 */
public record WorkerProgram(Path javaHome, List<Path> classPath, String mainClass) {

  private static final String MAIN = "io.tokenvault.engine.worker.WorkerMain";

  public WorkerProgram {
    javaHome = real(javaHome);
    classPath = classPath.stream().map(WorkerProgram::real).distinct().toList();
  }

  /** Runs on the Java runtime that this process runs on. */
  public static WorkerProgram onThisJava(List<Path> classPath, String mainClass) {
    return new WorkerProgram(Path.of(System.getProperty("java.home")), classPath, mainClass);
  }

  /**
   * What compiles and runs transforms: the engine's own classes and the interpreter, as they are
   * loaded here.
   */
  public static WorkerProgram forTransforms() {
    return onThisJava(List.of(sourceOf(WorkerProgram.class), sourceOf(ContextFactory.class)), MAIN);
  }

  /** The jar or folder that a class was loaded from. */
  public static Path sourceOf(Class<?> loaded) {
    try {
      return Path.of(loaded.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("a class path entry is no file", e);
    }
  }

  public Path java() {
    return javaHome.resolve("bin").resolve("java");
  }

  public List<String> command(List<String> flags, String main, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(java().toString());
    command.addAll(flags);
    command.add("-cp");
    command.add(String.join(File.pathSeparator, classPath.stream().map(Path::toString).toList()));
    command.add(main);
    command.addAll(arguments);
    return command;
  }

  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
