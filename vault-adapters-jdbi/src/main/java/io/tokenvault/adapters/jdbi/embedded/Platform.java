package io.tokenvault.adapters.jdbi.embedded;

import java.util.Locale;

/** The operating system and processor, as the packaged binaries are named. */
record Platform(String system, String processor) {

  static Platform current() {
    return new Platform(
        systemOf(System.getProperty("os.name")), processorOf(System.getProperty("os.arch")));
  }

  String archive() {
    return "/postgres-" + this + ".txz";
  }

  @Override
  public String toString() {
    return system + "-" + processor;
  }

  private static String systemOf(String name) {
    return switch (name) {
      case "Linux" -> "linux";
      case "Mac OS X" -> "darwin";
      default -> throw unsupported(name);
    };
  }

  private static String processorOf(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "amd64", "x86_64" -> "x86_64";
      case "aarch64", "arm64" -> "arm_64";
      default -> throw unsupported(name);
    };
  }

  static EmbeddedPostgresException unsupported(Object what) {
    return new EmbeddedPostgresException(
        "This build has no PostgreSQL for " + what + ": use an external database instead");
  }
}
