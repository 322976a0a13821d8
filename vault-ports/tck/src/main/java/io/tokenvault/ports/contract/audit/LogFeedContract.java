package io.tokenvault.ports.contract.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.FeedEntry;
import io.tokenvault.ports.audit.FeedPosition;
import io.tokenvault.ports.audit.LogFeed;
import io.tokenvault.ports.audit.LogFeed.Batch;
import io.tokenvault.ports.audit.LogFeed.Selection;
import io.tokenvault.ports.contract.Race;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Contract tests for {@link LogFeed}. */
public abstract class LogFeedContract extends ChainedLogContract {

  private static final Instant LONG_AGO = Instant.parse("2024-03-01T00:00:00Z");

  private LogFeed feed() {
    return fixture.feed();
  }

  private void recordAndChain(TenantId id, String... messages) {
    record(id, messages);
    chainAll();
  }

  private static Selection ofTenant(TenantId id) {
    return new Selection(Optional.of(id), Optional.empty(), Optional.empty());
  }

  @Test
  void unchainedEntryIsNotYetInFeed() {
    FeedPosition end = feed().end();
    record(tenant, "fresh");

    assertThat(feed().end()).isEqualTo(end);
    assertThat(walk(ofTenant(tenant), FeedPosition.START, 10)).isEmpty();
  }

  @Test
  void entriesAreReadInChainingOrderRegardlessOfAge() {
    FeedPosition start = feed().end();
    recordAndChain(tenant, "1", "2");
    fixture.plant(other, LONG_AGO, "3");
    chainAll();
    recordAndChain(tenant, "4");

    assertThat(texts(walk(Selection.all(), start, 10))).containsExactly("1", "2", "3", "4");
  }

  @Test
  void readingFromAnyPositionReturnsExactlyTheRest() {
    FeedPosition start = feed().end();
    recordAndChain(tenant, "1", "2", "3");
    recordAndChain(other, "4", "5");
    recordAndChain(tenant, "6");
    List<FeedEntry> all = walk(Selection.all(), start, 100);
    assertThat(texts(all)).containsExactly("1", "2", "3", "4", "5", "6");
    assertThat(all).extracting(FeedEntry::position).isSorted();

    for (int limit = 1; limit <= 4; limit++) {
      for (int i = 0; i < all.size(); i++) {
        assertThat(walk(Selection.all(), all.get(i).position(), limit))
            .isEqualTo(all.subList(i + 1, all.size()));
      }
    }
    assertThat(feed().end()).isEqualTo(all.get(5).position());
  }

  @Test
  void entriesAfterLastPositionAreNotRead() {
    FeedPosition start = feed().end();
    recordAndChain(tenant, "1", "2", "3");
    FeedPosition second = walk(Selection.all(), start, 100).get(1).position();

    Batch batch = feed().read(Selection.all(), start, second, 100);

    assertThat(texts(batch.entries())).containsExactly("1", "2");
    assertThat(batch.reached()).isEqualTo(second);
    assertThat(batch.missing()).isZero();
  }

  @Test
  void eachEntryHasItsChainLinkNumber() {
    recordAndChain(tenant, "1");
    recordAndChain(other, "2");
    recordAndChain(tenant, "3");

    assertThat(walk(ofTenant(tenant), FeedPosition.START, 100))
        .extracting(FeedEntry::chainLink)
        .containsExactly(1L, 2L);
  }

  @Test
  void selectionFiltersByTenantAndTime() {
    FeedPosition start = feed().end();
    fixture.plant(tenant, LONG_AGO, "at the start");
    fixture.plant(tenant, LONG_AGO.plusSeconds(3600), "at the end");
    fixture.plant(other, LONG_AGO.plusSeconds(60), "of another tenant");
    recordAndChain(tenant, "now");

    assertThat(texts(walk(ofTenant(tenant), start, 1)))
        .containsExactlyInAnyOrder("at the start", "at the end", "now");
    Selection anHour =
        new Selection(
            Optional.empty(), Optional.of(LONG_AGO), Optional.of(LONG_AGO.plusSeconds(3600)));
    assertThat(texts(walk(anHour, start, 10)))
        .containsExactlyInAnyOrder("at the start", "of another tenant");
  }

  @Test
  void positionBeforeTimePrecedesAllLaterEntries() {
    recordAndChain(tenant, "1");
    FeedEntry first = walk(ofTenant(tenant), FeedPosition.START, 10).get(0);
    Instant second = first.entry().place().createdAt().plusNanos(1000);
    recordAndChain(tenant, "2");
    recordAndChain(other, "3");

    assertThat(texts(walk(Selection.all(), feed().before(second), 10))).contains("2", "3");
    assertThat(texts(walk(ofTenant(tenant), feed().before(LONG_AGO), 10)))
        .containsExactly("1", "2");
    assertThat(feed().before(second)).isLessThanOrEqualTo(feed().end());
  }

  @Test
  void readerAdvancesOnlyFromItsCurrentPosition() {
    String reader = UUID.randomUUID().toString();
    FeedPosition first = new FeedPosition(3, 2);
    FeedPosition second = new FeedPosition(4, 1);

    assertThat(feed().progress(reader)).isEqualTo(FeedPosition.START);
    assertThat(feed().advance(reader, second, first)).isFalse();
    assertThat(feed().advance(reader, FeedPosition.START, first)).isTrue();
    assertThat(feed().advance(reader, FeedPosition.START, second)).isFalse();
    assertThat(feed().progress(reader)).isEqualTo(first);
    assertThat(feed().advance(reader, first, second)).isTrue();
    assertThat(feed().progress(reader)).isEqualTo(second);
    assertThat(feed().progress(UUID.randomUUID().toString())).isEqualTo(FeedPosition.START);
  }

  @Test
  void oneConcurrentAdvanceSucceeds() {
    String reader = UUID.randomUUID().toString();

    List<Boolean> advanced =
        Race.run(i -> feed().advance(reader, FeedPosition.START, new FeedPosition(i + 1L, 1)));

    assertThat(advanced).filteredOn(each -> each).hasSize(1);
  }

  @Test
  void brokenConnectionReportsUnavailable() {
    fixture.breakConnection();

    assertUnavailable(() -> feed().end());
    assertUnavailable(() -> feed().before(LONG_AGO));
    assertUnavailable(
        () -> feed().read(Selection.all(), FeedPosition.START, new FeedPosition(9, 9), 1));
    assertUnavailable(() -> feed().progress("any"));
    assertUnavailable(() -> feed().advance("any", FeedPosition.START, new FeedPosition(1, 1)));
  }
}
