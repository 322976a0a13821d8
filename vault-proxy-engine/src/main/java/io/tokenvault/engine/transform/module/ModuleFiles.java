package io.tokenvault.engine.transform.module;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The operator's folder of modules and packages, with the rules of Node.js for resolving names in
 * it.
 *
 * <p>The id of a module is its path relative to the folder, with slashes; links are followed within
 * the folder. Files are read when they are asked for, so the folder may hold any number of them.
 * Thread-safe.
 *
 * <p>Where a package has a variant for browsers, it is used instead of a module that needs what
 * transforms lack, such as files and sockets: the field {@code browser} of {@code package.json}, or
 * the condition {@code browser} of {@code exports}.
 */
final class ModuleFiles {

  /** The greatest size of one file, in bytes. */
  static final int MAX_SIZE = 8 * 1024 * 1024;

  /** The id of the empty module that replaces what a package does not need in browsers. */
  static final String EMPTY = "(empty)";

  private static final String PACKAGES = ModulePaths.PACKAGES;

  /** The files with which npm describes the folder. */
  private static final Set<String> NOT_MODULES = Set.of("package.json", "package-lock.json");

  /** The folder with all links resolved; null for a server without operator modules. */
  private final Path root;

  /** The package descriptions by folder; empty for folders without one. */
  private final Map<String, Optional<PackageDescription>> packages = new ConcurrentHashMap<>();

  /** The states of the files that were read or that list others; null like the root. */
  private final FileStates states;

  private final UnavailableBuiltIns unavailable = new UnavailableBuiltIns(this);

  private ModuleFiles(Path folder, Path root) {
    this.root = root;
    this.states = root == null ? null : new FileStates(folder, root);
    if (root != null) {
      Stream.of("", PACKAGES, PACKAGES + "/.package-lock.json")
          .map(root::resolve)
          .forEach(states::note);
    }
  }

  /**
   * Returns whether a file that was read, or a list of modules, has changed since, or the folder is
   * a link to another one now.
   */
  boolean isChanged() {
    return states != null && states.isChanged();
  }

  /** Returns an empty folder, for a server without operator modules. */
  static ModuleFiles none() {
    return new ModuleFiles(null, null);
  }

  /**
   * Opens a folder.
   *
   * @throws IllegalArgumentException if it is not a folder that can be read; the message continues
   *     a sentence about it
   */
  static ModuleFiles of(Path folder) {
    if (!Files.isDirectory(folder) || !Files.isReadable(folder)) {
      throw new IllegalArgumentException("cannot be read");
    }
    try {
      return new ModuleFiles(folder, folder.toRealPath());
    } catch (IOException unreadable) {
      throw new IllegalArgumentException("cannot be read", unreadable);
    }
  }

  /**
   * Returns the source of a module.
   *
   * @throws UnusableModuleException if its file cannot be used
   */
  String source(String id) {
    if (id.equals(EMPTY)) {
      return "";
    }
    Path file = root.resolve(id);
    states.note(file);
    try {
      if (!file.toRealPath().startsWith(root)) {
        throw new UnusableModuleException(id, 0, "is a link out of the folder of modules");
      }
      if (Files.size(file) > MAX_SIZE) {
        throw new UnusableModuleException(id, 0, "has more than " + MAX_SIZE + " bytes");
      }
      String source = Files.readString(file, StandardCharsets.UTF_8);
      return source.startsWith("\ufeff") ? source.substring(1) : source;
    } catch (CharacterCodingException notText) {
      throw new UnusableModuleException(id, 0, "is not UTF-8");
    } catch (IOException unreadable) {
      throw new UnusableModuleException(id, 0, "cannot be read");
    }
  }

  /** Returns the source of a module; empty if its file cannot be used. */
  String sourceOrNothing(String id) {
    try {
      return source(id);
    } catch (UnusableModuleException unusable) {
      return "";
    }
  }

  /**
   * Returns the names under which transforms can require the modules at the top of the folder and
   * the packages that are installed in it, sorted.
   */
  List<String> names() {
    List<String> names = new ArrayList<>();
    for (String file : list("")) {
      boolean script = Stream.of(".js", ".cjs", ".json").anyMatch(file::endsWith);
      if (script && isFile(file) && !NOT_MODULES.contains(file)) {
        names.add(file);
      } else if (resolve("", file).isPresent() && !isFile(file)) {
        names.add(file);
      }
    }
    for (String file : list(PACKAGES)) {
      if (file.startsWith("@")) {
        list(PACKAGES + "/" + file).forEach(each -> names.add(file + "/" + each));
      } else if (!file.startsWith(".")) {
        names.add(file);
      }
    }
    return names.stream().distinct().sorted().toList();
  }

  private List<String> list(String folder) {
    if (root == null || !Files.isDirectory(root.resolve(folder))) {
      return List.of();
    }
    states.note(root.resolve(folder));
    try (Stream<Path> content = Files.list(root.resolve(folder))) {
      return content.map(each -> each.getFileName().toString()).toList();
    } catch (IOException unreadable) {
      return List.of();
    }
  }

  /**
   * Resolves a name to the id of a module by the rules of Node.js.
   *
   * <p>Relative names start from the requiring module. Other names are looked up in each {@code
   * node_modules} folder from the requiring module upward, then in the root of the folder. Absolute
   * paths are not resolved.
   *
   * @param from the id of the requiring module; empty for a transform, which can require only
   *     modules and packages of the folder
   * @param name the argument of {@code require}
   * @return empty if no module has that name
   */
  Optional<String> resolve(String from, String name) {
    if (root == null || name.isEmpty() || name.startsWith("/") || name.indexOf('\0') >= 0) {
      return Optional.empty();
    }
    if (ModulePaths.isRelative(name)) {
      return from.isEmpty() ? Optional.empty() : relative(from, name).map(this::replacedFile);
    }
    if (name.startsWith("#")) {
      return packageOf(from).flatMap(home -> internal(home, name, isEsModule(from)));
    }
    return replacedName(from, name).or(() -> installed(from, name, isEsModule(from)));
  }

  /** Resolves a relative name to the variant for Node.js. */
  Optional<String> relative(String from, String name) {
    boolean folder = ModulePaths.isFolder(name);
    return ModulePaths.join(ModulePaths.parent(from), name)
        .flatMap(path -> folder ? folder(path) : file(path).or(() -> folder(path)));
  }

  /**
   * Resolves a name that begins with {@code #} by the {@code imports} of its package.
   *
   * @param byEsModule whether an ES module imports it
   */
  private Optional<String> internal(String home, String name, boolean byEsModule) {
    return description(home)
        .flatMap(description -> description.imported(name, byEsModule))
        .flatMap(
            target ->
                target.startsWith("./")
                    ? ModulePaths.join(home, target).flatMap(this::exactFile)
                    : installed(home + "/package.json", target, byEsModule));
  }

  /**
   * Resolves the name of a package or of a module in it.
   *
   * @param from a file of the folder from where packages are looked up
   * @param byEsModule whether an ES module imports it
   */
  private Optional<String> installed(String from, String name, boolean byEsModule) {
    int end = name.indexOf('/', name.startsWith("@") ? name.indexOf('/') + 1 : 0);
    String packageName = end < 0 ? name : name.substring(0, end);
    String subpath = end < 0 ? "." : "." + name.substring(end);
    Optional<String> home = packageOf(from);
    if (home.flatMap(this::description)
        .filter(PackageDescription::hasExports)
        .flatMap(PackageDescription::name)
        .filter(packageName::equals)
        .isPresent()) {
      return exported(home.get(), subpath, byEsModule);
    }
    for (String place : ModulePaths.searchFolders(from)) {
      Optional<String> folder = ModulePaths.join(place, packageName).map(this::real);
      if (folder.isEmpty()) {
        continue;
      }
      if (description(folder.get()).filter(PackageDescription::hasExports).isPresent()) {
        return exported(folder.get(), subpath, byEsModule);
      }
      Optional<String> found =
          ModulePaths.join(place, name)
              .flatMap(each -> file(each).or(() -> folder(each)))
              .map(this::replacedFile);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  /**
   * Resolves a subpath of a package by its {@code exports}.
   *
   * @param byEsModule whether an ES module imports it
   */
  private Optional<String> exported(String home, String subpath, boolean byEsModule) {
    PackageDescription description = description(home).orElseThrow();
    Optional<String> found =
        exportedFile(home, description.exported(subpath, PackageDescription.NODE, byEsModule));
    if (found.isPresent() && description.hasBrowser() && unavailable.areRequiredBy(found.get())) {
      return exportedFile(
              home, description.exported(subpath, PackageDescription.BROWSER, byEsModule))
          .filter(browser -> !browser.equals(found.get()) && isUsable(browser, found.get()))
          .or(() -> found.map(this::replacedFile));
    }
    return found;
  }

  /**
   * Returns whether a variant for browsers can take the place of a module. ES modules for browsers
   * often need more of them than CommonJS modules need of Node.js.
   */
  private boolean isUsable(String browser, String id) {
    return !unavailable.needsPage(browser) && (isEsModule(id) || !isEsModule(browser));
  }

  private Optional<String> exportedFile(String home, Optional<String> target) {
    return target
        .filter(path -> path.startsWith("./"))
        .flatMap(path -> ModulePaths.join(home, path))
        .flatMap(this::exactFile);
  }

  /** Returns whether Node.js takes a module for an ES module by its name and package. */
  private boolean isEsModule(String id) {
    return id.endsWith(".mjs")
        || (id.endsWith(".js")
            && packageOf(id)
                .flatMap(this::description)
                .filter(PackageDescription::hasEsModules)
                .isPresent());
  }

  /** Returns the variant for browsers of a file that needs what transforms lack. */
  private String replacedFile(String id) {
    Optional<String> home = packageOf(id);
    Optional<PackageDescription> described =
        home.flatMap(this::description).filter(PackageDescription::hasBrowser);
    if (described.isEmpty()) {
      return id;
    }
    String path = "./" + id.substring(home.get().isEmpty() ? 0 : home.get().length() + 1);
    PackageDescription description = described.get();
    return description
        .browserReplacement(path)
        .or(
            () ->
                description
                    .browserMain()
                    .filter(main -> folder(home.get()).equals(Optional.of(id))))
        .flatMap(target -> replacement(home.get(), target, isEsModule(id)))
        .filter(target -> unavailable.areRequiredBy(id) && isUsable(target, id))
        .orElse(id);
  }

  /** Returns what a package uses in browsers in place of another package. */
  private Optional<String> replacedName(String from, String name) {
    return packageOf(from)
        .flatMap(
            home ->
                description(home)
                    .flatMap(description -> description.browserReplacement(name))
                    .filter(target -> installed(from, name, isEsModule(from)).isEmpty())
                    .flatMap(target -> replacement(home, target, isEsModule(from))));
  }

  private Optional<String> replacement(String home, String target, boolean byEsModule) {
    if (target.equals("false")) {
      return Optional.of(EMPTY);
    }
    Optional<String> file = ModulePaths.join(home, target).flatMap(this::file);
    return file.isPresent() || target.startsWith("./")
        ? file
        : installed(home + "/package.json", target, byEsModule);
  }

  /** Finds a file by its exact path or with one of the known extensions added. */
  private Optional<String> file(String path) {
    return Stream.of(path, path + ".js", path + ".json", path + ".cjs")
        .map(this::exactFile)
        .flatMap(Optional::stream)
        .findFirst();
  }

  private Optional<String> exactFile(String path) {
    return isFile(path) ? Optional.of(real(path)) : Optional.empty();
  }

  private boolean isFile(String path) {
    try {
      return !path.isEmpty() && Files.isRegularFile(root.resolve(path));
    } catch (InvalidPathException notAPath) {
      return false;
    }
  }

  /** Returns a path with its links resolved, or the same path if that leads out of the folder. */
  private String real(String path) {
    try {
      Path real = root.resolve(path).toRealPath();
      return real.startsWith(root) ? root.relativize(real).toString().replace('\\', '/') : path;
    } catch (IOException | InvalidPathException absent) {
      return path;
    }
  }

  /** Finds the main module of a folder. */
  private Optional<String> folder(String path) {
    return main(real(path)).or(() -> file(path.isEmpty() ? "index" : path + "/index"));
  }

  /** Finds the module that {@code main} in the {@code package.json} of a folder names. */
  private Optional<String> main(String folder) {
    return description(folder)
        .flatMap(PackageDescription::main)
        .flatMap(main -> ModulePaths.join(folder, main))
        .flatMap(main -> file(main).or(() -> file(main + "/index")));
  }

  /** Returns the folder of the package to which a module belongs. */
  private Optional<String> packageOf(String id) {
    String folder = ModulePaths.parent(id);
    while (description(folder).isEmpty()) {
      if (folder.isEmpty() || folder.endsWith(PACKAGES)) {
        return Optional.empty();
      }
      folder = ModulePaths.parent(folder);
    }
    return Optional.of(folder);
  }

  private Optional<PackageDescription> description(String folder) {
    return packages.computeIfAbsent(
        folder,
        each -> {
          String file = each.isEmpty() ? "package.json" : each + "/package.json";
          return isFile(file)
              ? Optional.of(PackageDescription.parse(sourceOrNothing(file)))
              : Optional.empty();
        });
  }
}
