package io.tokenvault.engine.transform.module;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The states of the operator's folder and of files in it when they were used. Thread-safe. */
final class FileStates {

  /** The folder as the operator named it, which may be a link. */
  private final Path folder;

  /** The folder with all links resolved. */
  private final Path root;

  /** When each file was changed, with its size. */
  private final Map<Path, String> states = new ConcurrentHashMap<>();

  FileStates(Path folder, Path root) {
    this.folder = folder;
    this.root = root;
  }

  /**
   * Notes the state of a file or folder that is about to be used. The first use counts: what was
   * derived from it is out of date after a change.
   */
  void note(Path file) {
    states.putIfAbsent(file, state(file));
  }

  /** Returns whether a file differs from its state, or the folder is a link to another one now. */
  boolean isChanged() {
    return isMoved()
        || states.entrySet().stream()
            .anyMatch(file -> !file.getValue().equals(state(file.getKey())));
  }

  private boolean isMoved() {
    try {
      return !folder.toRealPath().equals(root);
    } catch (IOException absent) {
      return true;
    }
  }

  private static String state(Path file) {
    try {
      return Files.getLastModifiedTime(file) + " " + Files.size(file);
    } catch (IOException absent) {
      return "";
    }
  }
}
