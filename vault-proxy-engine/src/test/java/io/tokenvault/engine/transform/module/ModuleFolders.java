package io.tokenvault.engine.transform.module;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Writes folders of operator modules. */
final class ModuleFolders {

  private ModuleFolders() {}

  /** Writes files by their relative paths and opens the folder. */
  static ModuleFiles write(Path folder, Map<String, String> files) throws IOException {
    for (Map.Entry<String, String> file : files.entrySet()) {
      Path path = folder.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.writeString(path, file.getValue());
    }
    return ModuleFiles.of(folder);
  }
}
