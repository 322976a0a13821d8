package io.tokenvault.adapters.jdbi.embedded;

import java.io.IOException;

/** What PostgreSQL is told, in the order of growing force. */
enum Signal {
  /** Fast shutdown: ends the sessions, writes everything, leaves nothing to recover. */
  INT,
  /** Immediate shutdown: the next start recovers. */
  QUIT,
  KILL;

  void to(long pid) {
    try {
      Program.script("kill -" + name() + " \"$1\"", Long.toString(pid)).run();
    } catch (IOException e) {
      throw new EmbeddedPostgresException("Cannot signal PostgreSQL, process " + pid, e);
    }
  }
}
