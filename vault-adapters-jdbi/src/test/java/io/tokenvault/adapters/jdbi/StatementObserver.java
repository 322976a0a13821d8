package io.tokenvault.adapters.jdbi;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jdbi.v3.core.statement.SqlLogger;
import org.jdbi.v3.core.statement.StatementContext;

/** Observes statements before they are executed. */
public record StatementObserver(Consumer<StatementContext> observer) implements SqlLogger {

  public static StatementObserver counting(AtomicInteger statements) {
    return new StatementObserver(context -> statements.incrementAndGet());
  }

  @Override
  public void logBeforeExecution(StatementContext context) {
    observer.accept(context);
  }
}
