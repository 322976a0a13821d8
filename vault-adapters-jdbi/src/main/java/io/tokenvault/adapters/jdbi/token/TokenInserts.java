package io.tokenvault.adapters.jdbi.token;

import io.tokenvault.adapters.jdbi.batch.BatchWriter;
import io.tokenvault.adapters.jdbi.sql.Database;
import io.tokenvault.adapters.jdbi.sql.EntryMarks;
import io.tokenvault.adapters.jdbi.sql.SharedTransaction;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings.Limits;
import io.tokenvault.adapters.jdbi.token.TokenBatch.Call;
import io.tokenvault.domain.failure.FailureCode;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.store.Preconditions;
import io.tokenvault.ports.store.TokenStore.Creation;
import io.tokenvault.ports.store.TokenStore.Outcome;
import io.tokenvault.ports.store.model.EncryptedContent;
import io.tokenvault.ports.store.model.EncryptedContent.ShortLived;
import io.tokenvault.ports.store.model.NewToken;
import io.tokenvault.ports.store.model.StoredToken;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;

/**
 * Stores tokens in the common case, in which nothing is in their way. Single tokens of concurrent
 * calls are written together; the tokens of one call are written by one statement.
 *
 * <p>All other cases are left to {@link TokenCreation}: deduplication, taken ids and failed
 * preconditions.
 */
public final class TokenInserts implements AutoCloseable {

  /**
   * Size in bytes above which a token is written alone, so that a full batch has only a few MiB.
   */
  private static final int MAX_SHARING = 16 << 10;

  /**
   * Size in bytes above which a call's tokens are written one by one, so that their data is not in
   * memory several times.
   */
  private static final int MAX_TOGETHER = 4 << 20;

  private final Database database;
  private final SharedTransaction shared;
  private final BatchWriter<Call, Optional<StoredToken>> writer;

  /**
   * Creates the store's fast path.
   *
   * @param database the pool to write with
   * @param shared the shared transaction, which these writes cannot take part in
   * @param limits the limits that determine how long a call waits
   */
  public TokenInserts(Database database, SharedTransaction shared, Limits limits) {
    this.database = database;
    this.shared = shared;
    this.writer = new BatchWriter<>("token-writer", limits, this::write, Call::size);
  }

  private List<Optional<StoredToken>> write(List<Call> calls) {
    return database.run(new TokenBatch(calls)::write);
  }

  /**
   * Stores all tokens, or none of them.
   *
   * @return empty, with nothing stored, if the tokens have to be created one by one: a precondition
   *     does not hold, an id is taken, even by an expired token, or the tenant was deleted or its
   *     keys destroyed; also if this thread has a shared transaction, to which rows of a common
   *     batch cannot belong
   * @throws RefusedException if the database is unavailable or too much work waits
   */
  Optional<Creation> tryAll(List<NewToken> tokens, Preconditions decidedOn) {
    try {
      return tryEach(tokens, decidedOn);
    } catch (RefusedException refused) {
      if (refused.code() == FailureCode.UNAVAILABLE) {
        database.marks().ifPresent(EntryMarks::noteUnwritten);
      }
      throw refused;
    }
  }

  /** Chooses how to write: shared with other calls, alone, or together in one transaction. */
  private Optional<Creation> tryEach(List<NewToken> tokens, Preconditions decidedOn) {
    if (shared.current().isPresent()
        || tokens.stream().anyMatch(each -> each.deduplication().isPresent())) {
      return Optional.empty();
    }
    List<Call> calls = tokens.stream().map(each -> new Call(each, decidedOn)).toList();
    long bytes = tokens.stream().mapToLong(TokenInserts::bytes).sum();
    if (calls.size() == 1) {
      return tryOne(calls.get(0), bytes).map(stored -> done(List.of(stored)));
    }
    return bytes > MAX_TOGETHER ? Optional.empty() : tryTogether(tokens, calls);
  }

  /** Writes a single token, with those of other calls if it is small. */
  private Optional<StoredToken> tryOne(Call call, long bytes) {
    return bytes > MAX_SHARING ? write(List.of(call)).get(0) : writer.write(call);
  }

  /**
   * Writes the tokens of one call in one transaction, which is rolled back unless all are stored.
   */
  private Optional<Creation> tryTogether(List<NewToken> tokens, List<Call> calls) {
    try {
      return Optional.of(done(database.change(handle -> allOf(handle, tokens, calls))));
    } catch (NotAllSignal notAll) {
      return Optional.empty();
    }
  }

  /** Writes all tokens by one statement, and throws if one was not stored. */
  private static List<StoredToken> allOf(Handle handle, List<NewToken> tokens, List<Call> calls) {
    CreationLocks.take(handle, tokens);
    return new TokenBatch(calls)
        .write(handle).stream().map(each -> each.orElseThrow(NotAllSignal::new)).toList();
  }

  private static Creation done(List<StoredToken> stored) {
    return new Creation.Done(stored.stream().map(each -> new Outcome(each, true)).toList());
  }

  /** Returns the size of a token's encrypted values. */
  private static long bytes(NewToken token) {
    EncryptedContent content = token.content();
    return Stream.of(
            Optional.of(content.data()),
            content.shortLived().map(ShortLived::sealed),
            content.expressions())
        .flatMap(Optional::stream)
        .map(EncryptedValue::ciphertext)
        .mapToLong(each -> each.length)
        .sum();
  }

  /** Writes the queued tokens, for at most ten seconds. */
  @Override
  public void close() {
    writer.close();
  }

  /** Rolls a transaction back, as an ordinary outcome without a stack trace. */
  private static final class NotAllSignal extends RuntimeException {

    private static final long serialVersionUID = 1;

    private NotAllSignal() {
      super(null, null, false, false);
    }
  }
}
