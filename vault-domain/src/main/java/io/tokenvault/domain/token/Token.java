package io.tokenvault.domain.token;

import io.tokenvault.domain.access.TokenTraits;
import io.tokenvault.domain.tenant.Provenance;
import io.tokenvault.domain.tenant.TenantId;
import java.util.Objects;
import java.util.Optional;

/**
 * A token without the data that it stands for.
 *
 * @param fingerprint equal for tokens of one type and content, and reveals nothing about the
 *     content; empty for tokens from before fingerprints were introduced
 * @param provenance creator and last modifier
 * @param version incremented by every change
 */
public record Token(
    TokenId id,
    TenantId tenantId,
    TokenType type,
    TokenSettings settings,
    Optional<String> fingerprint,
    Provenance provenance,
    long version) {

  public Token {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(tenantId, "tenantId");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(settings, "settings");
    Objects.requireNonNull(fingerprint, "fingerprint");
    Objects.requireNonNull(provenance, "provenance");
  }

  /** Returns the attributes that access decisions depend on. */
  public TokenTraits traits() {
    return settings.traits(id);
  }
}
