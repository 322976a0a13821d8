package io.tokenvault.engine.transform.module;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Paths of modules relative to the operator's folder, with slashes; the folder itself is empty. */
final class ModulePaths {

  /** The name of the folders in which packages are installed. */
  static final String PACKAGES = "node_modules";

  private ModulePaths() {}

  /** Returns whether a name in a {@code require} call starts from the requiring module. */
  static boolean isRelative(String name) {
    return name.equals(".") || name.equals("..") || name.startsWith("./") || name.startsWith("../");
  }

  /** Returns whether a relative name can mean a folder only. */
  static boolean isFolder(String name) {
    String last = name.substring(name.lastIndexOf('/') + 1);
    return last.isEmpty() || last.equals(".") || last.equals("..");
  }

  /** Returns the folder that contains a path. */
  static String parent(String path) {
    int slash = path.lastIndexOf('/');
    return slash < 0 ? "" : path.substring(0, slash);
  }

  /** Joins and normalizes a path; empty if it leads out of the folder. */
  static Optional<String> join(String folder, String name) {
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

  /**
   * Returns the folders in which to look for a package: from the requiring module upward, then the
   * root.
   */
  static List<String> searchFolders(String from) {
    List<String> folders = new ArrayList<>();
    for (String folder = parent(from); !folder.isEmpty(); folder = parent(folder)) {
      if (!folder.endsWith(PACKAGES)) {
        folders.add(folder + "/" + PACKAGES);
      }
    }
    folders.add(PACKAGES);
    folders.add("");
    return folders;
  }
}
