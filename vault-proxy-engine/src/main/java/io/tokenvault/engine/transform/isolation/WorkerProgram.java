package io.tokenvault.engine.transform.isolation;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import org.mozilla.javascript.ContextFactory;

/**
 * Program that a worker runs.
 *
 * <p>The paths are resolved to real ones without links, so that they are also valid under another
 * root directory.
 */
public record WorkerProgram(Path javaHome, List<Path> classPath, String mainClass) {
  private static final String MAIN = "io.tokenvault.engine.worker.WorkerMain";

  /**
   * Resolves the paths.
   *
   * @throws UncheckedIOException if one does not exist
   */
  public WorkerProgram {
    javaHome = real(javaHome);
    classPath = classPath.stream().map(WorkerProgram::real).distinct().toList();
  }

  /** Returns a program that runs on the Java runtime of this process. */
  public static WorkerProgram onThisJava(List<Path> classPath, String mainClass) {
    return new WorkerProgram(Path.of(System.getProperty("java.home")), classPath, mainClass);
  }

  /**
   * Returns the program that compiles and runs transforms: the engine's classes and the
   * interpreter, from the jars or folders from which this process has loaded them. Jars that are
   * nested in another jar are extracted.
   *
   * @throws IllegalArgumentException if the classes were loaded from neither a file nor a jar
   * @throws IOException if a jar cannot be extracted
   */
  static WorkerProgram forTransforms(ExtractedJars extracted) throws IOException {
    return onThisJava(
        List.of(
            extracted.sourceOf(WorkerProgram.class, "engine"),
            extracted.sourceOf(ContextFactory.class, "interpreter")),
        MAIN);
  }

  /**
   * Returns the jar or folder from which a class was loaded.
   *
   * @throws IllegalArgumentException if it was not loaded from a file
   */
  public static Path sourceOf(Class<?> loaded) {
    URL location = location(loaded);
    try {
      if (location.getProtocol().equals("file")) {
        return Path.of(location.toURI());
      }
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("a class path entry is not a file: " + location, e);
    }
    throw new IllegalArgumentException("a class path entry is not a file: " + location);
  }

  /**
   * Returns the URL from which a class was loaded.
   *
   * @throws IllegalArgumentException if its class loader does not state it
   */
  static URL location(Class<?> loaded) {
    CodeSource source = loaded.getProtectionDomain().getCodeSource();
    if (source == null || source.getLocation() == null) {
      throw new IllegalArgumentException(
          loaded.getName() + " was loaded from an unknown place by " + loaded.getClassLoader());
    }
    return source.getLocation();
  }

  /** Returns the path of the {@code java} command. */
  public Path java() {
    return javaHome.resolve("bin").resolve("java");
  }

  /**
   * Returns a command that runs a class of this program.
   *
   * @param main the class to run, usually {@code mainClass}
   */
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

  /**
   * Starts a command in the root directory, with a locale as its only environment. Its standard
   * error can contain data and is discarded by the operating system.
   *
   * @throws IOException if the operating system does not start it
   */
  public static Process start(List<String> command) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(new File("/"))
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().clear();
    // Without a locale, Java would replace characters of the class path.
    builder.environment().put("LC_ALL", "C.UTF-8");
    return builder.start();
  }

  /**
   * Returns the process that does the work: the process itself, or its child if it has put one into
   * namespaces and waits for it.
   */
  public static ProcessHandle innermost(Process process) {
    return process.children().findFirst().orElseGet(process::toHandle);
  }
}
