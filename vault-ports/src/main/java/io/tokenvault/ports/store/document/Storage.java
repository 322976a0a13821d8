package io.tokenvault.ports.store.document;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.RecordedEntry;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.LogFilter;
import io.tokenvault.ports.audit.LogPosition;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A database as {@link DocumentStores} needs it: documents under keys, and an append-only log, both
 * changed in transactions.
 *
 * <p>Laws:
 *
 * <ul>
 *   <li>Transactions are serializable: their result is that of running them one after the other.
 *       The simplest implementation admits one writer at a time and lets others wait.
 *   <li>{@link #write} returns when all changes are durable: they survive a crash of this process
 *       and of the database. If the work throws, nothing is changed, and its exception is thrown
 *       unchanged.
 *   <li>Work runs once, in the calling thread. A transaction that cannot be committed fails; it is
 *       not repeated, because its work may have effects elsewhere. Other transactions are no reason
 *       to fail: lock before the work runs, not when it conflicts. {@link DocumentStores} does not
 *       nest transactions.
 *   <li>All threads may share one instance. A snapshot or transaction is used by one thread, until
 *       the work returns.
 *   <li>A database that cannot be reached, or cannot write, throws {@link
 *       RefusedException#unavailable}. Its cause must not repeat values, as the messages of some
 *       drivers do.
 *   <li>Strings are compared by code point: case and accents matter. Kinds have at most 20
 *       characters, ids and terms at most 250.
 * </ul>
 *
 * <p>Bodies contain encrypted values, keyed hashes and attributes that are not secret. No method
 * receives plaintext of tokens, keys or transforms.
 */
public interface Storage {

  /**
   * Returns whether the database can be reached and has the schema that the implementation needs.
   * Never throws.
   */
  boolean isReady();

  /**
   * Runs work on a consistent snapshot of what is committed.
   *
   * @return the result of the work
   */
  <T> T read(Function<Snapshot, T> work);

  /**
   * Runs work in a transaction, which is committed if the work returns.
   *
   * @return the result of the work
   */
  <T> T write(Function<Transaction, T> work);

  /** Reads documents and the log, all from one state. */
  interface Snapshot {

    /**
     * Returns the time by the clock of the database, to the microsecond. It may advance during a
     * transaction.
     */
    Instant now();

    /** Returns the body of a document. */
    Optional<String> find(DocumentKey key);

    /** Returns the number of characters of a body without loading it; 0 if there is none. */
    long size(DocumentKey key);

    /**
     * Passes the body of each selected document to a visitor, until that returns false. The order
     * is by due time if the selection has one, and otherwise arbitrary.
     *
     * @param visitor does not use the snapshot, so that a cursor may be open. Load documents one by
     *     one, or a few at a time
     */
    void scan(Selection selection, Predicate<String> visitor);

    /**
     * Passes log entries of a tenant to a visitor, latest first (by time, then sequence), until
     * that returns false.
     *
     * @param filter may be ignored: the caller skips entries that do not match. Applying it makes
     *     searches faster
     * @param after excludes this position and everything later; empty to start at the latest entry
     * @param visitor as for {@link #scan}
     */
    void scanLog(
        TenantId tenantId,
        LogFilter filter,
        Optional<LogPosition> after,
        Predicate<RecordedEntry> visitor);
  }

  /** Reads and changes documents, and appends to the log. Reads see earlier changes. */
  interface Transaction extends Snapshot {

    /** Stores a document, in place of the one with its key if there is one. */
    void put(Document document);

    /**
     * Deletes a document.
     *
     * @return whether there was one
     */
    boolean delete(DocumentKey key);

    /** Deletes all documents of a tenant. Its log stays. */
    void deleteAll(TenantId tenantId);

    /**
     * Appends entries to the log, each with the time of {@link #now} and the next sequence number.
     * Sequence numbers increase over all tenants, also after a restart; gaps are permitted. The
     * database should reject every change and deletion of an entry.
     */
    void append(List<AuditEntry> entries);
  }

  /**
   * The key of a document.
   *
   * @param kind the kind of document, such as {@code token}
   * @param tenantId the tenant that it belongs to; all zeros for the state of the master keyset
   * @param id unique within kind and tenant
   */
  record DocumentKey(String kind, TenantId tenantId, String id) {}

  /**
   * A document.
   *
   * @param due when it must be changed or deleted, in whole microseconds, in the years 0 to 9999;
   *     index it
   * @param terms the search terms by which it is found, together with its kind; index them
   * @param body JSON, up to some megabytes
   */
  record Document(DocumentKey key, Optional<Instant> due, Set<String> terms, String body) {
    public Document {
      terms = Set.copyOf(terms);
    }
  }

  /**
   * Selects documents that meet all of these criteria.
   *
   * @param tenantId the tenant of the documents; empty for all tenants
   * @param term one of their search terms; empty for no restriction
   * @param dueBy the latest due time, inclusive; empty for no restriction
   */
  record Selection(
      String kind, Optional<TenantId> tenantId, Optional<String> term, Optional<Instant> dueBy) {
    /** Returns whether a document meets all criteria, for storages without a query language. */
    public boolean includes(Document document) {
      return kind.equals(document.key().kind())
          && tenantId.map(document.key().tenantId()::equals).orElse(true)
          && term.map(document.terms()::contains).orElse(true)
          && dueBy
              .map(until -> document.due().map(due -> !due.isAfter(until)).orElse(false))
              .orElse(true);
    }
  }
}
