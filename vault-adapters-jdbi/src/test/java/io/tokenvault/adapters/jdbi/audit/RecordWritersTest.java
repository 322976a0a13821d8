package io.tokenvault.adapters.jdbi.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.adapters.jdbi.StatementObserver;
import io.tokenvault.adapters.jdbi.TestDatabase;
import io.tokenvault.adapters.jdbi.batch.BatchWriter;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.AuditRecorder.Outcome;
import io.tokenvault.ports.contract.Eventually;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.store.Preconditions;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Tests that the threads that write entries survive unexpected errors. */
final class RecordWritersTest {

  private static final int MORE_THAN_WRITERS = 5;
  private static final TestDatabase DATABASE = TestDatabase.migrated();

  private TenantId tenant;
  private final FailingAppender appender = new FailingAppender();
  private JdbiStores stores;

  @BeforeEach
  void open() {
    stores = DATABASE.stores(TestDatabase.LIMITS, 4);
    tenant = TestDatabase.newTenant(stores);
  }

  @AfterEach
  void close() {
    log().detachAppender(appender);
    stores.close();
  }

  private static Logger log() {
    return (Logger) LoggerFactory.getLogger(BatchWriter.class);
  }

  private Outcome record() {
    return stores.recorder().record(List.of(Samples.entry(tenant)), Preconditions.none(tenant));
  }

  private void beforeStatements(Runnable fault) {
    stores.observe(new StatementObserver(context -> fault.run()));
  }

  @Test
  void statementErrorIsUnavailableAndNextEntriesAreWritten() {
    beforeStatements(
        () -> {
          throw new OutOfMemoryError();
        });
    for (int i = 0; i < MORE_THAN_WRITERS; i++) {
      assertThatExceptionOfType(RefusedException.class)
          .isThrownBy(this::record)
          .satisfies(
              refused -> assertThat(refused.failure()).isEqualTo(FailureCause.STORE_UNAVAILABLE));
    }
    beforeStatements(() -> {});

    assertThat(record()).isEqualTo(Outcome.RECORDED);
  }

  @Test
  void errorWhileLoggingFailureDoesNotStopWriters() {
    appender.start();
    log().addAppender(appender);
    beforeStatements(
        () -> {
          throw new IllegalStateException("a failure");
        });
    for (int i = 0; i < MORE_THAN_WRITERS; i++) {
      stores.recorder().recordSoon(List.of(Samples.entry(tenant)));
      int expected = i + 1;
      Eventually.holds("the failure is logged", () -> appender.failed.get() == expected);
    }
    beforeStatements(() -> {});

    assertThat(record()).isEqualTo(Outcome.RECORDED);
    assertThat(appender.failed.get()).isEqualTo(MORE_THAN_WRITERS);
  }

  /** Throws an {@link OutOfMemoryError} for each event. */
  private static final class FailingAppender extends AppenderBase<ILoggingEvent> {

    private final AtomicInteger failed = new AtomicInteger();

    @Override
    protected void append(ILoggingEvent event) {
      failed.incrementAndGet();
      throw new OutOfMemoryError();
    }
  }
}
