package io.tokenvault.documentation;

import io.tokenvault.server.environment.Unchecked;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The documentation pages in the root directory and below docs. */
final class Pages {

  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  static final Path DOCS = ROOT.resolve("docs");

  private Pages() {}

  static List<Path> all() {
    return Stream.concat(
            Stream.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md").map(ROOT::resolve),
            inDocs(".md").stream())
        .toList();
  }

  /** Returns the files below docs with an ending, except build output. */
  static List<Path> inDocs(String ending) {
    return below(DOCS, ending);
  }

  static List<Path> below(Path folder, String ending) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> file.toString().endsWith(ending))
          .filter(file -> !isBuildOutput(folder.relativize(file)))
          .sorted()
          .toList();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static boolean isBuildOutput(Path file) {
    return Stream.of("target", "node_modules")
        .anyMatch(name -> Stream.of(file.toString().split("[/\\\\]")).anyMatch(name::equals));
  }

  static String read(Path file) {
    return Unchecked.get(() -> Files.readString(file));
  }

  /** Removes indents, because quotes of a file may be indented less than the file. */
  static String withoutIndents(String text) {
    return text.replaceAll("(?m)^ +", "");
  }
}
