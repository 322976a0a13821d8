package io.tokenvault.server.faults;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** Tracks the statements of a connection to detect commits of audit entries. */
final class StatementTracker {

  private final Map<String, String> prepared = new HashMap<>();
  private final Consumer<String> executions;
  private boolean inTransaction;
  private boolean holdsEntry;

  /**
   * @param executions receives the text of each executed statement
   */
  StatementTracker(Consumer<String> executions) {
    this.executions = executions;
  }

  /** Returns whether a message commits entries; must be called for every message, in order. */
  boolean commitsEntries(PostgresMessage message) {
    return switch (message.type()) {
      case 'P' -> {
        String name = message.text(0);
        prepared.put(name, message.text(name.length() + 1));
        yield false;
      }
      case 'B' -> {
        String portal = message.text(0);
        String name = message.text(portal.length() + 1);
        yield executed(prepared.getOrDefault(name, ""));
      }
      case 'Q' -> executed(message.text(0));
      default -> false;
    };
  }

  private boolean executed(String sql) {
    executions.accept(sql);
    String text = sql.strip().toLowerCase(Locale.ROOT);
    if (text.contains("audit_entry") && text.contains("insert")) {
      holdsEntry = inTransaction;
      return !inTransaction;
    }
    if (text.startsWith("begin")) {
      inTransaction = true;
      holdsEntry = false;
    } else if (text.startsWith("commit") || text.startsWith("rollback")) {
      inTransaction = false;
      return holdsEntry;
    }
    return false;
  }
}
