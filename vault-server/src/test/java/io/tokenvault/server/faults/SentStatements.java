package io.tokenvault.server.faults;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** What a client of a database asks for, as far as faults need to know. For one connection. */
final class SentStatements {

  /** What happens to the log with a message. */
  enum Event {
    NOTHING,
    /** Entries are about to be written, within a transaction that goes on. */
    ENTRY,
    /** Entries are about to be committed. */
    COMMIT_OF_ENTRY
  }

  private enum Kind {
    OTHER,
    BEGIN,
    COMMIT,
    ENTRY
  }

  private final Map<String, String> prepared = new HashMap<>();
  private final Consumer<String> executions;
  private boolean inTransaction;
  private boolean holdsEntry;

  /**
   * @param executions told the text of each statement that is executed
   */
  SentStatements(Consumer<String> executions) {
    this.executions = executions;
  }

  /** To be told of every message of the client, in their order. */
  Event sent(WireMessage message) {
    return switch (message.type()) {
      case 'P' -> {
        String name = message.text(0);
        prepared.put(name, message.text(name.length() + 1));
        yield Event.NOTHING;
      }
      case 'B' -> {
        String portal = message.text(0);
        String name = message.text(portal.length() + 1);
        yield executed(prepared.getOrDefault(name, ""));
      }
      case 'Q' -> executed(message.text(0));
      default -> Event.NOTHING;
    };
  }

  private static Kind kind(String sql) {
    String text = sql.strip().toLowerCase(Locale.ROOT);
    if (text.contains("audit_entry") && text.contains("insert")) {
      return Kind.ENTRY;
    }
    if (text.startsWith("begin")) {
      return Kind.BEGIN;
    }
    return text.startsWith("commit") || text.startsWith("rollback") ? Kind.COMMIT : Kind.OTHER;
  }

  private Event executed(String sql) {
    executions.accept(sql);
    switch (kind(sql)) {
      case BEGIN -> {
        inTransaction = true;
        holdsEntry = false;
      }
      case COMMIT -> {
        inTransaction = false;
        return holdsEntry ? Event.COMMIT_OF_ENTRY : Event.NOTHING;
      }
      case ENTRY -> {
        holdsEntry = inTransaction;
        return inTransaction ? Event.ENTRY : Event.COMMIT_OF_ENTRY;
      }
      default -> {
        // Says nothing of the log.
      }
    }
    return Event.NOTHING;
  }
}
