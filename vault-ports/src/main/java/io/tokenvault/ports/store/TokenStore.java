package io.tokenvault.ports.store;

import io.tokenvault.domain.access.TokenScope;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenQuery;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.model.NewToken;
import io.tokenvault.ports.store.model.StoredToken;
import io.tokenvault.ports.store.model.TokenUpdate;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Tokens with their sealed data. Single tokens are found through {@link RequestLookup}. The package
 * names the laws for every method.
 */
public interface TokenStore {

  /**
   * Stores all tokens or, if the id of one is taken in this tenant, none. An id is free again once
   * its token was deleted or has expired; no two tokens that have had one id ever share a version.
   * In place of a token with a {@link NewToken.Deduplication}, one that exists is given if one is
   * usable; of several calls at once for one fingerprint, one stores. Tokens count as existing for
   * those that come after them in the list.
   *
   * @param tokens at least one, all of one tenant
   * @param decidedOn what has to hold still; otherwise nothing is stored
   * @param expiry the entry about an expired token with the id of one of these that was not swept
   *     yet, and that is deleted with this
   * @param room of which at least the {@linkplain StoredToken#size size} of the tokens is taken
   *     that are given in place of new ones, before more than a little of that is loaded; without
   *     it nothing is stored
   * @throws RefusedException of cause {@code TENANT_SHREDDED}, if the tenant's keys are destroyed:
   *     what they sealed could never be opened again
   */
  Creation create(
      List<NewToken> tokens,
      Preconditions decidedOn,
      Function<Token, AuditEntry> expiry,
      MemoryReservation room);

  /** The same, whatever holds and however much that is. */
  default Creation create(List<NewToken> tokens, Function<Token, AuditEntry> expiry) {
    return create(
        tokens, Preconditions.none(tokens.get(0).tenantId()), expiry, MemoryReservation.UNBOUNDED);
  }

  /**
   * Changes a token that is at this version, with a new version; the short-lived part of the data
   * stays with its time unless there is new content. Empty if there is no token at this version.
   *
   * @throws RefusedException as {@link #create}
   */
  Optional<StoredToken> update(
      TenantId tenantId, TokenId id, long version, TokenUpdate update, List<AuditEntry> entries);

  /**
   * Newest first, then by id; tokens out of scope are neither listed nor counted.
   *
   * @param room of which at least the {@linkplain StoredToken#size size} of the page's tokens is
   *     taken, before more than a little of that is loaded
   */
  Page<StoredToken> list(
      TenantId tenantId,
      TokenQuery query,
      TokenScope scope,
      PageRequest request,
      MemoryReservation room);

  /** The same, however much that is. */
  default Page<StoredToken> list(
      TenantId tenantId, TokenQuery query, TokenScope scope, PageRequest request) {
    return list(tenantId, query, scope, request, MemoryReservation.UNBOUNDED);
  }

  /**
   * Deletes a token that is at this version, with all that was made of its data; whether there was
   * one.
   */
  boolean delete(TenantId tenantId, TokenId id, long version, AuditEntry entry);

  /**
   * Deletes tokens whose time has come, with an entry for each.
   *
   * @param limit how many at the most
   * @return how many were deleted
   */
  int deleteExpired(int limit, Function<Token, AuditEntry> entry);

  /**
   * Deletes short-lived parts of data whose time has come.
   *
   * @param limit how many at the most
   * @return how many were deleted
   */
  int deleteExpiredParts(int limit);

  /** What became of tokens that were to be stored. */
  sealed interface Creation {

    /** What there is now for each of the tokens, in their order. */
    record Done(List<Outcome> outcomes) implements Creation {
      public Done {
        outcomes = List.copyOf(outcomes);
      }
    }

    /**
     * Nothing was stored.
     *
     * @param index of a token whose id is taken
     */
    record IdTaken(int index) implements Creation {}

    /** Nothing was stored: something that was decided on does not hold any more. */
    record Stale() implements Creation {}
  }

  /**
   * A token that there is now.
   *
   * @param isNew whether it was stored, and not found
   */
  record Outcome(StoredToken token, boolean isNew) {}
}
