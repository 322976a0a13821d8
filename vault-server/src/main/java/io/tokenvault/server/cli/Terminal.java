package io.tokenvault.server.cli;

import java.io.Console;

/** Tells a terminal from a file or pipe that may be kept. */
final class Terminal {

  private Terminal() {}

  /** Whether standard output is a terminal, as far as the JVM can tell; if in doubt it is not. */
  static boolean isStandardOutput() {
    Console console = System.console();
    return console != null && isTerminal(console);
  }

  /** From Java 22 on there is a console without a terminal, and a method that tells. */
  private static boolean isTerminal(Console console) {
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (NoSuchMethodException before22) {
      return true;
    } catch (ReflectiveOperationException failed) {
      return false;
    }
  }
}
