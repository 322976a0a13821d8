package io.tokenvault.adapters.jdbi.embedded;

import java.io.IOException;
import java.util.List;

/** How a program is made to end with this JVM, even with one that was killed. */
enum Guard {
  /**
   * The kernel interrupts the program when the thread that started it ends. A session of its own
   * keeps Ctrl-C from stopping PostgreSQL before the server has finished its requests.
   */
  PARENT_DEATH_SIGNAL(List.of("setsid", "setpriv", "--pdeathsig", "INT")),

  /** A shell beside the program waits for the end of a pipe that only this JVM writes to. */
  PIPE(
      List.of(
          "sh",
          "-c",
          """
          exec 3<&0
          ( ( read -r _ <&3 || kill -INT $$ ) >/dev/null 2>&1 & )
          exec "$@" </dev/null 3<&-
          """,
          "sh"));

  private final List<String> prefix;

  Guard(List<String> prefix) {
    this.prefix = prefix;
  }

  static Guard ofThisSystem() {
    return PARENT_DEATH_SIGNAL.works() ? PARENT_DEATH_SIGNAL : PIPE;
  }

  List<String> prefix() {
    return prefix;
  }

  private boolean works() {
    try {
      return Program.of(prefix, List.of("true")).run().succeeded();
    } catch (IOException e) {
      return false;
    }
  }
}
