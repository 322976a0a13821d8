package io.tokenvault.server.cli;

import io.tokenvault.server.logging.LogFormat;
import java.security.SecureRandom;
import java.util.Locale;

/**
 * The main class of the program: {@code java -jar vault-server.jar COMMAND}.
 *
 * <p>It passes the environment and the randomness of the process to the command, so that tests can
 * run every command with chosen values.
 */
public final class VaultServer {

  private VaultServer() {}

  /**
   * Runs one command and ends the process with its exit status.
   *
   * @param arguments the command and its options; {@code --help} lists them
   */
  public static void main(String[] arguments) {
    // The program writes English; libraries use the digits of other languages even in certificates.
    Locale.setDefault(Locale.ROOT);
    try {
      LogFormat.configure();
      System.exit(RootCommand.run(System.getenv(), new SecureRandom(), arguments));
    } catch (LinkageError | TypeNotPresentException missing) {
      System.err.println(
          "A class cannot be loaded: the limit of open files (ulimit -n) is too low, or a jar is"
              + " missing.");
      throw missing;
    }
  }
}
