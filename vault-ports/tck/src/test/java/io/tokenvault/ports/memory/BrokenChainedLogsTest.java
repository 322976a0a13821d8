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

/** Tests that the contract suites of the hash-chained log detect faulty adapters. */
final class BrokenChainedLogsTest {

  /** The adapter under test; only one suite runs at a time. */
  private static Function<MemoryStorage, InMemoryChainedLog> adapterUnderTest;

  private static Arguments broken(
      Class<?> suite, String law, Function<MemoryStorage, InMemoryChainedLog> adapter) {
    return Arguments.of(suite, law, adapter);
  }

  static Stream<Arguments> adaptersThatBreakALaw() {
    return Stream.of(
        broken(
            HashChains.class,
            "everyEntryIsChainedOnceInTenantOrder",
            memory ->
                new InMemoryChainedLog(memory) {
                  private int rounds;

                  @Override
                  List<StoredEntry> findUnchained(int limit) {
                    rounds++;
                    return rounds == 3
                        ? memory.log.stream().map(InMemoryChainedLog::stored).toList()
                        : super.findUnchained(limit);
                  }
                }),
        broken(
            HashChains.class,
            "roundRespectsLimitAndNextRoundContinues",
            memory ->
                new InMemoryChainedLog(memory) {
                  @Override
                  List<StoredEntry> findUnchained(int limit) {
                    return super.findUnchained(Integer.MAX_VALUE);
                  }
                }),
        broken(
            HashChains.class,
            "whileOneChainsAnotherDoesNot",
            memory ->
                new InMemoryChainedLog(memory) {
                  @Override
                  public OptionalInt extend(int limit, Linker work) {
                    return OptionalInt.of(super.extend(limit, work).orElse(0));
                  }
                }),
        broken(
            Feed.class,
            "entriesAfterLastPositionAreNotRead",
            memory ->
                new InMemoryChainedLog(memory) {
                  @Override
                  public Batch read(
                      Selection selection, FeedPosition after, FeedPosition last, int limit) {
                    return super.read(selection, after, end(), limit);
                  }
                }),
        broken(
            Feed.class,
            "readerAdvancesOnlyFromItsCurrentPosition",
            memory ->
                new InMemoryChainedLog(memory) {
                  @Override
                  public boolean advance(String reader, FeedPosition from, FeedPosition to) {
                    return super.advance(reader, progress(reader), to);
                  }
                }),
        broken(
            Months.class,
            "unfinishedOrMissingMonthIsNotDropped",
            memory ->
                new InMemoryChainedLog(memory) {
                  @Override
                  public YearMonth current() {
                    return super.current().plusMonths(1);
                  }
                }),
        broken(
            Months.class,
            "dropRemovesOnlyThatMonthAndRecordsEntryPerTenant",
            memory ->
                new InMemoryChainedLog(memory) {
                  @Override
                  public long drop(
                      YearMonth month, Drop drop, Function<TenantId, AuditEntry> entry) {
                    int before = memory.log.size();
                    long count = super.drop(month, drop, entry);
                    memory.log.subList((int) (before - count), memory.log.size()).clear();
                    return count;
                  }
                }));
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
    adapterUnderTest = adapter;
    return run(suite);
  }

  /** Runs a suite, some of whose tests must pass. */
  static TestExecutionSummary run(Class<?> suite) {
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request().selectors(selectClass(suite)).build(),
            listener);
    assertThat(listener.getSummary().getTestsSucceededCount()).isPositive();
    return listener.getSummary();
  }

  private interface LogUnderTest extends ChainedLogFixture.Source {
    @Override
    default ChainedLogFixture openFixture() {
      return new InMemoryChainedLogFixture(adapterUnderTest);
    }
  }

  static final class HashChains extends HashChainStoreContract implements LogUnderTest {}

  static final class Feed extends LogFeedContract implements LogUnderTest {}

  static final class Months extends LogMonthsContract implements LogUnderTest {}
}
