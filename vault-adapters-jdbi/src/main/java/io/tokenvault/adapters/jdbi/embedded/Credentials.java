package io.tokenvault.adapters.jdbi.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** The passwords of the two roles, each in an owner-only file of its own. */
final class Credentials {

  private static final int PASSWORD_BYTES = 32;

  private final Map<Role, String> passwords;

  private Credentials(Map<Role, String> passwords) {
    this.passwords = passwords;
  }

  /** Makes those that are missing. */
  static Credentials loadOrCreate(DataDirectory directory, SecureRandom random) throws IOException {
    for (Role role : Role.values()) {
      Path file = directory.passwordOf(role);
      if (!Files.exists(file)) {
        directory.writePrivate(file, password(random) + "\n");
      }
      directory.hand(file);
      Files.setPosixFilePermissions(file, DataDirectory.PRIVATE_FILE);
    }
    return load(directory);
  }

  static Optional<Credentials> loadIfPresent(DataDirectory directory) throws IOException {
    for (Role role : Role.values()) {
      if (!Files.exists(directory.passwordOf(role))) {
        return Optional.empty();
      }
    }
    return Optional.of(load(directory));
  }

  String passwordOf(Role role) {
    return passwords.get(role);
  }

  @Override
  public String toString() {
    return "Credentials[redacted]";
  }

  private static Credentials load(DataDirectory directory) throws IOException {
    Map<Role, String> passwords = new EnumMap<>(Role.class);
    for (Role role : Role.values()) {
      passwords.put(role, Files.readString(directory.passwordOf(role)).trim());
    }
    return new Credentials(passwords);
  }

  private static String password(SecureRandom random) {
    byte[] bytes = new byte[PASSWORD_BYTES];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
