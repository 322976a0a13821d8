package io.tokenvault.adapters.jdbi.token;

import io.tokenvault.adapters.jdbi.sql.EntryRows;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.token.Token;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.TokenStore.Creation;
import io.tokenvault.ports.store.TokenStore.Outcome;
import io.tokenvault.ports.store.model.NewToken;
import io.tokenvault.ports.store.model.NewToken.Deduplication;
import io.tokenvault.ports.store.model.StoredToken;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;

/**
 * Creates a list of tokens within one transaction, one after the other. A token that is
 * deduplicated may be an existing one; an id of an expired token is reused.
 */
final class TokenCreation {

  private final Handle handle;
  private final Function<Token, AuditEntry> expiry;
  private final MemoryReservation room;
  private final List<Outcome> outcomes = new ArrayList<>();
  private final List<AuditEntry> entries = new ArrayList<>();

  /**
   * Creates the operation.
   *
   * @param handle the transaction
   * @param expiry returns the audit entry for an expired token that is deleted
   * @param room the reservation for existing tokens that are returned
   */
  TokenCreation(Handle handle, Function<Token, AuditEntry> expiry, MemoryReservation room) {
    this.handle = handle;
    this.expiry = expiry;
    this.room = room;
  }

  /**
   * Creates the tokens and writes all audit entries.
   *
   * @return an outcome for each token, in their order
   * @throws IdTakenSignal if an id is taken; the transaction must then be rolled back
   */
  Creation.Done run(List<NewToken> tokens) {
    CreationLocks.take(handle, tokens);
    for (int i = 0; i < tokens.size(); i++) {
      outcomes.add(give(i, tokens.get(i)));
    }
    EntryRows.add(handle, entries);
    return new Creation.Done(outcomes);
  }

  /** Returns an existing token if deduplication finds one, and otherwise stores the new one. */
  private Outcome give(int index, NewToken wanted) {
    return wanted
        .deduplication()
        .flatMap(deduplication -> find(wanted, deduplication))
        .orElseGet(() -> store(index, wanted));
  }

  /** Returns an existing token with the same fingerprint, and adds the entry of its use. */
  private Optional<Outcome> find(NewToken wanted, Deduplication deduplication) {
    Optional<StoredToken> found =
        new DuplicateTokens(handle, wanted.tenantId(), deduplication).oldestUsable(room);
    found.ifPresent(stored -> entries.add(deduplication.entry().apply(stored.token())));
    return found.map(stored -> new Outcome(stored, false));
  }

  /** Stores a new token, if necessary in place of an expired one with its id. */
  private Outcome store(int index, NewToken wanted) {
    StoredToken stored =
        TokenWrites.insert(handle, wanted)
            .or(() -> insertInPlaceOfExpired(wanted))
            .orElseThrow(() -> new IdTakenSignal(index));
    entries.add(wanted.entry());
    return new Outcome(stored, true);
  }

  /** Deletes an expired token with the id, then inserts the new one. */
  private Optional<StoredToken> insertInPlaceOfExpired(NewToken wanted) {
    TokenWrites.deleteExpired(handle, wanted.tenantId(), wanted.id())
        .ifPresent(expired -> entries.add(expiry.apply(expired)));
    return TokenWrites.insert(handle, wanted);
  }

  /**
   * Signals a taken id to {@link JdbiTokens} and rolls the transaction back on its way. It has no
   * stack trace, since it is an ordinary outcome.
   */
  static final class IdTakenSignal extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final int index;

    IdTakenSignal(int index) {
      super(null, null, false, false);
      this.index = index;
    }

    int index() {
      return index;
    }
  }
}
