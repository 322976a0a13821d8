package io.tokenvault.ports.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.integrity.StoredEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.FeedPosition;
import io.tokenvault.ports.contract.audit.ChainedLogFixture;
import io.tokenvault.ports.contract.audit.HashChainStoreContract;
import io.tokenvault.ports.contract.audit.LogFeedContract;
import io.tokenvault.ports.contract.audit.LogMonthsContract;
import java.time.YearMonth;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** The suites over the sealed log notice adapters that break a law. */
final class BrokenChainedLogsTest {

  /** What the suites are run on; one at a time. */
  private static Function<MemoryStorage, InMemoryChainedLog> planted;

  private static Arguments broken(
      Class<?> suite, String law, Function<MemoryStorage, InMemoryChainedLog> adapter) {
    return Arguments.of(suite, law, adapter);
  }

  static Stream<Arguments> adaptersThatBreakALaw() {
    return Stream.of(
        broken(Seals.class, "everyEntryIsChainedOnceInTenantOrder", ChainingAgain::new),
        broken(Seals.class, "roundRespectsLimitAndNextRoundContinues", ChainingAll::new),
        broken(Seals.class, "whileOneChainsAnotherDoesNot", HidingTheOther::new),
        broken(Feed.class, "entriesAfterLastPositionAreNotRead", ReadingTooFar::new),
        broken(Feed.class, "readerAdvancesOnlyFromItsCurrentPosition", AdvancingAlways::new),
        broken(Months.class, "unfinishedOrMissingMonthIsNotDropped", DroppingTheCurrent::new),
        broken(
            Months.class,
            "dropRemovesOnlyThatMonthAndRecordsEntryPerTenant",
            DroppingSilently::new));
  }

  @ParameterizedTest
  @MethodSource("adaptersThatBreakALaw")
  void adapterThatViolatesContractFailsItsSuite(
      Class<?> suite, String law, Function<MemoryStorage, InMemoryChainedLog> adapter) {
    TestExecutionSummary broken = run(suite, adapter);

    assertThat(broken.getFailures())
        .extracting(failure -> failure.getTestIdentifier().getDisplayName())
        .contains(law + "()");
    assertThat(run(suite, InMemoryChainedLog::new).getFailures()).isEmpty();
  }

  private static TestExecutionSummary run(
      Class<?> suite, Function<MemoryStorage, InMemoryChainedLog> adapter) {
    planted = adapter;
    SummaryGeneratingListener heard = new SummaryGeneratingListener();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request().selectors(selectClass(suite)).build(), heard);
    assertThat(heard.getSummary().getTestsSucceededCount()).isPositive();
    return heard.getSummary();
  }

  private interface Planted extends ChainedLogFixture.Source {
    @Override
    default ChainedLogFixture openFixture() {
      return new InMemoryChainedLogFixture(planted);
    }
  }

  static final class Seals extends HashChainStoreContract implements Planted {}

  static final class Feed extends LogFeedContract implements Planted {}

  static final class Months extends LogMonthsContract implements Planted {}

  private static final class ChainingAgain extends InMemoryChainedLog {

    private final MemoryStorage memory;
    private int rounds;

    ChainingAgain(MemoryStorage memory) {
      super(memory);
      this.memory = memory;
    }

    @Override
    List<StoredEntry> unsealed(int limit) {
      rounds++;
      return rounds == 3
          ? memory.log.stream().map(InMemoryChainedLog::stored).toList()
          : super.unsealed(limit);
    }
  }

  private static final class ChainingAll extends InMemoryChainedLog {

    ChainingAll(MemoryStorage memory) {
      super(memory);
    }

    @Override
    List<StoredEntry> unsealed(int limit) {
      return super.unsealed(Integer.MAX_VALUE);
    }
  }

  private static final class HidingTheOther extends InMemoryChainedLog {

    HidingTheOther(MemoryStorage memory) {
      super(memory);
    }

    @Override
    public OptionalInt extend(int limit, Sealing work) {
      OptionalInt sealed = super.extend(limit, work);
      return sealed.isPresent() ? sealed : OptionalInt.of(0);
    }
  }

  private static final class ReadingTooFar extends InMemoryChainedLog {

    ReadingTooFar(MemoryStorage memory) {
      super(memory);
    }

    @Override
    public Batch read(Selection selection, FeedPosition after, FeedPosition last, int limit) {
      return super.read(selection, after, end(), limit);
    }
  }

  private static final class AdvancingAlways extends InMemoryChainedLog {

    AdvancingAlways(MemoryStorage memory) {
      super(memory);
    }

    @Override
    public boolean advance(String reader, FeedPosition from, FeedPosition to) {
      return super.advance(reader, progress(reader), to);
    }
  }

  private static final class DroppingTheCurrent extends InMemoryChainedLog {

    DroppingTheCurrent(MemoryStorage memory) {
      super(memory);
    }

    @Override
    public YearMonth current() {
      return super.current().plusMonths(1);
    }
  }

  private static final class DroppingSilently extends InMemoryChainedLog {

    private final MemoryStorage memory;

    DroppingSilently(MemoryStorage memory) {
      super(memory);
      this.memory = memory;
    }

    @Override
    public long drop(YearMonth month, Drop drop, Function<TenantId, AuditEntry> entry) {
      int before = memory.log.size();
      long count = super.drop(month, drop, entry);
      memory.log.subList((int) (before - count), memory.log.size()).clear();
      return count;
    }
  }
}
