package io.tokenvault.ports.store.document;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.store.document.Credential.Owner;
import io.tokenvault.ports.store.document.Kind.Counter;
import io.tokenvault.ports.store.document.Storage.Document;
import io.tokenvault.ports.store.document.Storage.Transaction;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Reads and changes the documents of one transaction.
 *
 * <p>A store makes all checks before its first change, and appends entries before it changes
 * documents: when it refuses inside {@code RequestJournal.once}, the transaction continues.
 */
final class RecordChanges extends Records {

  private static final Instant EARLIEST = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

  private final Transaction transaction;
  private final RecordJson json;

  RecordChanges(Transaction transaction, RecordJson json) {
    super(transaction, json);
    this.transaction = transaction;
    this.json = json;
  }

  <T extends Record> void put(Kind<T> kind, TenantId tenantId, String id, T record) {
    transaction.put(
        new Document(
            key(kind, tenantId, id),
            kind.due().apply(record).map(RecordChanges::storable),
            kind.terms().apply(record),
            json.write(record)));
  }

  /** Rounds a due time up to a microsecond, within the years that databases store. */
  private static Instant storable(Instant due) {
    if (due.isBefore(EARLIEST) || due.isAfter(LATEST)) {
      return due.isBefore(EARLIEST) ? EARLIEST : LATEST;
    }
    Instant floor = due.truncatedTo(ChronoUnit.MICROS);
    return floor.equals(due) ? due : floor.plus(1, ChronoUnit.MICROS);
  }

  /** Stores the document that a tenant has one of. */
  <T extends Record> void put(Kind<T> kind, TenantId tenantId, T record) {
    put(kind, tenantId, Kind.ONLY, record);
  }

  void put(TokenRecord stored) {
    put(Kind.TOKEN, stored.token().tenantId(), stored.token().id().value(), stored);
  }

  /** Stores the hash of a new key, which no other key has. */
  void add(Credential credential) {
    if (credential(credential.kind(), List.of(credential.hash())).isPresent()) {
      throw RefusedException.unavailable(null);
    }
    put(credential);
  }

  void put(Credential credential) {
    put(Kind.CREDENTIAL, credential.tenantId(), credential.id(), credential);
  }

  /** Deletes all keys of an application or proxy. */
  void deleteKeys(Owner kind, TenantId tenantId, String owner) {
    with(Kind.CREDENTIAL, tenantId, Credential.term(kind, owner))
        .forEach(each -> delete(Kind.CREDENTIAL, tenantId, each.id()));
  }

  boolean delete(Kind<?> kind, TenantId tenantId, String id) {
    return transaction.delete(key(kind, tenantId, id));
  }

  void deleteAll(TenantId tenantId) {
    transaction.deleteAll(tenantId);
  }

  void append(AuditEntry entry) {
    transaction.append(List.of(entry));
  }

  void append(List<AuditEntry> entries) {
    transaction.append(entries);
  }

  /** Returns a version that no token of the tenant has had. */
  long nextTokenVersion(TenantId tenantId) {
    long next = 1 + find(Kind.COUNTER, tenantId).map(Counter::last).orElse(0L);
    put(Kind.COUNTER, tenantId, new Counter(next));
    return next;
  }
}
