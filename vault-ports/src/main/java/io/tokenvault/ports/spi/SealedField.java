package io.tokenvault.ports.spi;

import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenId;
import java.util.Objects;
import java.util.UUID;

/**
 * The place that a sealed value belongs to. It is bound into the ciphertext, so that one that was
 * moved to another tenant, record or field does not open.
 *
 * @param kind the kind of record, for example {@code token}
 * @param recordId the record's id within the tenant
 * @param field the field's name
 */
public record SealedField(TenantId tenantId, String kind, String recordId, String field) {

  public SealedField {
    Objects.requireNonNull(tenantId, "tenantId");
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(recordId, "recordId");
    Objects.requireNonNull(field, "field");
  }

  public static SealedField tokenData(TenantId tenantId, TokenId id) {
    return new SealedField(tenantId, "token", id.value(), "data");
  }

  /** The part of the data that goes before the token does. */
  public static SealedField tokenShortLivedData(TenantId tenantId, TokenId id) {
    return new SealedField(tenantId, "token", id.value(), "short_lived_data");
  }

  public static SealedField tokenExpressions(TenantId tenantId, TokenId id) {
    return new SealedField(tenantId, "token", id.value(), "expressions");
  }

  public static SealedField proxyKey(TenantId tenantId, ProxyId id) {
    return new SealedField(tenantId, "proxy", id.toString(), "key");
  }

  public static SealedField proxyConfiguration(TenantId tenantId, ProxyId id) {
    return new SealedField(tenantId, "proxy", id.toString(), "configuration");
  }

  public static SealedField proxyTransform(TenantId tenantId, ProxyId id, TransformKind kind) {
    return new SealedField(tenantId, "proxy", id.toString(), kind.property());
  }

  /** What a request that may be repeated was answered. */
  public static SealedField answer(TenantId tenantId, UUID requestId) {
    return new SealedField(tenantId, "keyed_request", requestId.toString(), "answer");
  }
}
