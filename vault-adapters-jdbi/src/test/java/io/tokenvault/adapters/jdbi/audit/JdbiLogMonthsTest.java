package io.tokenvault.adapters.jdbi.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.adapters.jdbi.TestDatabase;
import io.tokenvault.adapters.jdbi.audit.chain.JdbiChainedLogFixture;
import io.tokenvault.domain.audit.integrity.LogEncoding;
import io.tokenvault.domain.audit.integrity.LogTag;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.FeedPosition;
import io.tokenvault.ports.audit.LogFeed;
import io.tokenvault.ports.audit.LogFeed.Batch;
import io.tokenvault.ports.audit.LogFeed.Selection;
import io.tokenvault.ports.audit.LogMonths.RefusedDropException;
import io.tokenvault.ports.audit.LogMonths.State;
import io.tokenvault.ports.contract.audit.ChainedLogContract;
import io.tokenvault.ports.contract.audit.ChainedLogFixture;
import io.tokenvault.ports.crypto.LogKeys;
import io.tokenvault.ports.memory.SmallLogKeys;
import io.tokenvault.ports.usecase.audit.DropLogPartitions;
import io.tokenvault.ports.usecase.audit.StreamLog;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Instant;
import java.time.YearMonth;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that old months of the log are dropped only when chained, and that drops are recorded. */
final class JdbiLogMonthsTest extends ChainedLogContract {

  private static final YearMonth OLD = YearMonth.of(2024, 1);
  private static final YearMonth NEXT = YearMonth.of(2024, 2);

  private final JdbiChainedLogFixture log = JdbiChainedLogFixture.onNewDatabase();
  private final TestDatabase database = log.database();
  private final JdbiStores stores = log.stores();
  private final LogKeys keys = new SmallLogKeys();
  private final DropLogPartitions months = new DropLogPartitions(stores.logMonths(), keys);

  @Override
  public ChainedLogFixture openFixture() {
    return log;
  }

  @BeforeEach
  void fillTwoOldMonths() {
    database.insertEntry(tenant, "2024-01-01T00:00:00Z", "first");
    database.insertEntry(tenant, "2024-01-31T23:59:59.999999Z", "second");
    database.insertEntry(other, "2024-01-15T00:00:00Z", "third");
    database.insertEntry(tenant, "2024-02-01T00:00:00Z", "fourth");
    stores.ensurePartitions();
  }

  private List<String> messages(TenantId id) {
    return TestDatabase.messages(stores, id);
  }

  private List<String> drops() {
    return database.asOwner("SELECT month || ' ' || entries FROM audit_drop ORDER BY 1");
  }

  @Test
  void earlierMonthsAreListedWithTheirState() {
    assertThat(months.before(NEXT)).containsExactly(new State(OLD, 3, false, true));
    chainAll();
    assertThat(months.before(YearMonth.of(2024, 3)))
        .containsExactly(new State(OLD, 3, true, true), new State(NEXT, 1, true, true));
    assertThat(months.before(OLD)).isEmpty();
    YearMonth now = stores.logMonths().current();
    assertThat(months.before(now)).hasSize(2);
    assertThatThrownBy(() -> months.before(now.plusMonths(1)))
        .isInstanceOf(RefusedDropException.class);
  }

  @Test
  void monthIsDroppedWithAuthenticRecordAndEntryPerTenant() {
    chainAll();
    assertThat(months.drop(OLD)).isEqualTo(3);
    assertThat(messages(tenant)).containsExactly("Log of 2024-01 dropped", "fourth");
    assertThat(messages(other)).containsExactly("Log of 2024-01 dropped");
    assertThat(drops()).containsExactly("2024-01-01 3");
    Instant time =
        Instant.parse(
            database
                .asOwner(
                    "SELECT to_char(dropped_at AT TIME ZONE 'UTC',"
                        + " 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"') FROM audit_drop")
                .get(0));
    byte[] mac =
        HexFormat.of()
            .parseHex(database.asOwner("SELECT encode(mac, 'hex') FROM audit_drop").get(0));
    int key = Integer.parseInt(database.asOwner("SELECT mac_key FROM audit_drop").get(0));
    assertThat(
            keys.confirms(LogKeys.Use.DROP, LogEncoding.drop(OLD, 3, time), new LogTag(key, mac)))
        .isTrue();
    assertThat(database.asOwner("SELECT to_regclass('audit_entry_2024_01')")).containsOnlyNulls();
  }

  @Test
  void monthWithoutDropEntryOrChainedEntryIsNotDropped() {
    chainAll();
    database.asOwner(
        """
        CREATE FUNCTION refuse_entry() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = 'disk_full'; END $$;
        CREATE TRIGGER refused BEFORE INSERT ON audit_entry
          FOR EACH ROW EXECUTE FUNCTION refuse_entry()
        """);
    assertThatThrownBy(() -> months.drop(OLD)).isInstanceOf(RefusedException.class);
    assertThat(drops()).isEmpty();
    assertThat(messages(other)).containsExactly("third");
    database.asOwner(
        "ALTER TABLE audit_entry DISABLE TRIGGER USER;"
            + " DELETE FROM audit_entry WHERE message = 'second'");
    assertNotDropped(OLD, "hash chain");
  }

  private void assertNotDropped(YearMonth month, String reason) {
    List<String> before = messages(tenant);
    assertThatThrownBy(() -> months.drop(month))
        .isInstanceOf(RefusedDropException.class)
        .hasMessageContaining(month.toString())
        .hasMessageContaining(reason);
    assertThat(messages(tenant)).isEqualTo(before);
    assertThat(drops()).isEmpty();
  }

  @Test
  void incompletelyStreamedMonthIsReported() {
    StreamLog stream = new StreamLog(stores.logFeed(), "test", entries -> {});
    database.insertEntry(tenant, "2024-02-02T00:00:00Z", "fifth");
    chainAll();
    stream.run();
    database.insertEntry(tenant, "2024-01-02T00:00:00Z", "late");
    chainAll();
    assertThat(months.before(YearMonth.of(2024, 3)))
        .containsExactly(new State(OLD, 4, true, false), new State(NEXT, 2, true, true));
    stream.run();
    assertThat(months.before(NEXT)).containsExactly(new State(OLD, 4, true, true));
  }

  @Test
  @Tag("long")
  void openReaderBlocksDropOfMonthButNotWriters() throws Exception {
    chainAll();
    try (Connection reader = database.connect();
        Statement statement = reader.createStatement()) {
      reader.setAutoCommit(false);
      statement.execute("SELECT * FROM audit_entry LIMIT 1");
      assertThatThrownBy(() -> months.drop(OLD)).isInstanceOf(RefusedException.class);
      record(tenant, "concurrent");
    }
    assertThat(drops()).isEmpty();
    assertThat(messages(tenant)).startsWith("concurrent");
    assertThat(months.drop(OLD)).isEqualTo(3);
  }

  @Test
  void entriesAddedToDroppedMonthAreStreamedAndRetained() {
    chainAll();
    months.drop(OLD);
    assertThatThrownBy(() -> months.drop(OLD)).isInstanceOf(RefusedDropException.class);
    assertThat(messages(other)).containsExactly("Log of 2024-01 dropped");
    database.insertEntry(tenant, "2024-01-20T00:00:00Z", "by a wrong clock");
    chainAll();
    LogFeed feed = stores.logFeed();
    Batch batch = feed.read(Selection.all(), FeedPosition.START, feed.end(), 100);
    assertThat(batch.missing()).isZero();
    assertThat(texts(batch.entries())).contains("fourth", "by a wrong clock");
    stores.ensurePartitions();
    assertThatThrownBy(() -> months.drop(OLD))
        .isInstanceOf(RefusedDropException.class)
        .hasMessageContaining("already deleted");
    assertThat(messages(tenant)).contains("by a wrong clock");
  }
}
