package io.tokenvault.ports.spi;

import io.tokenvault.domain.access.TokenScope;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import java.util.Optional;
import java.util.function.Function;

/**
 * Tokens with their sealed data. Single tokens are found through {@link RequestLookup}. The package
 * names the laws for every method.
 */
public interface TokenStore {

  /**
   * Stores a token; empty if the id is taken in this tenant. An id is free again once its token was
   * deleted or has expired; no two tokens that have had one id ever share a version.
   *
   * @param expiry the entry about an expired token with this id that was not swept yet, and that is
   *     deleted with this
   */
  Optional<Token> create(NewToken token, AuditEntry entry, Function<Token, AuditEntry> expiry);

  /** Newest first, then by id; tokens out of scope are neither listed nor counted. */
  Page<StoredToken> list(
      TenantId tenantId, TokenFilter filter, TokenScope scope, PageRequest request);

  /** Deletes a token that is at this version; whether there was one. */
  boolean delete(TenantId tenantId, TokenId id, long version, AuditEntry entry);

  /**
   * Deletes tokens whose time has come, with an entry for each.
   *
   * @param limit how many at the most
   * @return how many were deleted
   */
  int deleteExpired(int limit, Function<Token, AuditEntry> entry);
}
