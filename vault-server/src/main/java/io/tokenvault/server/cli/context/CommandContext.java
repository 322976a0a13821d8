package io.tokenvault.server.cli.context;

import io.tokenvault.server.config.Configuration;
import java.io.OutputStream;
import java.security.SecureRandom;
import java.util.Map;

/**
 * What a command takes from the process that it runs in.
 *
 * @param out standard output, for bytes; unlike a PrintWriter it tells when nobody takes them
 */
public record CommandContext(
    Map<String, String> environment, SecureRandom randomness, OutputStream out) {

  public Configuration configuration() {
    return Configuration.from(environment);
  }

  /** Environment variables may hold passwords. */
  @Override
  public String toString() {
    return "Surroundings";
  }
}
