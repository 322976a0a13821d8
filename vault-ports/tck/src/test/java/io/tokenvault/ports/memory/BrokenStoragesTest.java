package io.tokenvault.ports.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.LogFilter;
import io.tokenvault.ports.contract.StorageContract;
import io.tokenvault.ports.store.document.Storage;
import io.tokenvault.ports.store.document.Storage.Document;
import io.tokenvault.ports.store.document.Storage.DocumentKey;
import io.tokenvault.ports.store.document.Storage.Selection;
import io.tokenvault.ports.store.document.Storage.Transaction;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Tests that {@link StorageContract} detects faulty storages. */
final class BrokenStoragesTest {

  /** The storage under test; only one suite runs at a time. */
  private static UnaryOperator<Storage> planted;

  /** Replaces a method of a transaction. */
  private interface Fault {
    Object call(Transaction whole, Object[] arguments);
  }

  private static Arguments fault(String law, String method, Fault fault) {
    return broken(law, whole -> new Faulty(whole, method, fault));
  }

  /** Returns a fault that changes the selection of a scan. */
  private static Arguments selecting(String law, UnaryOperator<Selection> change) {
    return fault(law, "scan", (whole, of) -> scan(whole, change.apply((Selection) of[0]), of[1]));
  }

  private static Arguments broken(String law, UnaryOperator<Storage> storage) {
    return Arguments.of(law, storage);
  }

  static Stream<Arguments> storagesThatBreakALaw() {
    return Stream.of(
        broken("failedWorkChangesNothing", CommittingEachChange::new),
        broken("concurrentChangesAreNotLost", CommittingEachChange::new),
        selecting(
            "scanSelectsByKindTenantAndTerm",
            wanted ->
                new Selection(wanted.kind(), Optional.empty(), wanted.term(), wanted.dueBy())),
        selecting(
            "scanSelectsByKindTenantAndTerm",
            wanted ->
                new Selection(wanted.kind(), wanted.tenantId(), Optional.empty(), wanted.dueBy())),
        selecting(
            "scanReturnsDueDocumentsInOrder",
            wanted -> {
              Optional<Instant> earlier = wanted.dueBy().map(time -> time.minusNanos(1));
              return new Selection(wanted.kind(), wanted.tenantId(), wanted.term(), earlier);
            }),
        fault(
            "scansEndWhenTheVisitorReturnsFalse",
            "scan",
            (whole, of) -> {
              Predicate<String> visitor = visitor(of[1]);
              return scan(
                  whole, (Selection) of[0], (Predicate<String>) each -> visitor.test(each) || true);
            }),
        fault(
            "putReplacesBodyTermsAndDueTime",
            "put",
            (whole, of) -> {
              Document document = (Document) of[0];
              whole.put(
                  new Document(document.key(), document.due(), Set.of("old"), document.body()));
              return null;
            }),
        fault(
            "documentIsFoundByItsWholeKey",
            "find",
            (whole, of) -> {
              DocumentKey key = (DocumentKey) of[0];
              return whole.find(
                  new DocumentKey(key.kind(), key.tenantId(), key.id().toLowerCase(Locale.ROOT)));
            }),
        fault(
            "deletionRemovesDocumentAndReportsWhetherItExisted",
            "delete",
            (whole, of) -> whole.delete((DocumentKey) of[0]) || true),
        fault(
            "deletionOfTenantKeepsOtherTenantsAndTheLog",
            "deleteAll",
            (whole, of) -> whole.delete(new DocumentKey("token", (TenantId) of[0], "id"))),
        fault(
            "entriesAreReadLatestFirst",
            "scanLog",
            (whole, of) -> {
              whole.scanLog((TenantId) of[0], (LogFilter) of[1], Optional.empty(), visitor(of[3]));
              return null;
            }),
        fault(
            "entriesAreReadLatestFirst",
            "append",
            (whole, of) -> {
              List<?> entries = (List<?>) of[0];
              whole.append(List.of((AuditEntry) entries.get(0)));
              return null;
            }));
  }

  private static Object scan(Transaction whole, Selection selection, Object visitor) {
    whole.scan(selection, visitor(visitor));
    return null;
  }

  @SuppressWarnings("unchecked")
  private static <T> Predicate<T> visitor(Object argument) {
    return (Predicate<T>) argument;
  }

  @ParameterizedTest
  @MethodSource("storagesThatBreakALaw")
  void storageThatBreaksLawFailsSuite(String law, UnaryOperator<Storage> storage) {
    planted = storage;
    SummaryGeneratingListener heard = new SummaryGeneratingListener();

    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(PlantedStorage.class))
                .build(),
            heard);

    assertThat(heard.getSummary().getTestsSucceededCount()).isPositive();
    assertThat(heard.getSummary().getFailures())
        .extracting(failure -> failure.getTestIdentifier().getDisplayName())
        .contains(law + "()");
    assertThat(heard.getSummary().getFailures())
        .extracting(failure -> failure.getException().getMessage())
        .allMatch(message -> message.startsWith("Law of StorageContract: "));
  }

  static final class PlantedStorage extends StorageContract {

    @Override
    protected Storage openStorage() {
      return planted.apply(new MemoryStorage(InstantSource.system()));
    }

    @Override
    protected void closeStorage(Storage opened) {}
  }

  /** A storage whose transactions have a fault. */
  private static class Faulty implements Storage {

    final Storage whole;
    private final String method;
    private final Fault fault;

    Faulty(Storage whole, String method, Fault fault) {
      this.whole = whole;
      this.method = method;
      this.fault = fault;
    }

    @Override
    public boolean isReady() {
      return whole.isReady();
    }

    @Override
    public <T> T read(Function<Snapshot, T> work) {
      return whole.write(transaction -> work.apply(faulty(transaction)));
    }

    @Override
    public <T> T write(Function<Transaction, T> work) {
      return whole.write(transaction -> work.apply(faulty(transaction)));
    }

    Transaction faulty(Transaction transaction) {
      return (Transaction)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {Transaction.class},
              (proxy, called, arguments) -> {
                try {
                  return called.getName().equals(method)
                      ? fault.call(transaction, arguments)
                      : called.invoke(transaction, arguments);
                } catch (InvocationTargetException thrown) {
                  throw thrown.getCause();
                }
              });
    }
  }

  /** Commits each change at once; two readers of the counter wait for each other. */
  private static final class CommittingEachChange extends Faulty {

    CommittingEachChange(Storage whole) {
      this(whole, new CountDownLatch(2));
    }

    private CommittingEachChange(Storage whole, CountDownLatch readers) {
      super(
          whole,
          "find",
          (transaction, arguments) -> {
            DocumentKey key = (DocumentKey) arguments[0];
            Optional<String> found = transaction.find(key);
            if (key.id().equals("counter")) {
              meet(readers);
            }
            return found;
          });
    }

    private static void meet(CountDownLatch readers) {
      readers.countDown();
      try {
        assertThat(readers.await(20, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException interrupted) {
        throw new AssertionError(interrupted);
      }
    }

    @Override
    public <T> T write(Function<Transaction, T> work) {
      Transaction[] open = new Transaction[1];
      whole.write(transaction -> open[0] = transaction);
      return work.apply(faulty(open[0]));
    }
  }
}
