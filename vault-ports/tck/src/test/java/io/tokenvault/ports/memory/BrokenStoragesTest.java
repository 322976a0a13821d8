package io.tokenvault.ports.memory;

import static java.time.temporal.ChronoUnit.MILLIS;
import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.ConcurrentModificationException;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.launcher.listeners.TestExecutionSummary.Failure;

/** Tests that {@link StorageContract} detects faulty storages. */
final class BrokenStoragesTest {

  /** The storage under test; only one suite runs at a time. */
  private static UnaryOperator<Storage> storageUnderTest;

  /** Replaces a method of a transaction. */
  private interface Fault {
    Object call(Transaction tx, Object[] args) throws InterruptedException;
  }

  private static Arguments fault(String law, String method, Fault fault) {
    return broken(law, delegate -> new FaultyStorage(delegate, method, fault));
  }

  /** Returns a fault that changes the selection of a scan. */
  private static Arguments faultyScan(String law, UnaryOperator<Selection> change) {
    return fault(law, "scan", (tx, args) -> scan(tx, change.apply((Selection) args[0]), args[1]));
  }

  private static Arguments broken(String law, UnaryOperator<Storage> storage) {
    return Arguments.of(law, storage);
  }

  static Stream<Arguments> storagesThatBreakALaw() {
    return Stream.of(
        broken("failedWorkChangesNothing", BrokenStoragesTest::autoCommitting),
        broken("concurrentChangesAreNotLostAndWorkRunsOnce", BrokenStoragesTest::autoCommitting),
        broken("concurrentChangesAreNotLostAndWorkRunsOnce", BrokenStoragesTest::repeating),
        fault("timeIsInMicroseconds", "now", (tx, args) -> tx.now().truncatedTo(MILLIS)),
        faultyScan(
            "scanSelectsByKindTenantAndTerm",
            wanted ->
                new Selection(wanted.kind(), Optional.empty(), wanted.term(), wanted.dueBy())),
        faultyScan(
            "scanSelectsByKindTenantAndTerm",
            wanted ->
                new Selection(wanted.kind(), wanted.tenantId(), Optional.empty(), wanted.dueBy())),
        faultyScan(
            "scanReturnsDueDocumentsInOrder",
            wanted -> {
              Optional<Instant> earlier = wanted.dueBy().map(time -> time.minusNanos(1));
              return new Selection(wanted.kind(), wanted.tenantId(), wanted.term(), earlier);
            }),
        fault(
            "scansEndWhenTheVisitorReturnsFalse",
            "scan",
            (tx, args) -> {
              Predicate<String> visitor = visitor(args[1]);
              return scan(
                  tx, (Selection) args[0], (Predicate<String>) each -> visitor.test(each) || true);
            }),
        fault(
            "putReplacesBodyTermsAndDueTime",
            "put",
            (tx, args) -> {
              Document document = (Document) args[0];
              tx.put(new Document(document.key(), document.due(), Set.of("old"), document.body()));
              return null;
            }),
        fault(
            "documentIsFoundByItsWholeKey",
            "find",
            (tx, args) -> {
              DocumentKey key = (DocumentKey) args[0];
              return tx.find(
                  new DocumentKey(key.kind(), key.tenantId(), key.id().toLowerCase(Locale.ROOT)));
            }),
        fault(
            "deletionRemovesDocumentAndReportsWhetherItExisted",
            "delete",
            (tx, args) -> tx.delete((DocumentKey) args[0]) || true),
        fault(
            "deletionOfTenantKeepsOtherTenantsAndTheLog",
            "deleteAll",
            (tx, args) -> tx.delete(new DocumentKey("token", (TenantId) args[0], "id"))),
        fault(
            "entriesAreReadLatestFirst",
            "scanLog",
            (tx, args) -> {
              tx.scanLog(
                  (TenantId) args[0], (LogFilter) args[1], Optional.empty(), visitor(args[3]));
              return null;
            }),
        fault("snapshotsContainWholeTransactions", "append", (tx, args) -> null),
        fault(
            "entriesAreReadLatestFirst",
            "append",
            (tx, args) -> {
              List<?> entries = (List<?>) args[0];
              tx.append(List.of((AuditEntry) entries.get(0)));
              return null;
            }));
  }

  /** Returns a storage that runs the work of a transaction again, as after a conflict. */
  private static Storage repeating(Storage delegate) {
    return new FaultyStorage(delegate, "", (tx, args) -> null) {
      @Override
      public <T> T write(Function<Transaction, T> work) {
        try {
          return delegate.write(
              transaction -> {
                T unused = work.apply(transaction);
                throw new ConcurrentModificationException();
              });
        } catch (ConcurrentModificationException conflict) {
          return delegate.write(work);
        }
      }
    };
  }

  /** Returns a storage without transactions. Two readers of the counter wait for each other. */
  private static Storage autoCommitting(Storage delegate) {
    CountDownLatch readers = new CountDownLatch(2);
    Fault find =
        (transaction, arguments) -> {
          DocumentKey key = (DocumentKey) arguments[0];
          Optional<String> found = transaction.find(key);
          if (key.id().equals("counter")) {
            readers.countDown();
            assertThat(readers.await(20, TimeUnit.SECONDS)).isTrue();
          }
          return found;
        };
    return new FaultyStorage(delegate, "find", find) {
      @Override
      public <T> T write(Function<Transaction, T> work) {
        Transaction[] open = new Transaction[1];
        delegate.write(transaction -> open[0] = transaction);
        return work.apply(withFault(open[0]));
      }
    };
  }

  private static Object scan(Transaction tx, Selection selection, Object visitor) {
    tx.scan(selection, visitor(visitor));
    return null;
  }

  @SuppressWarnings("unchecked")
  private static <T> Predicate<T> visitor(Object argument) {
    return (Predicate<T>) argument;
  }

  @ParameterizedTest
  @MethodSource("storagesThatBreakALaw")
  void storageThatBreaksLawFailsSuite(String law, UnaryOperator<Storage> storage) {
    assertThat(failures(storage))
        .allMatch(
            failure -> failure.getException().getMessage().startsWith("Law of StorageContract: "))
        .extracting(failure -> failure.getTestIdentifier().getDisplayName())
        .contains(law + "()");
  }

  @Test
  void storageWithoutFaultPassesSuite() {
    assertThat(failures(UnaryOperator.identity())).isEmpty();
  }

  private static List<Failure> failures(UnaryOperator<Storage> storage) {
    storageUnderTest = storage;
    return BrokenChainedLogsTest.run(StorageUnderTest.class).getFailures();
  }

  static final class StorageUnderTest extends StorageContract {

    @Override
    protected Storage openStorage() {
      return storageUnderTest.apply(new MemoryStorage(InstantSource.system()));
    }

    @Override
    protected void closeStorage(Storage opened) {}
  }

  /** A storage whose transactions have a fault. */
  private static class FaultyStorage implements Storage {

    final Storage delegate;
    private final String method;
    private final Fault fault;

    FaultyStorage(Storage delegate, String method, Fault fault) {
      this.delegate = delegate;
      this.method = method;
      this.fault = fault;
    }

    @Override
    public boolean isReady() {
      return delegate.isReady();
    }

    @Override
    public <T> T read(Function<Snapshot, T> work) {
      return delegate.write(transaction -> work.apply(withFault(transaction)));
    }

    @Override
    public <T> T write(Function<Transaction, T> work) {
      return delegate.write(transaction -> work.apply(withFault(transaction)));
    }

    Transaction withFault(Transaction transaction) {
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
}
