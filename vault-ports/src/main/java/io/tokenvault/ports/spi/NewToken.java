package io.tokenvault.ports.spi;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenSettings;
import io.tokenvault.domain.token.TokenType;
import java.util.Objects;
import java.util.UUID;

/** A token that is about to be stored. */
public record NewToken(
    TokenId id,
    TenantId tenantId,
    TokenType type,
    TokenSettings settings,
    Sealed data,
    UUID createdBy) {
  public NewToken {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(tenantId, "tenantId");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(settings, "settings");
    Objects.requireNonNull(data, "data");
    Objects.requireNonNull(createdBy, "createdBy");
  }
}
