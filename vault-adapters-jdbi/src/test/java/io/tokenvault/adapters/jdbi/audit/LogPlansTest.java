package io.tokenvault.adapters.jdbi.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.adapters.jdbi.StatementObserver;
import io.tokenvault.adapters.jdbi.TestDatabase;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.LogFilter;
import io.tokenvault.ports.audit.LogPosition;
import io.tokenvault.ports.contract.Samples;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Asserts that walking the log reads few more entries than it returns, regardless of the filter and
 * the number of matches. The log has 40,000 entries over three months, a tenth of them of another
 * tenant; a third are of type token; other types and entities are frequent, occasional or rare.
 */
final class LogPlansTest {

  private static final TestDatabase DATABASE = TestDatabase.migrated();
  private static final TenantId TENANT = Samples.tenantId();
  private static final AtomicReference<String> STATEMENT = new AtomicReference<>("");
  private static final int PAGE_SIZE = 20;
  private static final int PARTITIONS = 7;

  /** Pages read to find a position in an index, with some margin. */
  private static final int SEEK_PAGES = 5;

  /** Index searches for the types of an entity, including the empty type and the last search. */
  private static final int TYPE_SEARCHES = 5;

  private static final Pattern ROWS =
      Pattern.compile("(?:Seq|Index|Only|Heap) Scan.*actual.*rows=([0-9.]+) loops=([0-9]+)");
  private static final Pattern REMOVED = Pattern.compile("Removed by .*: ([0-9]+)");
  private static final Pattern BUFFERS = Pattern.compile("shared hit=([0-9]+)(?: read=([0-9]+))?");

  @AutoClose private static JdbiStores stores;

  @BeforeAll
  static void fill() {
    stores = DATABASE.stores();
    for (String month : List.of("2024-01-01Z", "2024-02-01Z", "2024-03-01Z")) {
      DATABASE.insertEntry(TENANT, month, "first of its month");
    }
    stores.ensurePartitions();
    DATABASE.asOwner(
        """
        INSERT INTO audit_entry (
          tenant_id, created_at, entity_type, entity_id, operation, message)
        SELECT CASE WHEN i %% 10 = 0 THEN '%s'::uuid ELSE '%s'::uuid END,
               '2024-01-01Z'::timestamptz + i * interval '3 min',
               CASE WHEN i %% 4001 = 1 THEN 'bank' WHEN i %% 3 = 0 THEN 'token'
                 WHEN i %% 80 = 1 THEN 'card' ELSE 'proxy' END,
               CASE WHEN i %% 3 = 0 THEN '*' WHEN i %% 4001 = 2 THEN 'rare'
                 WHEN i %% 40 = 1 THEN 'often' ELSE 'busy' END,
               'read', 'm'
        FROM generate_series(1, 40000) i
        """
            .formatted(Samples.tenantId(), TENANT));
    DATABASE.asOwner("ANALYZE audit_entry");
    stores.observe(
        new StatementObserver(
            context -> {
              String statement = context.getStatement().toString();
              STATEMENT.set(statement.substring(statement.indexOf("SELECT")));
            }));
  }

  @ParameterizedTest
  @CsvSource({
    ", , ,",
    "bank, , ,",
    ", busy, ,",
    "token, *, ,",
    "proxy, rare, ,",
    "token, busy, ,",
    "bank, nothing, ,",
    ", often, ,",
    ", often, 2024-01-10T00:00:00Z, 2024-03-11T00:00:00Z",
    ", , 2024-02-10T00:00:00Z, 2024-02-11T00:00:00Z",
    "proxy, often, , 2024-01-31T00:00:00Z",
    "bank, , 2024-02-10T00:00:00Z,",
    ", *, 2024-01-10T00:00:00Z, 2024-02-11T00:00:00Z",
  })
  void readsAreBoundedByPageSize(String type, String id, Instant from, Instant until) {
    LogFilter filter =
        new LogFilter(
            Optional.ofNullable(type),
            Optional.ofNullable(id),
            Optional.ofNullable(from),
            Optional.ofNullable(until));
    for (Optional<LogPosition> after :
        List.of(
            Optional.<LogPosition>empty(),
            Optional.of(new LogPosition(Instant.parse("2024-02-20T00:00:00Z"), 7)),
            Optional.of(new LogPosition(Instant.parse("2024-01-03T00:00:00Z"), 7)))) {
      stores.auditLog().walk(TENANT, filter, after, PAGE_SIZE);
      List<String> plan = DATABASE.asOwner("EXPLAIN (ANALYZE, BUFFERS) " + STATEMENT.get());
      assertThat(rowsRead(plan))
          .as("%s", String.join("\n", plan))
          .isLessThanOrEqualTo(PAGE_SIZE * PARTITIONS);
      assertThat(pagesRead(plan))
          .as("%s", String.join("\n", plan))
          .isLessThanOrEqualTo(
              (PAGE_SIZE + SEEK_PAGES * PARTITIONS)
                  * (type == null && id != null ? TYPE_SEARCHES : 1));
    }
  }

  @ParameterizedTest
  @Tag("long")
  @CsvSource({
    "proxy, , ,",
    "nothing, , ,",
    ", rare, ,",
    ", nothing, ,",
    ", *, ,",
    "proxy, *, ,",
    "bank, *, ,",
    "proxy, busy, ,",
    "bank, busy, ,",
    "token, busy, 2024-01-10T00:00:00Z, 2024-03-11T00:00:00Z",
    "token, often, ,",
    ", , , 2024-01-31T00:00:00Z",
    "token, , 2024-01-10T00:00:00Z, 2024-03-11T00:00:00Z",
    ", rare, , 2024-03-01T00:00:00Z",
  })
  void readsAreBoundedByPageSizeWithOtherFilters(
      String type, String id, Instant from, Instant until) {
    readsAreBoundedByPageSize(type, id, from, until);
  }

  /** Returns the number of rows read; plans report rows per loop. */
  private static double rowsRead(List<String> plan) {
    double rowsRead = 0;
    double loops = 1;
    for (String line : plan) {
      Matcher rows = ROWS.matcher(line);
      Matcher removed = REMOVED.matcher(line);
      if (rows.find()) {
        loops = Double.parseDouble(rows.group(2));
        rowsRead += loops * Double.parseDouble(rows.group(1));
      } else if (removed.find()) {
        rowsRead += loops * Double.parseDouble(removed.group(1));
      }
    }
    return rowsRead;
  }

  /** Returns the number of table and index pages read; the first line has the total. */
  private static int pagesRead(List<String> plan) {
    Matcher buffers = BUFFERS.matcher(String.join("\n", plan));
    return buffers.find()
        ? Integer.parseInt(buffers.group(1))
            + (buffers.group(2) == null ? 0 : Integer.parseInt(buffers.group(2)))
        : 0;
  }
}
