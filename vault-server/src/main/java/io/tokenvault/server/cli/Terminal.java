package io.tokenvault.server.cli;

import java.io.Console;
import java.util.Optional;

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
