package io.tokenvault.adapters.jdbi;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jdbi.v3.core.statement.SqlLogger;
import org.jdbi.v3.core.statement.StatementContext;

/** Observes statements before they are executed. */
public record Statements(Consumer<StatementContext> observer) implements SqlLogger {

  public static Statements counted(AtomicInteger statements) {
    return new Statements(context -> statements.incrementAndGet());
  }

  @Override
  public void logBeforeExecution(StatementContext context) {
    observer.accept(context);
  }
}
