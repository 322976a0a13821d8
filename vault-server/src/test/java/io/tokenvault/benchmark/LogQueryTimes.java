package io.tokenvault.benchmark;

import io.tokenvault.benchmark.program.ApiClient;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures the latency of queries of the audit log, sent one after the other. Reports the 10th
 * percentile, since other load on the machine only adds to the latency.
 */
final class LogQueryTimes {

  private static final int WARM_UP = 30;
  private static final int MEASURED = 200;
  private static final Map<String, String> QUERIES = queries();
  private static final List<String> DEEP_QUERIES = List.of("no filter", "entity_type", "entity_id");

  private final Map<String, Samples> times = new LinkedHashMap<>();

  private static Map<String, String> queries() {
    LocalDate firstOfMonth = LocalDate.now(ZoneOffset.UTC).withDayOfMonth(1);
    String dates = "&start_date=" + firstOfMonth.minusMonths(1) + "&end_date=" + firstOfMonth;
    Map<String, String> queries = new LinkedHashMap<>();
    queries.put("no filter", "");
    queries.put("entity_type", "&entity_type=proxy");
    queries.put("rare entity_type", "&entity_type=bank");
    queries.put("absent entity_type", "&entity_type=employer_id_number");
    queries.put("entity_id", "&entity_id=bulk-7");
    queries.put("absent entity_id", "&entity_id=nobody");
    queries.put("type and id", "&entity_type=proxy&entity_id=bulk-7");
    queries.put("type and id, none", "&entity_type=bank&entity_id=bulk-7");
    queries.put("dates", dates);
    queries.put("dates, type, id", dates + "&entity_type=token&entity_id=bulk-7");
    return queries;
  }

  static LogQueryTimes measure(ApiClient api) {
    LogQueryTimes times = new LogQueryTimes();
    QUERIES.forEach((name, query) -> times.measure(api, name, "/logs?start=" + query));
    times.measureCursor(api);
    times.measureDeepCursor(api);
    return times;
  }

  private void measure(ApiClient api, String name, String path) {
    for (int i = 0; i < WARM_UP; i++) {
      api.get(path);
    }
    for (int i = 0; i < MEASURED; i++) {
      long start = System.nanoTime();
      api.get(path);
      add(name, start);
    }
  }

  /** Follows the cursor from page to page. */
  private void measureCursor(ApiClient api) {
    String next = "";
    for (int i = 0; i < MEASURED; i++) {
      long start = System.nanoTime();
      next = api.get("/logs?start=" + next).path("pagination").path("next").asText();
      add("page by cursor", start);
    }
  }

  /** Repeats queries from a cursor in the middle of the previous month. */
  private void measureDeepCursor(ApiClient api) {
    LocalDate middle = LocalDate.now(ZoneOffset.UTC).withDayOfMonth(15).minusMonths(1);
    String cursor =
        api.get("/logs?start=&end_date=" + middle).path("pagination").path("next").asText();
    for (String name : DEEP_QUERIES) {
      measure(api, "deep cursor, " + name, "/logs?start=" + cursor + QUERIES.get(name));
    }
  }

  private void add(String name, long start) {
    times.computeIfAbsent(name, unused -> new Samples()).add((System.nanoTime() - start) / 1e6);
  }

  void reportComparedTo(Report report, LogQueryTimes few) {
    report.line("  %-24s %10s %10s %8s", "GET /logs, ms", "few rows", "many rows", "ratio");
    times.forEach(
        (name, many) -> {
          double small = few.times.get(name).tenthPercentile();
          double large = many.tenthPercentile();
          report.line("  %-24s %10.2f %10.2f %8.2f", name, small, large, large / small);
        });
  }
}
