package io.tokenvault.ports.contract.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.audit.integrity.LogTag;
import io.tokenvault.domain.audit.integrity.PartitionDrop;
import io.tokenvault.ports.audit.FeedEntry;
import io.tokenvault.ports.audit.FeedPosition;
import io.tokenvault.ports.audit.LogFeed.Batch;
import io.tokenvault.ports.audit.LogFeed.Selection;
import io.tokenvault.ports.audit.LogMonths;
import io.tokenvault.ports.audit.LogMonths.RefusedDropException;
import io.tokenvault.ports.audit.LogMonths.State;
import io.tokenvault.ports.contract.Samples;
import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Contract tests for {@link LogMonths}, on a fixture with an empty log. */
public abstract class LogMonthsContract extends ChainedLogContract {

  private static final YearMonth OLD = YearMonth.of(2024, 1);
  private static final YearMonth NEXT = YearMonth.of(2024, 2);

  @BeforeEach
  void createEntriesOfTwoPastMonths() {
    fixture.plant(tenant, Instant.parse("2024-01-01T00:00:00Z"), "first");
    fixture.plant(tenant, Instant.parse("2024-01-31T23:59:59.999999Z"), "second");
    fixture.plant(other, Instant.parse("2024-01-15T00:00:00Z"), "third");
    fixture.plant(tenant, Instant.parse("2024-02-01T00:00:00Z"), "fourth");
  }

  private LogMonths months() {
    return fixture.months();
  }

  private long drop(YearMonth month) {
    return drop(month, new ArrayList<>());
  }

  private long drop(YearMonth month, List<Long> counts) {
    return months()
        .drop(
            month,
            (each, entries, droppedAt) -> {
              counts.add(entries);
              return new PartitionDrop(each, entries, droppedAt, new LogTag(1, new byte[32]));
            },
            id -> Samples.entry(id, "dropped"));
  }

  private List<FeedEntry> all() {
    chainAll();
    return walk(Selection.all(), FeedPosition.START, 100);
  }

  @Test
  void monthIsReadyOnceChained() {
    assertThat(months().months()).isSorted().contains(OLD, NEXT);
    assertThat(months().state(OLD)).isEqualTo(new State(OLD, 3, false, true));

    chainAll();

    assertThat(months().state(OLD)).isEqualTo(new State(OLD, 3, true, true));
    assertThat(months().state(NEXT)).isEqualTo(new State(NEXT, 1, true, true));
  }

  @Test
  void dropRemovesOnlyThatMonthAndRecordsEntryPerTenant() {
    chainAll();
    List<Long> counts = new ArrayList<>();

    assertThat(drop(OLD, counts)).isEqualTo(3);

    assertThat(counts).containsExactly(3L);
    List<FeedEntry> remaining = all();
    assertThat(texts(remaining)).containsExactlyInAnyOrder("fourth", "dropped", "dropped");
    assertThat(remaining)
        .filteredOn(each -> text(each.entry()).equals("dropped"))
        .extracting(each -> each.entry().tenantId())
        .containsExactlyInAnyOrder(tenant, other);
    assertThat(months().months()).doesNotContain(OLD).contains(NEXT);
  }

  @Test
  void droppedEntriesAreNotReportedMissing() {
    chainAll();
    drop(OLD);

    Batch batch =
        fixture.feed().read(Selection.all(), FeedPosition.START, fixture.feed().end(), 100);

    assertThat(batch.missing()).isZero();
    assertThat(texts(batch.entries())).containsExactly("fourth");
  }

  @Test
  void monthWithUnchainedEntriesIsNotDropped() {
    assertNotDropped(OLD);
    chainAll();
    fixture.plant(other, Instant.parse("2024-01-16T00:00:00Z"), "late");
    assertNotDropped(OLD);
  }

  @Test
  void unfinishedOrMissingMonthIsNotDropped() {
    record(tenant, "now");
    chainAll();
    YearMonth now = months().current();
    assertThat(all().stream().map(each -> PartitionDrop.monthOf(each.entry().place())))
        .contains(now);

    assertNotDropped(now);
    assertNotDropped(now.plusMonths(1));
    assertNotDropped(YearMonth.of(2020, 1));
  }

  private void assertNotDropped(YearMonth month) {
    assertThatThrownBy(() -> drop(month))
        .isInstanceOf(RefusedDropException.class)
        .hasMessageContaining(month.toString());
    assertThat(texts(all()))
        .contains("first", "second", "third", "fourth")
        .doesNotContain("dropped");
  }

  @Test
  void monthUnreadByReaderIsNotStreamed() {
    chainAll();
    List<FeedEntry> entries = all();
    FeedPosition first = entries.get(0).position();
    assertThat(fixture.feed().advance("behind", FeedPosition.START, first)).isTrue();
    assertThat(months().state(OLD).streamed()).isFalse();

    assertThat(fixture.feed().advance("behind", first, fixture.feed().end())).isTrue();
    assertThat(months().state(OLD).streamed()).isTrue();
  }

  @Test
  void failedDropChangesNothing() {
    chainAll();

    assertThatThrownBy(
            () ->
                months()
                    .drop(
                        OLD,
                        (month, entries, droppedAt) -> {
                          throw new IllegalStateException("on purpose");
                        },
                        id -> Samples.entry(id, "dropped")))
        .hasMessage("on purpose");

    assertThat(texts(all())).contains("first", "second", "third").doesNotContain("dropped");
  }

  @Test
  void brokenConnectionReportsUnavailable() {
    fixture.breakConnection();

    assertUnavailable(() -> months().current());
    assertUnavailable(() -> months().months());
    assertUnavailable(() -> months().state(OLD));
    assertUnavailable(() -> drop(OLD));
  }
}
