package io.tokenvault.server.cli;

import io.tokenvault.server.config.Configuration;
import java.io.Console;
import java.io.OutputStream;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;

/**
 * The parts of the process that a command may use.
 *
 * @param environment environment variables, from which the settings are read
 * @param randomness the source of keys and ids
 * @param out standard output for bytes; unlike a PrintWriter it reports a failed write
 * @param terminal where a person can be asked; empty in scripts
 */
public record CommandContext(
    Map<String, String> environment,
    SecureRandom randomness,
    OutputStream out,
    Optional<Terminal> terminal) {

  /**
   * Reads and validates all settings.
   *
   * @throws io.tokenvault.server.config.ConfigurationException naming everything that is wrong
   */
  public Configuration configuration() {
    return Configuration.from(environment);
  }

  /** Returns a constant, because environment variables may contain passwords. */
  @Override
  public String toString() {
    return "CommandContext";
  }

  /** The terminal of a person who runs a command. */
  @FunctionalInterface
  public interface Terminal {

    /** Shows a question and returns the line that is typed; empty at the end of the input. */
    String ask(String question);

    /** Returns the terminal of this process, if its input and output are one. */
    static Optional<Terminal> ofProcess() {
      return Optional.ofNullable(System.console())
          .filter(Terminal::isInteractive)
          .map(
              console ->
                  question -> {
                    String line = console.readLine("%s", question);
                    return line == null ? "" : line;
                  });
    }

    /** From JDK 22 on, redirected streams have a console, too. */
    private static boolean isInteractive(Console console) {
      try {
        return (boolean) Console.class.getMethod("isTerminal").invoke(console);
      } catch (NoSuchMethodException older) {
        return true;
      } catch (ReflectiveOperationException unexpected) {
        return false;
      }
    }
  }
}
