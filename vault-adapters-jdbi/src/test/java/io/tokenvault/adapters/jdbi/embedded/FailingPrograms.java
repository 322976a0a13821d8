package io.tokenvault.adapters.jdbi.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/** Simulates a machine on which some programs are missing or forbidden. */
final class FailingPrograms {

  private FailingPrograms() {}

  static Map<String, String> environment(Path folder, String... programs) throws IOException {
    for (String program : programs) {
      Path stub = Files.writeString(folder.resolve(program), "#!/bin/sh\nexit 1\n");
      Files.setPosixFilePermissions(stub, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    return Map.of("PATH", folder + ":" + System.getenv("PATH"));
  }
}
