package io.tokenvault.adapters.jdbi.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.tokenvault.adapters.jdbi.ConcurrentCallers;
import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.adapters.jdbi.LockedTable;
import io.tokenvault.adapters.jdbi.StatementObserver;
import io.tokenvault.adapters.jdbi.TestDatabase;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings.Limits;
import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.audit.AuditRecorder.Outcome;
import io.tokenvault.ports.contract.Eventually;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.store.Preconditions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests batches of audit entries from concurrent calls. */
final class GroupCommitTest {

  private static final int CALLS = 60;

  /** Long enough that calls waiting for a lock do not fail before all calls have started. */
  private static final Limits LIMITS =
      new Limits(Duration.ofSeconds(5), Duration.ofSeconds(60), Duration.ofSeconds(60));

  private static final TestDatabase DATABASE = TestDatabase.migrated();

  @AutoClose private JdbiStores stores;
  private TenantId tenant;
  private Application application;
  @AutoClose private final ConcurrentCallers callers = new ConcurrentCallers(CALLS);

  @BeforeEach
  void open() {
    stores = DATABASE.stores(LIMITS, 4);
    tenant = TestDatabase.newTenant(stores);
    application = stores.applications().create(Samples.application(tenant), Samples.entry(tenant));
  }

  private Preconditions current() {
    return Preconditions.none(tenant).with(application);
  }

  private Preconditions stale() {
    return Samples.preconditions(tenant, application.id(), application.version() + 1);
  }

  private AuditEntry entry(String message) {
    return Samples.entry(tenant, message);
  }

  private Outcome record(Preconditions preconditions, AuditEntry... entries) {
    return stores.recorder().record(List.of(entries), preconditions);
  }

  private List<String> messages() {
    return TestDatabase.messages(stores, tenant);
  }

  private List<Object> callAll(IntFunction<Outcome> call) throws Exception {
    return callers.callWhileLocked(DATABASE, "audit_entry", call);
  }

  private static boolean isUnavailable(Object response) {
    return response instanceof RefusedException refused
        && refused.failure() == FailureCause.STORE_UNAVAILABLE;
  }

  @Test
  void concurrentCallsShareStatements() throws Exception {
    AtomicInteger statements = new AtomicInteger();
    stores.observe(StatementObserver.counting(statements));

    List<Object> responses = callAll(i -> record(current(), entry("call " + i)));

    assertThat(responses).containsOnly(Outcome.RECORDED);
    assertThat(statements.get()).isLessThan(CALLS / 2);
    assertThat(messages())
        .contains(IntStream.range(0, CALLS).mapToObj(i -> "call " + i).toArray(String[]::new));
  }

  @Test
  void staleCallsAreExcludedFromBatch() throws Exception {
    List<Object> responses =
        callAll(
            i ->
                record(
                    i % 3 == 0 ? stale() : current(), entry("call " + i), entry("more of " + i)));

    for (int i = 0; i < CALLS; i++) {
      assertThat(responses.get(i)).isEqualTo(i % 3 == 0 ? Outcome.STALE : Outcome.RECORDED);
      assertThat(messages().contains("call " + i)).isEqualTo(i % 3 != 0);
      assertThat(messages().contains("more of " + i)).isEqualTo(i % 3 != 0);
    }
  }

  /** Uses NUL, which PostgreSQL cannot store in a string. */
  @Test
  void unwritableRowFailsAlone() throws Exception {
    List<Object> responses =
        callAll(
            i ->
                record(
                    current(),
                    Samples.entry(tenant, EntityType.TENANT, i == 7 ? "\0" : "x", "call " + i)));

    for (int i = 0; i < CALLS; i++) {
      if (i == 7) {
        assertThat(responses.get(i)).isInstanceOf(RuntimeException.class);
      } else {
        assertThat(responses.get(i)).isEqualTo(Outcome.RECORDED);
      }
    }
    assertThat(messages()).filteredOn(each -> each.startsWith("call")).hasSize(CALLS - 1);
  }

  /** Breaks the connection while a lock keeps the batch from committing. */
  @Test
  void brokenConnectionFailsItsWholeBatchWithoutRetry() throws Exception {
    List<Future<Object>> futures;
    try (LockedTable locked = LockedTable.exclusive(DATABASE, "audit_entry")) {
      assertThat(locked).isNotNull();
      futures = callers.submit(i -> record(current(), entry("cut " + i)));
      Eventually.holds("a waiting batch is terminated", GroupCommitTest::terminateWaitingBatch);
    }
    List<Object> responses = ConcurrentCallers.results(futures);

    assertThat(responses).anyMatch(GroupCommitTest::isUnavailable);
    assertThat(responses)
        .allMatch(
            each -> each == Outcome.RECORDED || isUnavailable(each), "recorded or unavailable");
    List<String> messages = messages();
    for (int i = 0; i < CALLS; i++) {
      boolean recorded = responses.get(i) == Outcome.RECORDED;
      assertThat(messages.contains("cut " + i)).as("call %d", i).isEqualTo(recorded);
    }
  }

  /** Runs as the role that writes the batch, since other roles cannot see its wait events. */
  private static boolean terminateWaitingBatch() {
    String sql =
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND usename = current_user
          AND wait_event_type = 'Lock'
        """;
    try {
      return DATABASE.asRuntime(sql).contains("t");
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }

  @Test
  void entryQueuedTooLongIsUnavailableAndNeverWritten() throws Exception {
    Limits shortLimits =
        new Limits(Duration.ofSeconds(5), Duration.ofSeconds(1), Duration.ofMillis(250));
    List<Object> responses;
    try (JdbiStores limited = DATABASE.stores(shortLimits, 4)) {
      AuditRecorder recorder = limited.recorder();
      try (LockedTable locked = LockedTable.exclusive(DATABASE, "audit_entry")) {
        assertThat(locked).isNotNull();
        responses =
            ConcurrentCallers.results(
                callers.submit(i -> recorder.record(List.of(entry("late " + i)), current())));
      }
    }

    assertThat(responses).allMatch(GroupCommitTest::isUnavailable);
    assertThat(messages()).noneMatch(each -> each.startsWith("late"));
  }

  @Test
  void unawaitedEntriesAreWrittenBeforeClose() {
    for (int i = 0; i < CALLS; i++) {
      assertThat(stores.recorder().recordSoon(List.of(entry("soon " + i)))).isTrue();
    }

    stores.close();
    stores = DATABASE.stores(LIMITS, 4);

    assertThat(messages()).filteredOn(each -> each.startsWith("soon")).hasSize(CALLS);
  }

  @Test
  void closedRecorderAcceptsNothing() {
    AuditRecorder recorder = stores.recorder();
    stores.close();

    assertThat(recorder.recordSoon(List.of(entry("too late")))).isFalse();
    assertThat(catchThrowable(() -> recorder.record(List.of(entry("too late")), current())))
        .isInstanceOf(RefusedException.class);
  }
}
