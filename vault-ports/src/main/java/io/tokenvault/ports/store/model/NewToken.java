package io.tokenvault.ports.store.model;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenSettings;
import io.tokenvault.domain.token.TokenType;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A token to store.
 *
 * @param entry recorded if the token is stored
 * @param deduplication finds an existing token to return instead; empty for none
 */
public record NewToken(
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
