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
 * A token that is about to be stored.
 *
 * @param entry written if it is stored
 * @param deduplication how to find one that is given instead; empty for none
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
   * Gives an existing token in place of a new one.
   *
   * @param fingerprints of the content, under every key version
   * @param usable which tokens with one of these may be given; of several the oldest is
   * @param entry written if one is given
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
