package io.tokenvault.adapters.jdbi.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.adapters.jdbi.TestDatabase;
import io.tokenvault.adapters.jdbi.audit.chain.JdbiChainedLogFixture;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.FeedEntry;
import io.tokenvault.ports.audit.FeedPosition;
import io.tokenvault.ports.audit.LogFeed;
import io.tokenvault.ports.audit.LogFeed.Batch;
import io.tokenvault.ports.audit.LogFeed.Selection;
import io.tokenvault.ports.contract.audit.ChainedLogContract;
import io.tokenvault.ports.contract.audit.ChainedLogFixture;
import io.tokenvault.ports.usecase.audit.ExportLog;
import io.tokenvault.ports.usecase.audit.ExportLog.Exported;
import io.tokenvault.ports.usecase.audit.StreamLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests the log feed: entries in the order of the chain links, each once, from any position. */
final class JdbiLogFeedTest extends ChainedLogContract {

  private final JdbiChainedLogFixture log = JdbiChainedLogFixture.onNewDatabase();
  private final TestDatabase database = log.database();
  private final JdbiStores stores = log.stores();
  private final LogFeed feed = stores.logFeed();

  @Override
  public ChainedLogFixture openFixture() {
    return log;
  }

  private void recordAndChain(TenantId id, String... messages) {
    record(id, messages);
    chainAll();
  }

  private static Selection of(TenantId id) {
    return new Selection(Optional.of(id), Optional.empty(), Optional.empty());
  }

  private List<String> messages(TenantId id) {
    return TestDatabase.messages(stores, id);
  }

  @Test
  void chainLinksOfOtherTenantsAreSkipped() {
    recordAndChain(tenant, "first");
    database.asOwner(
        "INSERT INTO audit_seal (tenant_id, number, times, sequences, head, mac, mac_key)"
            + " SELECT '%s', i, '{2024-01-01Z}', '{1}', sha256(''), '\\x00', 1".formatted(other)
            + " FROM generate_series(1, 450) i");
    recordAndChain(tenant, "last");
    assertThat(texts(walk(of(tenant), FeedPosition.START, 10))).containsExactly("first", "last");
  }

  @Test
  void positionIsFoundByTime() {
    recordAndChain(tenant, "before");
    FeedPosition end = feed.end();
    database.asOwner("ALTER TABLE audit_seal DISABLE TRIGGER audit_seal_is_final");
    database.asOwner("UPDATE audit_seal SET sealed_at = '2024-01-01Z'");
    recordAndChain(tenant, "after");
    assertThat(texts(walk(Selection.all(), feed.before(Instant.now()), 10)))
        .containsExactly("after");
    assertThat(feed.before(Instant.parse("2023-01-01T00:00:00Z"))).isLessThan(end);
    assertThat(feed.before(Instant.parse("2100-01-01T00:00:00Z"))).isEqualTo(feed.end());
  }

  @Test
  void deletedChainedEntriesAreCountedAsMissing() {
    recordAndChain(tenant, "stays", "goes");
    database.asOwner(
        "ALTER TABLE audit_entry DISABLE TRIGGER USER;"
            + " DELETE FROM audit_entry WHERE message = 'goes'");
    Batch batch = feed.read(Selection.all(), FeedPosition.START, feed.end(), 10);
    assertThat(texts(batch.entries())).containsExactly("stays");
    assertThat(batch.missing()).isEqualTo(1);
  }

  @Test
  void streamSendsEachEntryOnceAndRepeatsOnlyRejectedOnes() {
    List<FeedEntry> received = new ArrayList<>();
    StreamLog stream = new StreamLog(feed, "test", received::addAll);
    recordAndChain(tenant, IntStream.range(0, 30).mapToObj(i -> "m" + i).toArray(String[]::new));
    assertThat(stream.run().entries()).isEqualTo(30);
    recordAndChain(other, "later");
    StreamLog failing =
        new StreamLog(
            feed,
            "test",
            entries -> {
              throw new UncheckedIOException(new IOException("the sink failed"));
            });
    assertThatThrownBy(failing::run).isInstanceOf(UncheckedIOException.class);
    assertThat(new StreamLog(stores.logFeed(), "test", received::addAll).run().entries())
        .isEqualTo(1);
    assertThat(stream.run().entries()).isZero();
    assertThat(received).isEqualTo(walk(Selection.all(), FeedPosition.START, 100));
  }

  @Test
  void exportIsRecordedForEachTenantBeforeItsEntriesAreSent() {
    recordAndChain(tenant, "one", "two");
    recordAndChain(other, "three");
    ExportLog export = new ExportLog(feed, stores.recorder());
    List<FeedEntry> received = new ArrayList<>();
    Exported exported =
        export.run(
            of(tenant),
            FeedPosition.START,
            entries -> {
              assertThat(messages(tenant)).startsWith("Log exported");
              received.addAll(entries);
            });
    assertThat(texts(received)).containsExactly("one", "two");
    assertThat(exported.entries()).isEqualTo(2);
    assertThat(messages(tenant)).containsOnlyOnce("Log exported");
    assertThat(messages(other)).containsExactly("three");
    assertThatThrownBy(
            () ->
                export.run(Selection.all(), new FeedPosition(Long.MAX_VALUE, 1), received::addAll))
        .isInstanceOf(ValidationException.class);
  }

  @Test
  void unrecordedExportSendsNothing() {
    recordAndChain(tenant, "one");
    database.asOwner("REVOKE INSERT ON audit_entry FROM vault_runtime");
    List<FeedEntry> received = new ArrayList<>();
    assertThatThrownBy(
            () -> new ExportLog(feed, stores.recorder()).run(Selection.all(), received::addAll))
        .isInstanceOf(RuntimeException.class);
    assertThat(received).isEmpty();
  }
}
