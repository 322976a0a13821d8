package io.tokenvault.server.faults;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** Tracks the statements of a connection to detect commits of audit entries. */
final class StatementTracker {

  private final Map<String, String> prepared = new HashMap<>();
  private final Consumer<String> executionListener;
  private boolean inTransaction;
  private boolean hasUncommittedEntry;

  /**
   * @param executionListener receives the text of each executed statement
   */
  StatementTracker(Consumer<String> executionListener) {
    this.executionListener = executionListener;
  }

  /** Returns whether a message commits entries; must be called for every message, in order. */
  boolean commitsEntries(PostgresMessage message) {
    return switch (message.type()) {
      case 'P' -> {
        String name = message.stringAt(0);
        prepared.put(name, message.stringAt(name.length() + 1));
        yield false;
      }
      case 'B' -> {
        String portal = message.stringAt(0);
        String name = message.stringAt(portal.length() + 1);
        yield track(prepared.getOrDefault(name, ""));
      }
      case 'Q' -> track(message.stringAt(0));
      default -> false;
    };
  }

  private boolean track(String sql) {
    executionListener.accept(sql);
    String text = sql.strip().toLowerCase(Locale.ROOT);
    if (text.contains("audit_entry") && text.contains("insert")) {
      hasUncommittedEntry = inTransaction;
      return !inTransaction;
    }
    if (text.startsWith("begin")) {
      inTransaction = true;
      hasUncommittedEntry = false;
    } else if (text.startsWith("commit") || text.startsWith("rollback")) {
      inTransaction = false;
      return hasUncommittedEntry;
    }
    return false;
  }
}
