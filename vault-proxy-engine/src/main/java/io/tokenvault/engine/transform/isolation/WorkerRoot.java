package io.tokenvault.engine.transform.isolation;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The files that a worker needs, as a root of its own: the Java runtime, the native libraries that
 * this process has loaded itself, the worker's jars, three devices.
 */
final class WorkerRoot {

  private static final List<Path> DEVICES =
      List.of(Path.of("/dev/null"), Path.of("/dev/random"), Path.of("/dev/urandom"));
  private static final List<Path> LOADER_FOLDERS = List.of(Path.of("/lib"), Path.of("/lib64"));

  private final Set<Path> shown = new TreeSet<>();
  private final TreeMap<Path, Path> links = new TreeMap<>();

  private WorkerRoot() {}

  /**
   * @param tools programs that run under that root before the worker does
   */
  static WorkerRoot of(WorkerProgram program, List<Path> tools) throws IOException {
    WorkerRoot root = new WorkerRoot();
    root.shown.add(program.javaHome());
    root.addSecuritySettings(program.javaHome());
    root.shown.addAll(program.classPath());
    root.shown.addAll(tools);
    DEVICES.stream().filter(Files::exists).forEach(root.shown::add);
    root.addNativeLibraries(program.javaHome());
    for (Path folder : LOADER_FOLDERS) {
      root.addLoader(folder);
    }
    return root;
  }

  /** The script that builds it, for {@code sh -c}. */
  static String script() {
    try (InputStream script = WorkerRoot.class.getResourceAsStream("own-root.sh")) {
      return new String(Objects.requireNonNull(script).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the script is to put there, as its arguments. */
  List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    shown.stream()
        .filter(path -> !isWithin(path.getParent()))
        .forEach(
            path -> {
              arguments.add(Files.isDirectory(path) ? "dir" : "file");
              arguments.add(path.toString());
            });
    links.forEach((link, target) -> arguments.addAll(link(link, target)));
    return arguments;
  }

  private List<String> link(Path link, Path target) {
    return isWithin(link.getParent())
        ? List.of()
        : List.of("link", link.toString(), target.toString());
  }

  /** The names in that root. */
  Set<String> names() {
    Set<String> names = new TreeSet<>(Set.of("proc"));
    Stream.concat(shown.stream(), links.keySet().stream())
        .forEach(path -> names.add(path.getName(0).toString()));
    return names;
  }

  private boolean isWithin(Path path) {
    return path != null && shown.stream().anyMatch(path::startsWith);
  }

  /** Some systems keep the settings of the Java runtime elsewhere, and link there. */
  private void addSecuritySettings(Path javaHome) throws IOException {
    Path settings = javaHome.resolve("conf").resolve("security").resolve("java.security");
    if (Files.exists(settings)) {
      shown.add(settings.toRealPath().getParent());
    }
  }

  private void addNativeLibraries(Path javaHome) throws IOException {
    try (Stream<String> mapped = Files.lines(Path.of("/proc/self/maps"))) {
      mapped
          .filter(line -> line.contains(".so") && line.indexOf('/') > 0)
          .map(line -> Path.of(line.substring(line.indexOf('/'))))
          .filter(library -> Files.exists(library) && !library.startsWith(javaHome))
          .filter(library -> isSystems(library))
          .forEach(library -> shown.add(library.getParent()));
    }
  }

  /** Libraries of the server's own, unpacked to some folder, are none of a worker's business. */
  private static boolean isSystems(Path library) {
    return Stream.of("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/nix")
        .anyMatch(library::startsWith);
  }

  /** The loader's path is part of every program; on most systems it goes through links. */
  private void addLoader(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    if (Files.isSymbolicLink(folder)) {
      links.put(folder, Files.readSymbolicLink(folder));
    }
    try (DirectoryStream<Path> loaders = Files.newDirectoryStream(folder.toRealPath(), "ld-*")) {
      for (Path loader : loaders) {
        links.put(loader, loader.toRealPath());
        shown.add(loader.toRealPath().getParent());
      }
    }
  }
}
