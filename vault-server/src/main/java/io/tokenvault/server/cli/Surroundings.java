package io.tokenvault.server.cli;

import io.tokenvault.server.config.Configuration;
import java.security.SecureRandom;
import java.util.Map;

/** What a command takes from the process that it runs in. */
record Surroundings(Map<String, String> environment, SecureRandom randomness) {

  Configuration configuration() {
    return Configuration.from(environment);
  }

  /** Environment variables may hold passwords. */
  @Override
  public String toString() {
    return "Surroundings";
  }
}
