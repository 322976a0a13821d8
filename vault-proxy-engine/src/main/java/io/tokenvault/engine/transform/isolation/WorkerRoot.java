package io.tokenvault.engine.transform.isolation;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Root directory of an isolated worker.
 *
 * <p>It contains only the files that a worker needs: the Java runtime, the native libraries that
 * this process has loaded, the worker's jars and three devices.
 */
final class WorkerRoot {

  private static final List<Path> DEVICES =
      List.of(Path.of("/dev/null"), Path.of("/dev/random"), Path.of("/dev/urandom"));
  private static final List<Path> LOADER_FOLDERS = List.of(Path.of("/lib"), Path.of("/lib64"));

  private static final List<String> SYSTEM_FOLDERS =
      List.of("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/nix");

  /** The files and folders that are visible under that root, by their absolute paths. */
  private final Set<Path> shown = new TreeSet<>();

  /** The symbolic links to create, with their targets. */
  private final TreeMap<Path, Path> links = new TreeMap<>();

  private WorkerRoot() {}

  /**
   * Collects the files of a program.
   *
   * @param tools programs that run under that root before the worker does
   */
  static WorkerRoot of(WorkerProgram program, List<Path> tools) throws IOException {
    WorkerRoot root = new WorkerRoot();
    root.shown.add(program.javaHome());
    // Some systems keep the settings of the Java runtime in another place behind a link.
    Path settings = program.javaHome().resolve("conf/security/java.security");
    if (Files.exists(settings)) {
      root.shown.add(settings.toRealPath().getParent());
    }
    root.shown.addAll(program.classPath());
    root.shown.addAll(tools);
    DEVICES.stream().filter(Files::exists).forEach(root.shown::add);
    root.addNativeLibraries(program.javaHome());
    for (Path folder : LOADER_FOLDERS) {
      root.addLoader(folder);
    }
    return root;
  }

  /**
   * Returns the arguments of the script {@code own-root.sh}: the folders to create, then {@code
   * dir} or {@code file} with a path, or {@code link} with a path and a target. Paths inside of a
   * visible folder are omitted.
   */
  List<String> arguments() {
    Set<String> folders = new TreeSet<>(Set.of("proc"));
    List<String> arguments = new ArrayList<>();
    for (Path path : shown) {
      if (!isWithin(path.getParent())) {
        boolean isFolder = Files.isDirectory(path);
        arguments.addAll(List.of(isFolder ? "dir" : "file", path.toString()));
        folders.add(inRoot(isFolder ? path : path.getParent()));
      }
    }
    links.forEach(
        (link, target) -> {
          if (!isWithin(link.getParent())) {
            arguments.addAll(List.of("link", link.toString(), target.toString()));
            folders.add(inRoot(link.getParent()));
          }
        });
    arguments.add(0, String.join("\n", folders));
    return arguments;
  }

  /** Returns the name of a folder below the root; that of the root itself is a dot. */
  private static String inRoot(Path folder) {
    return folder.getNameCount() == 0 ? "." : folder.toString().substring(1);
  }

  /** Returns the names of the entries in the root directory. */
  Set<String> names() {
    Set<String> names = new TreeSet<>(Set.of("proc"));
    Stream.concat(shown.stream(), links.keySet().stream())
        .forEach(path -> names.add(path.getName(0).toString()));
    return names;
  }

  private boolean isWithin(Path path) {
    return path != null && shown.stream().anyMatch(path::startsWith);
  }

  /** Adds the folders of the native libraries that this process has loaded. */
  private void addNativeLibraries(Path javaHome) throws IOException {
    try (Stream<String> mapped = Files.lines(Path.of("/proc/self/maps"))) {
      mapped
          .filter(line -> line.contains(".so") && line.indexOf('/') > 0)
          .map(line -> Path.of(line.substring(line.indexOf('/'))))
          .filter(library -> Files.exists(library) && !library.startsWith(javaHome))
          // Others, which the server has unpacked to some folder, are not needed by workers.
          .filter(library -> SYSTEM_FOLDERS.stream().anyMatch(library::startsWith))
          .forEach(library -> shown.add(library.getParent()));
    }
  }

  /**
   * Adds the dynamic loader. Its path is part of every program, and on most systems it leads
   * through links.
   */
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
