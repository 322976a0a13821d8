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
 * Stores tokens that stand in nothing's way, as most do. Those of concurrent calls with one each
 * are written together, and those of one call by one statement.
 */
public final class TokenInserts implements AutoCloseable {

  /** Larger ones go alone, so that a batch of the most calls has a few MiB. */
  private static final int MAX_SHARING = 16 << 10;

  /** More than that goes token by token, so that it is not in memory several times. */
  private static final int MAX_TOGETHER = 4 << 20;

  private final Database database;
  private final SharedTransaction shared;
  private final BatchWriter<Call, Optional<StoredToken>> writer;

  /**
   * @param shared what these do not take part in
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
   * Empty, with nothing stored, if it has to be found out in turn what there is in place of them: a
   * condition does not hold, an id is taken, even by a token that has expired, or the tenant was
   * shredded or is gone. Likewise if this thread shares a transaction: what is stored together with
   * tokens of other calls cannot belong to it.
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

  private Optional<StoredToken> tryOne(Call call, long bytes) {
    return bytes > MAX_SHARING ? write(List.of(call)).get(0) : writer.write(call);
  }

  private Optional<Creation> tryTogether(List<NewToken> tokens, List<Call> calls) {
    try {
      return Optional.of(done(database.change(handle -> allOf(handle, tokens, calls))));
    } catch (NotAllSignal notAll) {
      return Optional.empty();
    }
  }

  private static List<StoredToken> allOf(Handle handle, List<NewToken> tokens, List<Call> calls) {
    CreationLocks.take(handle, tokens);
    return new TokenBatch(calls)
        .write(handle).stream().map(each -> each.orElseThrow(NotAllSignal::new)).toList();
  }

  private static Creation done(List<StoredToken> stored) {
    return new Creation.Done(stored.stream().map(each -> new Outcome(each, true)).toList());
  }

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

  /** Writes what waits, for a while. */
  @Override
  public void close() {
    writer.close();
  }

  /** Rolls a transaction back. */
  private static final class NotAllSignal extends RuntimeException {

    private static final long serialVersionUID = 1;

    private NotAllSignal() {
      super(null, null, false, false);
    }
  }
}
