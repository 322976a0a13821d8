package io.tokenvault.engine.transform;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The operator's folder of CommonJS modules and packages, read once at startup, with Node.js rules
 * for resolving names in it.
 *
 * <p>The id of a module is its path relative to the folder, with slashes. Immutable and
 * thread-safe.
 */
final class ModuleFiles {

  /** The greatest number of modules; a larger folder is probably a configuration mistake. */
  static final int MAX_FILES = 5000;

  /** The greatest size of one file, in bytes. */
  static final int MAX_SIZE = 2 * 1024 * 1024;

  private static final String PACKAGES = "node_modules";
  private static final String DESCRIPTION = "package.json";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** The sources by module id, sorted, since {@link #names} lists them in this order. */
  private final SortedMap<String, String> sources;

  ModuleFiles(Map<String, String> sources) {
    this.sources = Collections.unmodifiableSortedMap(new TreeMap<>(sources));
  }

  /** Returns an empty folder, for a server without operator modules. */
  static ModuleFiles none() {
    return new ModuleFiles(Map.of());
  }

  /**
   * Reads all files that end in {@code .js}, {@code .cjs} or {@code .json} below a folder.
   *
   * @throws IllegalArgumentException if the folder cannot be read, has more than {@link #MAX_FILES}
   *     modules, or has a file that is too large, not UTF-8 or outside of the folder; the message
   *     continues a sentence about the folder
   */
  static ModuleFiles read(Path folder) {
    try (Stream<Path> walk = Files.walk(folder)) {
      List<Path> files = walk.filter(ModuleFiles::isModule).limit(MAX_FILES + 1L).toList();
      if (files.size() > MAX_FILES) {
        throw new IllegalArgumentException("holds more than " + MAX_FILES + " modules");
      }
      Path real = folder.toRealPath();
      Map<String, String> sources = new HashMap<>();
      for (Path file : files) {
        requireInside(folder, real, file);
        sources.put(id(folder, file), source(folder, file));
      }
      return new ModuleFiles(sources);
    } catch (IOException | UncheckedIOException unreadable) {
      throw new IllegalArgumentException("cannot be read", unreadable);
    }
  }

  private static boolean isModule(Path file) {
    String name = file.getFileName().toString();
    return Files.isRegularFile(file)
        && (name.endsWith(".js") || name.endsWith(".cjs") || name.endsWith(".json"));
  }

  private static String id(Path folder, Path file) {
    return folder.relativize(file).toString().replace('\\', '/');
  }

  /** Rejects symbolic links out of the folder, which could expose any file to transforms. */
  private static void requireInside(Path folder, Path real, Path file) throws IOException {
    if (!file.toRealPath().startsWith(real)) {
      throw new IllegalArgumentException(
          "contains a link that leads out of it: " + id(folder, file));
    }
  }

  private static String source(Path folder, Path file) throws IOException {
    if (Files.size(file) > MAX_SIZE) {
      throw new IllegalArgumentException(
          "contains a file of more than " + MAX_SIZE + " bytes: " + id(folder, file));
    }
    try {
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (CharacterCodingException notText) {
      throw new IllegalArgumentException(
          "contains a file that is not UTF-8: " + id(folder, file), notText);
    }
  }

  /** Returns the source of a module; null if there is none with this id. */
  String source(String id) {
    return sources.get(id);
  }

  /**
   * Returns the names by which transforms can require modules and packages, for display to
   * operators.
   */
  List<String> names() {
    return sources.keySet().stream().map(ModuleFiles::name).distinct().toList();
  }

  /** Returns a display name: that of the package, or of a file without its extension. */
  private static String name(String id) {
    String path = id.startsWith(PACKAGES + "/") ? id.substring(PACKAGES.length() + 1) : id;
    String[] parts = path.split("/");
    if (parts.length == 1) {
      return withoutExtension(parts[0]);
    }
    return parts[0].startsWith("@") && parts.length > 2 ? parts[0] + "/" + parts[1] : parts[0];
  }

  private static String withoutExtension(String file) {
    return file.substring(0, file.lastIndexOf('.'));
  }

  /**
   * Resolves a name to the id of a module by the rules of Node.js.
   *
   * <p>Relative names start from the requiring module. Other names are looked up in each {@code
   * node_modules} folder from the requiring module upward, then in the root of the folder. Absolute
   * paths are not resolved.
   *
   * @param from the id of the module with the {@code require} call; empty for a transform, which
   *     can require only modules and packages of the folder
   * @param name the argument of {@code require}
   * @return empty if no module has that name
   */
  Optional<String> resolve(Optional<String> from, String name) {
    if (name.startsWith("./") || name.startsWith("../")) {
      return from.flatMap(id -> join(parent(id), name)).flatMap(this::fileOrFolder);
    }
    if (name.startsWith("/")) {
      return Optional.empty();
    }
    List<String> places = new ArrayList<>();
    for (String folder = parent(from.orElse("")); !folder.isEmpty(); folder = parent(folder)) {
      places.add(folder + "/" + PACKAGES);
    }
    places.add(PACKAGES);
    places.add("");
    return places.stream()
        .map(place -> join(place, name).flatMap(this::fileOrFolder))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static String parent(String path) {
    int slash = path.lastIndexOf('/');
    return slash < 0 ? "" : path.substring(0, slash);
  }

  /** Joins and normalizes a path; empty if it leads out of the folder. */
  private static Optional<String> join(String folder, String name) {
    List<String> parts = new ArrayList<>();
    for (String part : (folder + "/" + name).split("/")) {
      if (part.equals("..")) {
        if (parts.isEmpty()) {
          return Optional.empty();
        }
        parts.remove(parts.size() - 1);
      } else if (!part.isEmpty() && !part.equals(".")) {
        parts.add(part);
      }
    }
    return Optional.of(String.join("/", parts));
  }

  /** Finds the module at a path, as Node.js does: first as a file, then as a folder. */
  private Optional<String> fileOrFolder(String path) {
    return file(path).or(() -> folder(path));
  }

  /** Finds a file by its exact path or with one of the known extensions added. */
  private Optional<String> file(String path) {
    return Stream.of(path, path + ".js", path + ".cjs", path + ".json")
        .filter(sources::containsKey)
        .findFirst();
  }

  /**
   * Finds the main module of a folder: the one that {@code package.json} names, else {@code index}.
   */
  private Optional<String> folder(String path) {
    return main(path)
        .flatMap(main -> join(path, main))
        .flatMap(main -> file(main).or(() -> file(main + "/index")))
        .or(() -> file(path.isEmpty() ? "index" : path + "/index"));
  }

  /**
   * Returns the {@code main} property of a folder's {@code package.json}; empty if there is none or
   * the file is malformed.
   */
  private Optional<String> main(String folder) {
    String description = sources.get(folder + "/" + DESCRIPTION);
    if (description == null) {
      return Optional.empty();
    }
    try {
      JsonNode main = MAPPER.readTree(description).path("main");
      return main.isTextual() ? Optional.of(main.textValue()) : Optional.empty();
    } catch (JsonProcessingException malformed) {
      return Optional.empty();
    }
  }
}
