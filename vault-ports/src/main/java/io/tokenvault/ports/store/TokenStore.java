package io.tokenvault.ports.store;

import io.tokenvault.domain.access.TokenScope;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenQuery;
import io.tokenvault.domain.token.TokenSettings;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.model.EncryptedContent;
import io.tokenvault.ports.store.model.StoredToken;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Stores tokens with their encrypted data. Single tokens are found by {@link RequestLookup}. The
 * package documentation states the laws for every method.
 */
public interface TokenStore {

  /**
   * Stores all tokens, or none if the id of one is taken in the tenant.
   *
   * <p>An id is available again once its token was deleted or has expired; no two tokens that have
   * had one id ever share a version. A token with a {@link NewToken.Deduplication} is replaced by
   * an existing usable one; of several concurrent calls for one fingerprint, one stores a token.
   * Tokens count as existing for later ones in the list.
   *
   * @param tokens at least one, all of one tenant
   * @param decidedOn preconditions that must still hold; otherwise nothing is stored
   * @param expiry returns the entry about an expired token that has one of the ids and is deleted
   *     by this call
   * @param reservation reserves at least the {@linkplain StoredToken#size size} of the existing
   *     tokens that replace new ones, before more than a small part of them is loaded; nothing is
   *     stored if it is exhausted
   * @throws RefusedException with cause {@code TENANT_SHREDDED} if the tenant's keys are destroyed:
   *     values that they encrypted could never be decrypted again
   */
  Creation create(
      List<NewToken> tokens,
      Preconditions decidedOn,
      Function<Token, AuditEntry> expiry,
      MemoryReservation reservation);

  /** Stores tokens without preconditions and without a memory limit. */
  default Creation create(List<NewToken> tokens, Function<Token, AuditEntry> expiry) {
    return create(
        tokens, Preconditions.none(tokens.get(0).tenantId()), expiry, MemoryReservation.UNBOUNDED);
  }

  /**
   * Updates a token that has this version and assigns a new version. The short-lived part of the
   * data and its expiry stay unless there is new content.
   *
   * @return the updated token; empty if there is none with this version
   * @throws RefusedException as for {@link #create}
   */
  Optional<StoredToken> update(
      TenantId tenantId, TokenId id, long version, TokenUpdate update, List<AuditEntry> entries);

  /**
   * Returns a page of tokens, newest first, then by id. Tokens outside the scope are neither listed
   * nor counted.
   *
   * @param reservation reserves at least the {@linkplain StoredToken#size size} of the page's
   *     tokens before more than a small part of them is loaded
   */
  Page<StoredToken> list(
      TenantId tenantId,
      TokenQuery query,
      TokenScope scope,
      PageRequest request,
      MemoryReservation reservation);

  /**
   * Deletes a token that has this version together with everything derived from its data.
   *
   * @return whether there was such a token
   */
  boolean delete(TenantId tenantId, TokenId id, long version, AuditEntry entry);

  /**
   * Deletes expired tokens and records an audit entry for each.
   *
   * @param limit the maximum number of tokens to delete
   * @return the number of deleted tokens
   */
  int deleteExpired(int limit, Function<Token, AuditEntry> entry);

  /**
   * Deletes expired short-lived parts of data.
   *
   * @param limit the maximum number of parts to delete
   * @return the number of deleted parts
   */
  int deleteExpiredParts(int limit);

  /** The outcome of storing tokens. */
  sealed interface Creation {

    /**
     * All tokens were stored or replaced by existing ones.
     *
     * @param outcomes the result for each token, in their order
     */
    record Done(List<Outcome> outcomes) implements Creation {
      public Done {
        outcomes = List.copyOf(outcomes);
      }
    }

    /**
     * Nothing was stored because an id is taken.
     *
     * @param index the index of the token whose id is taken
     */
    record IdTaken(int index) implements Creation {}

    /** Nothing was stored because a precondition no longer holds. */
    record Stale() implements Creation {}
  }

  /**
   * A token that was stored or found.
   *
   * @param token the token as it is stored
   * @param isNew whether it was stored by this call rather than found
   */
  record Outcome(StoredToken token, boolean isNew) {}

  /**
   * A token to store.
   *
   * @param entry recorded if the token is stored
   * @param deduplication finds an existing token to return instead; empty for none
   */
  record NewToken(
      TokenId id,
      TenantId tenantId,
      TokenType type,
      TokenSettings settings,
      EncryptedContent content,
      UUID createdBy,
      AuditEntry entry,
      Optional<Deduplication> deduplication) {
    public NewToken {
      Objects.requireNonNull(id, "id");
      Objects.requireNonNull(tenantId, "tenantId");
      Objects.requireNonNull(type, "type");
      Objects.requireNonNull(settings, "settings");
      Objects.requireNonNull(content, "content");
      Objects.requireNonNull(createdBy, "createdBy");
      Objects.requireNonNull(entry, "entry");
      Objects.requireNonNull(deduplication, "deduplication");
    }

    /**
     * Returns an existing token instead of a new one.
     *
     * @param fingerprints of the content under every key version
     * @param usable accepts the tokens that may be returned; the oldest of several is
     * @param entry returns the entry to record if an existing token is returned
     */
    public record Deduplication(
        Set<String> fingerprints, Predicate<Token> usable, Function<Token, AuditEntry> entry) {
      public Deduplication {
        fingerprints = Set.copyOf(fingerprints);
        Objects.requireNonNull(usable, "usable");
        Objects.requireNonNull(entry, "entry");
      }
    }
  }

  /**
   * The new state of a token.
   *
   * @param settings replaces all settings
   * @param content replaces data and everything derived from it; empty if these do not change
   * @param keepsShortLivedTime whether the short-lived part of the new content expires when the
   *     present part would have expired; a part that would have expired by now is dropped
   */
  record TokenUpdate(
      TokenSettings settings,
      Optional<EncryptedContent> content,
      boolean keepsShortLivedTime,
      UUID modifiedBy) {
    public TokenUpdate {
      Objects.requireNonNull(settings, "settings");
      Objects.requireNonNull(content, "content");
      Objects.requireNonNull(modifiedBy, "modifiedBy");
    }
  }
}
